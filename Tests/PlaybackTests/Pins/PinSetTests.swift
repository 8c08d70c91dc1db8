import Testing

@testable import Playback

@Suite struct PinSetTests {
  private static func pin(_ name: String) -> Pin {
    Pin(mode: "url", type: "stream", uri: "url://\(name)", title: name)
  }

  enum Step: Sendable {
    case set(String, UInt32)
    case clear(UInt32)
    case swap(UInt32, UInt32)
  }

  /// The steps, the ids after them, and the fault of the last one.
  @Test(
    arguments: [
      ([], [0, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("b", 5)], [1, 0, 0, 0, 0, 2], nil),
      // The same again keeps its id, another one has a new one.
      ([.set("a", 0), .set("a", 0)], [1, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("b", 0)], [2, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("a", 1)], [1, 2, 0, 0, 0, 0], nil),
      ([.set("a", 6)], [0, 0, 0, 0, 0, 0], .indexOutOfRange),
      ([.set("a", .max)], [0, 0, 0, 0, 0, 0], .indexOutOfRange),
      // An id is not used again.
      ([.set("a", 0), .clear(1), .set("a", 0)], [2, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .clear(1)], [0, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .clear(2)], [1, 0, 0, 0, 0, 0], .idNotFound),
      ([.set("a", 0), .clear(0)], [1, 0, 0, 0, 0, 0], .idNotFound),
      ([.set("a", 0), .set("b", 1), .swap(0, 1)], [2, 1, 0, 0, 0, 0], nil),
      ([.set("a", 0), .swap(0, 5)], [0, 0, 0, 0, 0, 1], nil),
      ([.set("a", 0), .swap(0, 0)], [1, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .swap(0, 6)], [1, 0, 0, 0, 0, 0], .indexOutOfRange),
      ([.set("a", 0), .swap(6, 0)], [1, 0, 0, 0, 0, 0], .indexOutOfRange),
    ] as [([Step], [UInt32], PinError?)])
  func steps(_ steps: [Step], _ ids: [UInt32], _ fault: PinError?) {
    var pins = PinSet()
    var last: PinError?
    for step in steps {
      do throws(PinError) {
        last = nil
        switch step {
        case .set(let name, let index): try pins.set(Self.pin(name), at: index)
        case .clear(let id): try pins.clear(id)
        case .swap(let first, let second): try pins.swap(first, second)
        }
      } catch {
        last = error
      }
    }
    #expect(pins.ids == ids)
    #expect(last == fault)
  }

  @Test func pinsAreFoundByIDAndByPlace() throws {
    var pins = PinSet()
    try pins.set(Self.pin("a"), at: 2)
    #expect(pins[1] == Self.pin("a"))
    #expect(pins[0] == nil)
    #expect(pins[2] == nil)
    #expect(try pins.pin(at: 2) == Self.pin("a"))
    #expect(try pins.pin(at: 0) == nil)
    #expect(throws: PinError.indexOutOfRange) { try pins.pin(at: 6) }
  }

  @Test func whatIsWrittenIsRead() throws {
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
    // What was cleared stays used up, and so does what was given since it was written.
    for index in 0..<60 { try pins.set(Self.pin("\(index)"), at: 5) }
    try again.set(Self.pin("d"), at: 5)
    #expect(again.ids[5] > pins.ids[5])
  }

  @Test func afterTheLastIDComesTheFirstThatIsFree() throws {
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

  /// A file as it is written, with one line of it changed or left out.
  @Test(
    arguments: [
      ("next", "0"), ("next", "x"), ("next", nil), ("place", "6"), ("place", "-1"), ("place", nil), ("id", "0"),
      ("id", nil), ("mode", nil), ("type", nil), ("uri", nil), ("title", nil), ("description", nil),
      ("artwork", nil), ("shuffle", "1"), ("shuffle", nil),
    ] as [(String, String?)])
  func whatMakesNoSenseIsNone(_ key: String, _ value: String?) {
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
    // Two in one place, or with one id.
    #expect(PinSet(text(lines + lines.dropFirst())) == nil)
  }

  @Test func changesAreKeptAndTold() throws {
    var kept: [[UInt32]] = []
    var told = 0
    let board = PinBoard { kept.append($0.ids) }
    board.observe { told += 1 }
    try board.change { pins throws(PinError) in try pins.set(Self.pin("a"), at: 0) }
    try board.change { pins throws(PinError) in try pins.set(Self.pin("a"), at: 0) }
    try board.change { pins throws(PinError) in try pins.swap(3, 4) }
    #expect(throws: PinError.idNotFound) { try board.change { pins throws(PinError) in try pins.clear(9) } }
    #expect(kept == [[1, 0, 0, 0, 0, 0]])
    #expect(told == 1)
  }
}
