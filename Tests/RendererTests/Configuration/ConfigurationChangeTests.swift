import Companion
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

  private static let person = #"presence.people = [{ name = "Ann", device = "00:00:5E:00:53:01""#
  private static let button = #"buttons = [{ device = "Knob", key = "KEY_MUTE", trigger = "click", action = "#

  /// Keys of companions, with two different settings.
  private static let companions: [(key: String, before: String, after: String)] = [
    ("mqtt.broker", "", #"mqtt.broker = "mqtt://a""#),
    ("mqtt.broker", #"mqtt.broker = "mqtt://a""#, #"mqtt.broker = "mqtts://a""#),
    ("mqtt.prefix", #"mqtt.prefix = "a""#, #"mqtt.prefix = "b""#), ("mqtt.user", "", #"mqtt.user = "a""#),
    ("mqtt.password_file", "", #"mqtt.password_file = "/a""#), ("mqtt.ca_file", "", #"mqtt.ca_file = "/a""#),
    ("mqtt.client_certificate", "", #"mqtt.client_certificate = "/a""#),
    ("mqtt.client_key", "", #"mqtt.client_key = "/a""#),
    ("mqtt.home_assistant", "", "mqtt.home_assistant = true"), ("mpris", "", #"mpris = "session""#),
    ("mpris", #"mpris = "session""#, #"mpris = "system""#), ("sleep", "sleep = true", ""),
    ("beacon", "", "beacon = true"), ("beacon_power", "", "beacon_power = -70"),
    ("presence.people", "", person + " }]"), ("presence.people", person + " }]", person + ", rssi = -70 }]"),
    ("presence.rssi", "", "presence.rssi = -70"), ("presence.arrival", "", "presence.arrival = 9"),
    ("presence.departure", "", "presence.departure = 9"), ("presence.on_leave", "", #"presence.on_leave = "pause""#),
    ("presence.on_return", "", #"presence.on_return = "resume""#),
    ("presence.on_change", "", #"presence.on_change = ["/a"]"#),
    ("presence.on_change", #"presence.on_change = ["/a"]"#, #"presence.on_change = ["/a", "b"]"#),
    ("buttons", "", button + #""play" }]"#), ("buttons", button + #""play" }]"#, button + #""volume +1" }]"#),
  ]

  @Test(arguments: companions.indices) func keysOfCompanionsWaitForARestart(_ row: Int) {
    let (key, before, after) = Self.companions[row]
    let change = ConfigurationChange(from: Self.configuration(before), to: Self.configuration(after))
    #expect(change.description == "Only after a restart: \(key).")
    #expect(CompanionSettings(change.configuration) == CompanionSettings(Self.configuration(before)))
  }

  @Test func theTableHasEveryKeyOfACompanion() {
    let names = ConfigurationKeys.all.map(\.name).filter { name in
      ["beacon", "buttons", "mpris", "mqtt.", "presence.", "sleep"].contains(where: name.hasPrefix)
    }
    #expect(Set(names) == Set(Self.companions.map(\.key)))
  }

  @Test func waitingKeysAreReportedAgain() {
    let old = Self.configuration("port = 1\nlog_level = \"debug\"")
    let new = Self.configuration("port = 2\nlog_level = \"error\"")
    let change = ConfigurationChange(from: old, to: new)
    #expect(change.configuration == Self.configuration("port = 1\nlog_level = \"error\""))
    #expect(ConfigurationChange(from: change.configuration, to: new).description == "Only after a restart: port.")
  }
}
