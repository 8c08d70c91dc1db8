import Testing

@testable import Renderer

@Suite struct ConfigurationFileTests {
  /// Whoever names a device or a film by mistake shall not wait for it.
  @Test func whatIsTooLargeIsNotReadToItsEnd() {
    let error = #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(path: "/dev/zero") }
    #expect(error?.sentence == "The file is larger than 64 KiB.")
  }

  @Test func whatIsNotThereIsToldSo() {
    let error = #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(path: "/nothing/at/all") }
    #expect(error?.sentence == "The file cannot be read: no such file or directory.")
  }
}
