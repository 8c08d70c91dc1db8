import Testing

@testable import ControlPoint

/// Volumes of several rooms that move by the same decibels.
@Suite struct GroupVolumeTests {
  /// 100 steps of 614/1024 dB.
  private static let swiftlet = SpeakerVolumeScale(maximum: 100, decibelsPerStep: 614.0 / 1024)
  /// 80 steps of 1 dB, with a limit.
  private static let limited = SpeakerVolumeScale(maximum: 80, limit: 60, decibelsPerStep: 1)
  /// 15 steps of 4 dB: a renderer that does not state them.
  private static let coarse = SpeakerVolumeScale(maximum: 15)

  private enum Move {
    /// Decibels.
    case by(Double)
    /// Room, percent.
    case set(String, Int)
    /// Somebody else sets a room: steps.
    case foreign(String, Int)
  }

  private struct Case {
    var name: String
    var rooms: [String: (steps: Int, scale: SpeakerVolumeScale)]
    /// Each with the steps afterwards.
    var moves: [(Move, [String: Int])]
  }

  private static let cases = [
    Case(
      name: "the same scale", rooms: ["A": (50, swiftlet), "B": (20, swiftlet)],
      moves: [(.by(6), ["A": 60, "B": 30]), (.by(-6), ["A": 50, "B": 20]), (.set("A", 40), ["A": 40, "B": 10])]),
    Case(
      name: "other scales move by the same decibels",
      rooms: ["A": (50, swiftlet), "B": (20, limited), "C": (8, coarse)],
      moves: [(.by(12), ["A": 70, "B": 32, "C": 11]), (.set("A", 50), ["A": 50, "B": 20, "C": 8])]),
    Case(
      name: "small changes add up on a device with few steps", rooms: ["A": (50, swiftlet), "C": (8, coarse)],
      moves: [
        (.set("A", 52), ["A": 52, "C": 8]), (.set("A", 54), ["A": 54, "C": 9]), (.set("A", 56), ["A": 56, "C": 9]),
        (.set("A", 50), ["A": 50, "C": 8]),
      ]),
    Case(
      name: "a room at its limit has its distance again", rooms: ["A": (50, swiftlet), "B": (55, limited)],
      moves: [(.by(12), ["A": 70, "B": 60]), (.by(-6), ["A": 60, "B": 60]), (.by(-6), ["A": 50, "B": 55])]),
    Case(
      name: "so has a silent room", rooms: ["A": (50, swiftlet), "B": (5, swiftlet)],
      moves: [(.set("A", 30), ["A": 30, "B": 0]), (.set("A", 50), ["A": 50, "B": 5])]),
    Case(
      name: "a change ends when all rooms are at their limits", rooms: ["A": (90, swiftlet), "B": (20, limited)],
      moves: [(.by(100), ["A": 100, "B": 60]), (.by(100), ["A": 100, "B": 60]), (.by(-40), ["A": 90, "B": 20])]),
    Case(
      name: "down to silence, and back", rooms: ["A": (90, swiftlet), "B": (20, swiftlet)],
      moves: [(.by(-200), ["A": 0, "B": 0]), (.set("A", 90), ["A": 90, "B": 20])]),
    Case(
      name: "another volume is a new start", rooms: ["A": (50, swiftlet), "B": (55, limited)],
      moves: [(.by(12), ["A": 70, "B": 60]), (.foreign("B", 40), ["A": 70, "B": 40]), (.by(-6), ["A": 60, "B": 34])]),
    Case(
      name: "nothing to change", rooms: ["A": (50, swiftlet)],
      moves: [(.by(0), ["A": 50]), (.set("B", 10), ["A": 50]), (.set("A", 50), ["A": 50])]),
  ]

  @Test(arguments: cases.indices) func moves(index: Int) {
    let example = Self.cases[index]
    var group = GroupVolume()
    var rooms = example.rooms.mapValues { SpeakerVolume(steps: $0.steps, scale: $0.scale) }
    for (number, (move, expected)) in example.moves.enumerated() {
      switch move {
      case .by(let decibels):
        for (id, steps) in group.change(rooms, by: decibels) { rooms[id]?.steps = steps }
      case .set(let id, let percent):
        for (id, steps) in group.set(id, to: percent, in: rooms) { rooms[id]?.steps = steps }
      case .foreign(let id, let steps): rooms[id]?.steps = steps
      }
      #expect(rooms.mapValues(\.steps) == expected, "\(example.name), move \(number)")
    }
  }

  @Test func reportsOnlyRoomsThatChange() {
    var group = GroupVolume()
    let rooms = [
      "A": SpeakerVolume(steps: 100, scale: Self.swiftlet), "B": SpeakerVolume(steps: 50, scale: Self.swiftlet),
    ]
    #expect(group.change(rooms, by: 6) == ["B": 60])
    #expect(group.change([:], by: 6).isEmpty)
  }

  @Test(arguments: [(nil, 0.6), (0, 0.6), (0.5, 0.5)] as [(Double?, Double)])
  func defaultsToSixtyDecibels(stated: Double?, expected: Double) {
    #expect(SpeakerVolumeScale(maximum: 100, decibelsPerStep: stated).decibelsPerStep == expected)
  }
}
