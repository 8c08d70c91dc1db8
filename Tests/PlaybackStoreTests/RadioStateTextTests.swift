import Testing

@testable import PlaybackModel
@testable import PlaybackStore

@Suite struct RadioStateTextTests {
  @Test(arguments: [
    RadioState(uri: "http://radio/?a=1&b=ü", metadata: "<DIDL-Lite>\n\t\"Ä\" \\n\r\n</DIDL-Lite>", presetID: .max),
    RadioState(),
  ]) func writtenTextIsRead(_ state: RadioState) {
    #expect(RadioState(state.text) == state)
  }

  @Test(arguments: [
    [("uri", "x")], [("uri", "x"), ("metadata", "")], [("uri", "x"), ("metadata", ""), ("preset", "-1")],
  ])
  func invalidTextIsNil(_ lines: [(String, String)]) {
    var text = StateText()
    for (key, value) in lines { text.add(key, value) }
    #expect(RadioState(text) == nil)
  }
}
