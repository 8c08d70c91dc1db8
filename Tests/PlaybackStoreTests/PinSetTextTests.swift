import Testing

@testable import PlaybackModel
@testable import PlaybackStore

@Suite struct PinSetTextTests {
  private static func pin(_ name: String) -> Pin {
    Pin(mode: "url", type: "stream", uri: "url://\(name)", title: name)
  }

  @Test func writtenTextIsRead() throws {
    var pins = PinSet()
    #expect(PinSet(pins.text)?.ids == pins.ids)
    try pins.set(
      Pin(
        mode: "url", type: "stream", uri: "http://radio/?a&b=\"c\"", title: "Two\nlines \\n", description: "",
        artworkURI: "ü 🎵", shuffles: true),
      at: 3)
    try pins.set(Self.pin("b"), at: 0)
    try pins.set(Self.pin("c"), at: 1)
    try pins.clear(3)
    var again = try #require(PinSet(pins.text))
    #expect(again.ids == [2, 0, 0, 1, 0, 0])
    #expect(pins.ids.map { again[$0] } == pins.ids.map { pins[$0] })
    // Ids of cleared pins, and ids assigned after the last write, are not reused.
    for index in 0..<60 { try pins.set(Self.pin("\(index)"), at: 5) }
    try again.set(Self.pin("d"), at: 5)
    #expect(again.ids[5] > pins.ids[5])
  }

  @Test func firstFreeIDFollowsLastID() throws {
    var text = StateText()
    let last = "\(UInt32.max)"
    for (key, value) in [
      ("next", last), ("place", "0"), ("id", "1"), ("mode", "m"), ("type", "t"), ("uri", "u"), ("title", "t"),
      ("description", "d"), ("artwork", "a"), ("shuffle", "false"),
    ] { text.add(key, value) }
    var pins = try #require(PinSet(text))
    #expect(PinSet(pins.text)?.ids == [1, 0, 0, 0, 0, 0])
    try pins.set(Self.pin("a"), at: 1)
    try pins.set(Self.pin("b"), at: 2)
    #expect(pins.ids == [1, .max, 2, 0, 0, 0])
  }

  /// A saved text with one line changed or removed.
  @Test(
    arguments: [
      ("next", "0"), ("next", "x"), ("next", nil), ("place", "6"), ("place", "-1"), ("place", nil), ("id", "0"),
      ("id", nil), ("mode", nil), ("type", nil), ("uri", nil), ("title", nil), ("description", nil),
      ("artwork", nil), ("shuffle", "1"), ("shuffle", nil),
    ] as [(String, String?)])
  func invalidTextIsNil(_ key: String, _ value: String?) {
    let lines = [
      ("next", "3"), ("place", "0"), ("id", "1"), ("mode", "url"), ("type", "stream"), ("uri", "u"), ("title", "t"),
      ("description", "d"), ("artwork", "a"), ("shuffle", "true"),
    ]
    func text(_ lines: [(String, String?)]) -> StateText {
      var text = StateText()
      for case (let key, let value?) in lines { text.add(key, value) }
      return text
    }
    #expect(PinSet(text(lines)) != nil)
    #expect(PinSet(text(lines.map { $0.0 == key ? (key, value) : ($0.0, $0.1) })) == nil)
    // Two pins in one place or with one id.
    #expect(PinSet(text(lines + lines.dropFirst())) == nil)
  }
}
