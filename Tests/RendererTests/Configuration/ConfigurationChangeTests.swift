import Testing

@testable import Renderer

@Suite struct ConfigurationChangeTests {
  private static func configuration(_ text: String) -> Configuration {
    ConfigurationReading(file: ConfigurationFile(path: "f", text: text)).configuration
  }

  @Test(arguments: [
    ("", "", "Nothing has changed."),
    ("log_level = \"debug\"", "log_level = \"debug\"", "Nothing has changed."),
    ("", "hosts = [\"a.b\"]\nlog_level = \"debug\"", "In force now: hosts, log_level."),
    ("log_level = \"debug\"", "", "In force now: log_level."),
    ("", "port = 1", "Only after a restart: port."),
    ("port = 2", "port = 1\nlog_level = \"debug\"", "In force now: log_level. Only after a restart: port."),
  ])
  func reportsAppliedAndWaitingKeys(old: String, new: String, said: String) {
    #expect(ConfigurationChange(from: Self.configuration(old), to: Self.configuration(new)).description == said)
  }

  @Test func waitingKeysAreReportedAgain() {
    let old = Self.configuration("port = 1\nlog_level = \"debug\"")
    let new = Self.configuration("port = 2\nlog_level = \"error\"")
    let change = ConfigurationChange(from: old, to: new)
    #expect(change.configuration == Self.configuration("port = 1\nlog_level = \"error\""))
    #expect(ConfigurationChange(from: change.configuration, to: new).description == "Only after a restart: port.")
  }
}
