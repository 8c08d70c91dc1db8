import Testing

@testable import MediaOrigin

@Suite struct TargetTests {
  @Test(arguments: [
    ("/a.flac", "/a.flac"), ("/a%20b%C3%A9.flac", "/a bé.flac"), ("/100%", "/100%"), ("/%zz", "/%zz"), ("/a?b", "/a"),
  ])
  func pathIsDecoded(text: String, path: String) {
    #expect(Target(text).path == path)
  }

  @Test func queryKeepsOrderAndDecodes() {
    #expect(
      Target("/a?x=1&y&x=a%26b=c").query == [
        .init(name: "x", value: "1"), .init(name: "y", value: ""), .init(name: "x", value: "a&b=c"),
      ])
  }

  @Test func hopsAreCountedInTheQuery() {
    #expect(Target("/a").hop == 0)
    #expect(Target("/a").nextHop == "/a?hop=1")
    #expect(Target("/a?rate=5&hop=1").nextHop == "/a?rate=5&hop=2")
  }

  @Test func encodingIsUndoneByDecoding() {
    let path = "/Ä & b/100% #1?.flac"
    let encoded = Target.encode(path: path)
    #expect(encoded == "/%C3%84%20%26%20b/100%25%20%231%3F.flac")
    #expect(Target(encoded).path == path)
  }
}
