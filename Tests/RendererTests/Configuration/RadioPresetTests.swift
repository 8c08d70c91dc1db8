import PlaybackModel
import Testing

@testable import Renderer

@Suite struct RadioPresetTests {
  private static func node(_ text: String) -> ConfigurationNode? { TOMLDocument(text).root["presets"] }

  private static let presets = [
    RadioPreset(title: "One", uri: "http://a/1", artwork: "https://a/1.png"),
    RadioPreset(title: "The \"Two\"", uri: "HTTPS://a/2?x=1"),
  ]

  @Test(arguments: [
    """
    [[presets]]
    title = "One"
    uri = "http://a/1"
    artwork = "https://a/1.png"

    [[presets]]
    title = 'The "Two"'
    uri = "HTTPS://a/2?x=1"
    """,
    """
    presets = [
      { title = "One", uri = "http://a/1", artwork = "https://a/1.png" },
      { title = 'The "Two"', uri = "HTTPS://a/2?x=1" },
    ]
    """,
  ])
  func readsBothNotations(text: String) throws {
    let node = try #require(Self.node(text))
    let kind = ConfigurationKind<[RadioPreset]>.presets
    #expect(try kind.read(node) == Self.presets)
    #expect(try kind.read(ConfigurationNode(value: .plain(kind.write(Self.presets)))) == Self.presets)
  }

  @Test func namesAllMistakes() throws {
    let text = """
      [[presets]]
      titel = "One"
      uri = "a/1"

      [[presets]]
      title = 3
      uri = "http://a/2"
      """
    let node = try #require(Self.node(text))
    let error = #expect(throws: ValueProblem.self) { try ConfigurationKind<[RadioPreset]>.presets.read(node) }
    #expect(
      error?.reasons.map { "\($0.line ?? 0): \($0.member ?? ""): \($0.sentence)" } == [
        "2: titel: Unknown key; did you mean title?",
        "1: title: The key is missing.",
        "3: uri: “a/1” is not an address that begins with http:// or https://.",
        "6: title: 3 is not text: put it in quotes.",
      ])
  }

  @Test(arguments: ["presets = 3", "presets = [\"http://a/\"]", "[presets]\ntitle = \"One\""])
  func refusesOtherTypes(text: String) throws {
    let node = try #require(Self.node(text))
    #expect(throws: ValueProblem.self) { try ConfigurationKind<[RadioPreset]>.presets.read(node) }
  }
}
