import Companion
import Testing

@testable import Renderer

@Suite struct CompanionActionTests {
  private static let kind = ConfigurationKind<CompanionAction>.action

  private static func node(_ text: String) -> ConfigurationNode? { TOMLDocument("action = \(text)").root["action"] }

  @Test(arguments: [
    (#""toggle""#, CompanionAction.command(.toggle)),
    (#""volume +2""#, .command(.changeVolume(by: 2))),
    (#""source radio""#, .command(.source(.radio))),
    (#"["/bin/lamp", "the \"red\" one"]"#, .hook(["/bin/lamp", "the \"red\" one"])),
  ])
  func readsAndWrites(text: String, action: CompanionAction) throws {
    #expect(try Self.kind.read(#require(Self.node(text))) == action)
    #expect(Self.kind.write(action) == text)
  }

  @Test func readsTheTextOfAnOption() throws {
    #expect(try Self.kind.read(ConfigurationNode(value: .plain("preset 3"))) == .command(.preset(3)))
    #expect(try Self.kind.read(ConfigurationNode(value: .plain(#"["lamp", "on"]"#))) == .hook(["lamp", "on"]))
  }

  @Test(arguments: [
    (#""togle""#, "“togle” is not a command; did you mean toggle?"),
    (#""Play""#, "“Play” is not a command; did you mean play?"),
    (
      #""volume loud""#,
      "“volume loud” is not a command; the forms are volume 0…100, volume +STEPS, volume -STEPS."
    ),
    (
      #""dance""#,
      "“dance” is not a command; the commands are play, pause, toggle, stop, next, previous, mute, standby, "
        + "equalizer, snooze, dismiss, seek, volume, balance, source, preset, pin, repeat, shuffle, announce, sleep, alarm."
    ),
    ("[]", "The list is empty: it needs a program."),
    ("[3]", "3 is not text: put it in quotes."),
    (
      "3",
      "3 is not an action: write a command in quotes, such as \"toggle\", or a list with a program and its arguments."
    ),
  ])
  func namesMistakes(text: String, sentence: String) throws {
    let node = try #require(Self.node(text))
    let error = #expect(throws: ValueProblem.self) { try Self.kind.read(node) }
    #expect(error?.reasons.map(\.sentence) == [sentence])
  }
}
