import Testing

@testable import Renderer

@Suite struct ConfigurationFileTests {
  /// A device or a film that is named by mistake is not read to its end.
  @Test func oversizedFileIsRefused() {
    let error = #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(path: "/dev/zero") }
    #expect(error?.sentence == "The file is larger than 64 KiB.")
  }

  @Test func missingFileIsReported() {
    let error = #expect(throws: ConfigurationProblem.self) { try ConfigurationFile(path: "/nothing/at/all") }
    #expect(error?.sentence == "The file cannot be read: no such file or directory.")
  }
}
