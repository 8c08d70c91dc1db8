import PlaybackTestKit
import Testing

@testable import PlaybackStore

@Suite struct StateTextTests {
  @Test func valuesAreReadByName() {
    var text = StateText()
    text.add("volume", 40)
    text.add("mute", false)
    text.add("pin", "one two")
    text.add("pin", "")
    #expect(text["pin"] == "one two")
    #expect(text.values("pin") == ["one two", ""])
    #expect(text.value("volume", as: Int.self) == 40)
    #expect(text.value("mute", as: Bool.self) == false)
    #expect(text.value("mute", as: Int.self) == nil)
    #expect(text["fade"] == nil)
  }
}
