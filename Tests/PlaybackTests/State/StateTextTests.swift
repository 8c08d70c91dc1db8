import Testing

@testable import Playback

@Suite struct StateTextTests {
  private static var example: StateText {
    var text = StateText()
    text.add("volume", 40)
    text.add("mute", false)
    text.add("pin", "one two")
    text.add("pin", "")
    return text
  }

  @Test func isLinesOfAKeyAndAValue() {
    #expect(
      Self.example.text(of: "sound", version: 3) == "swiftlet sound 3\nvolume 40\nmute false\npin one two\npin \n")
  }

  @Test func isReadBack() throws {
    let text = try StateText(Self.example.text(of: "sound", version: 1), of: "sound", version: 1)
    #expect(text == Self.example)
    #expect(text["pin"] == "one two")
    #expect(text.values("pin") == ["one two", ""])
    #expect(text.value("volume", as: Int.self) == 40)
    #expect(text.value("mute", as: Bool.self) == false)
    #expect(text.value("mute", as: Int.self) == nil)
    #expect(text["fade"] == nil)
  }

  @Test(arguments: ["\n", "\r\n", "a\\nb", "\\", "é 🎵", "line\n\nline\r", "  ends in spaces  ", "e\u{301}\n\u{301}"])
  func valuesMayHoldAnything(value: String) throws {
    var text = StateText()
    text.add("title", value)
    text.add("next", "line")
    let read = try StateText(text.text(of: "pins", version: 1), of: "pins", version: 1)
    // String's own equality does not tell precomposed letters from others.
    #expect(read["title"].map { Array($0.utf8) } == Array(value.utf8))
    #expect(read["next"] == "line")
  }

  @Test(arguments: [
    ("", StateTextError.damaged), ("swiftlet sound 1", .damaged), ("swiftlet pins 1\n", .damaged),
    ("swiftlet sound x\n", .damaged), ("swiftlet sound\n", .damaged), ("other sound 1\n", .damaged),
    ("swiftlet sound 1\nvolume\n", .damaged), ("swiftlet sound 1\nvolume 4\nmute fal", .damaged),
    ("swiftlet sound 1\ntitle a\\x\n", .damaged), ("swiftlet sound 1\ntitle a\\\n", .damaged),
    ("swiftlet sound 1\n\n", .damaged), ("swiftlet sound 3\nanything\n", .laterVersion),
  ])
  func refusesWhatItDoesNotUnderstand(text: String, error: StateTextError) {
    #expect(throws: error) { try StateText(text, of: "sound", version: 2) }
  }

  @Test func anOlderVersionIsUnderstood() throws {
    #expect(try StateText("swiftlet sound 1\nvolume 4\n", of: "sound", version: 2)["volume"] == "4")
  }
}
