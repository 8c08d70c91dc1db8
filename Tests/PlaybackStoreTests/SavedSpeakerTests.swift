import Testing

@testable import PlaybackModel
@testable import PlaybackStore

@Suite struct SavedSpeakerTests {
  @Test(arguments: Source.builtIn) func writtenTextIsRead(_ source: Source) {
    let state = SavedSpeaker(volume: 40, isMuted: true, balance: -15, source: source, isStandby: true)
    #expect(SavedSpeaker(state.text) == state)
  }

  @Test(arguments: [
    ("volume", "101"), ("volume", "-1"), ("volume", "loud"), ("muted", "1"), ("balance", "16"), ("source", "tape"),
    ("standby", ""),
  ]) func invalidTextIsNil(_ key: String, _ value: String) {
    var text = StateText()
    text.add(key, value)
    for (other, value) in [
      ("volume", "40"), ("muted", "false"), ("balance", "0"), ("source", "radio"), ("standby", "false"),
    ]
    where other != key { text.add(other, value) }
    #expect(SavedSpeaker(text) == nil)
  }

  @Test func missingValueIsNil() {
    #expect(SavedSpeaker(StateText()) == nil)
  }
}
