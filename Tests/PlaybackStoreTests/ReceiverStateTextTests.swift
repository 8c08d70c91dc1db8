import Testing

@testable import PlaybackModel
@testable import PlaybackStore

@Suite struct ReceiverStateTextTests {
  @Test(arguments: [
    ReceiverState(
      uri: "ohz://239.255.255.250:51972/ä", metadata: "<DIDL-Lite>\n\t\"Ä\" \\n\r\n</DIDL-Lite>", isJoined: true),
    ReceiverState(),
  ]) func writtenTextIsRead(_ state: ReceiverState) {
    #expect(ReceiverState(state.text) == state)
  }

  @Test(arguments: [[], [("uri", "x")], [("metadata", "x")]] as [[(String, String)]])
  func invalidTextIsNil(_ lines: [(String, String)]) {
    var text = StateText()
    for (key, value) in lines { text.add(key, value) }
    #expect(ReceiverState(text) == nil)
  }
}
