import Testing

@testable import Renderer

@Suite struct ConfigurationFileTests {
  /// Whoever names a device or a film by mistake shall not wait for it.
  @Test func whatIsTooLargeIsNotReadToItsEnd() {
    let error = #expect(throws: ConfigurationMistake.self) { try ConfigurationFile(path: "/dev/zero") }
    #expect(error?.sentence == "It is larger than 64 KiB, which no configuration is.")
  }

  @Test func whatIsNotThereIsToldSo() {
    let error = #expect(throws: ConfigurationMistake.self) { try ConfigurationFile(path: "/nothing/at/all") }
    #expect(error?.sentence == "It cannot be read: no such file or directory.")
  }
}
