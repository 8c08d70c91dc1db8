import Companion
import Testing

@testable import Renderer

@Suite struct ButtonsKindTests {
  private static let kind = ConfigurationKind<[ButtonBinding]>.buttons

  private static func node(_ text: String) -> ConfigurationNode? { TOMLDocument(text).root["buttons"] }

  @Test func readsAndWrites() throws {
    let text = """
      [[buttons]]
      device = "Wall Button"
      key = "KEY_PLAYPAUSE"
      trigger = "double"
      action = "next"

      [[buttons]]
      device = "00:00:5E:00:53:01"
      action = ["/usr/local/bin/lamp", "on"]

      [[buttons]]
      device = "Knob"
      key = "REL_DIAL+"
      action = "volume +1"

      [[buttons]]
      device = "Knob"
      key = 767
      trigger = "hold"
      action = "standby"
      """
    let expected = [
      ButtonBinding(device: DeviceName("Wall Button"), key: .key(164), trigger: .double, action: .command(.next)),
      ButtonBinding(
        device: DeviceName("00:00:5E:00:53:01"), key: nil, trigger: .click,
        action: .hook(["/usr/local/bin/lamp", "on"])),
      ButtonBinding(
        device: DeviceName("Knob"), key: .step(axis: 7, isUp: true), trigger: .click,
        action: .command(.changeVolume(by: 1))),
      ButtonBinding(device: DeviceName("Knob"), key: .key(767), trigger: .hold, action: .command(.standby(nil))),
    ]
    let bindings = try Self.kind.read(#require(Self.node(text)))
    #expect(bindings == expected)
    #expect(try Self.kind.read(ConfigurationNode(value: .plain(Self.kind.write(bindings)))) == expected)
  }

  @Test(arguments: [
    (#"device = "A""#, "action: The key is missing."),
    (#"action = "play""#, "device: The key is missing."),
    (#"device = "A", action = "togle""#, "action: “togle” is not a command; did you mean toggle?"),
    (#"device = "A", buton = 1, action = "play""#, "buton: Unknown key."),
    (
      #"device = "A", trigger = "tripple", action = "play""#,
      "trigger: “tripple” is not click, double, hold, down, up or repeat."
    ),
    (
      #"device = "A", key = "KEY_PLAYPAUS", action = "play""#,
      "key: “KEY_PLAYPAUS” is not a key; did you mean KEY_PLAYPAUSE? `swiftlet buttons` prints the names."
    ),
    (
      #"device = "A", key = "play_pause", action = "play""#,
      "key: “play_pause” is not a key; did you mean KEY_PLAYPAUSE? `swiftlet buttons` prints the names."
    ),
    (
      #"device = "A", key = 9999, action = "play""#,
      "key: 9999 is not the code of a key: a whole number from 0 to 767."
    ),
    (
      #"device = "A", key = "REL_DIAL-", trigger = "hold", action = "play""#,
      "trigger: A dial has no “hold”; its only trigger is click, once for each step."
    ),
    (#"device = "", action = "play""#, "device: The value is empty."),
  ])
  func namesMistakes(table: String, problem: String) throws {
    let node = try #require(Self.node("buttons = [{ \(table) }]"))
    let error = #expect(throws: ValueProblem.self) { try Self.kind.read(node) }
    #expect(error?.reasons.map { "\($0.member ?? ""): \($0.sentence)" } == [problem])
  }
}
