import Testing

@testable import Page

@Suite struct StreamSeatsTests {
  /// Streams that open one after the other, as `address` or `address!` for the owner, each with the expected decision.
  /// Streams have the numbers of their steps.
  private typealias Step = (client: String, decision: StreamSeats<Int>.Decision)

  private static func steps(_ clients: [String], _ decision: StreamSeats<Int>.Decision = .admit) -> [Step] {
    clients.map { ($0, decision) }
  }

  /// With eight seats, an address may have four.
  private static let cases: [[Step]] = [
    // One address cannot take them all. Its owner can.
    steps(["a", "a", "a", "a"]) + [("a", .refuse), ("b", .admit), ("a!", .replace(0)), ("a!", .replace(1))],
    // An owner with as many streams as possible replaces the oldest of them.
    steps(["a!", "a!", "a!", "a!"]) + [("a!", .replace(0)), ("a", .refuse)],
    // A newcomer gets a seat of the address with the most guests, until it would have as many itself.
    steps(["a", "a", "a", "a", "b", "b", "b", "b"])
      + [("c", .replace(0)), ("c", .replace(4)), ("c", .refuse), ("d", .replace(5))],
    // All seats are taken by different addresses.
    steps(["a", "b", "c", "d", "e", "f", "g", "h"]) + [("i", .refuse), ("i!", .replace(0))],
    // Guests do not replace owners, and an owner always gets a seat.
    steps(["a!", "a!", "a!", "a!", "b!", "b!", "b!", "b!"]) + [("c", .refuse), ("c!", .replace(0))],
  ]

  @Test(arguments: cases.indices)
  func isFair(index: Int) {
    var seats = StreamSeats<Int>(limit: 8)
    for (number, step) in Self.cases[index].enumerated() {
      let client = StreamSeats<Int>.Client(
        address: String(step.client.prefix(1)), isOwner: step.client.hasSuffix("!"))
      let decision = seats.take(number, for: client)
      #expect(
        decision == step.decision || Self.isTie(decision, step.decision, index), "case \(index), step \(number)")
    }
    #expect(seats.count <= 8)
  }

  /// Of addresses with equally many guests, either may lose a seat.
  private static func isTie(
    _ first: StreamSeats<Int>.Decision, _ second: StreamSeats<Int>.Decision, _ index: Int
  ) -> Bool {
    if case .replace = first, case .replace = second { index >= 2 } else { false }
  }

  @Test func aSeatIsFreeAfterItsStreamEnded() {
    var seats = StreamSeats<Int>(limit: 2)
    #expect(seats.take(1, for: .init(address: "a")) == .admit && seats.take(2, for: .init(address: "b")) == .admit)
    #expect(seats.take(3, for: .init(address: "c")) == .refuse)
    seats.leave(1)
    #expect(seats.take(3, for: .init(address: "c")) == .admit)
  }
}
