import Testing

@testable import PlaybackModel

@Suite struct PinSetTests {
  private static func pin(_ name: String) -> Pin {
    Pin(mode: "url", type: "stream", uri: "url://\(name)", title: name)
  }

  enum Step: Sendable {
    case set(String, UInt32)
    case clear(UInt32)
    case swap(UInt32, UInt32)
  }

  /// Steps, the ids after them, and the error of the last step.
  @Test(
    arguments: [
      ([], [0, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("b", 5)], [1, 0, 0, 0, 0, 2], nil),
      // An equal pin keeps its id; another pin gets a new one.
      ([.set("a", 0), .set("a", 0)], [1, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("b", 0)], [2, 0, 0, 0, 0, 0], nil),
      ([.set("a", 0), .set("a", 1)], [1, 2, 0, 0, 0, 0], nil),
      ([.set("a", 6)], [0, 0, 0, 0, 0, 0], .indexOutOfRange),
      ([.set("a", .max)], [0, 0, 0, 0, 0, 0], .indexOutOfRange),
      // Ids are never reused.
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

  @Test func pinsAreFoundByIDAndPlace() throws {
    var pins = PinSet()
    try pins.set(Self.pin("a"), at: 2)
    #expect(pins[1] == Self.pin("a"))
    #expect(pins[0] == nil)
    #expect(pins[2] == nil)
    #expect(try pins.pin(at: 2) == Self.pin("a"))
    #expect(try pins.pin(at: 0) == nil)
    #expect(throws: PinError.indexOutOfRange) { try pins.pin(at: 6) }
  }

  @Test func changesAreSavedAndReported() throws {
    var kept: [[UInt32]] = []
    var reports = 0
    let board = PinBoard { kept.append($0.ids) }
    board.observe { reports += 1 }
    try board.change { pins throws(PinError) in try pins.set(Self.pin("a"), at: 0) }
    try board.change { pins throws(PinError) in try pins.set(Self.pin("a"), at: 0) }
    try board.change { pins throws(PinError) in try pins.swap(3, 4) }
    #expect(throws: PinError.idNotFound) { try board.change { pins throws(PinError) in try pins.clear(9) } }
    #expect(kept == [[1, 0, 0, 0, 0, 0]])
    #expect(reports == 1)
  }
}
