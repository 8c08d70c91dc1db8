import Testing

@testable import Page

@Suite struct RateBudgetTests {
  /// An attempt of a client, and the seconds that it has to wait; nil if it is allowed.
  private typealias Step = (second: Int, client: String, wait: Int?)

  private static let cases: [[Step]] = [
    // Each client has a limit of its own.
    [(0, "a", nil), (1, "a", nil), (2, "a", 58), (2, "b", nil), (59, "a", 1), (60, "a", nil), (60, "a", 1)],
    // All clients together have a higher limit. A refused attempt does not count.
    [
      (0, "a", nil), (1, "a", nil), (2, "b", nil), (3, "b", nil), (4, "c", nil), (5, "c", 55), (5, "d", 55),
      (60, "d", nil), (60, "d", 1), (61, "d", nil),
    ],
    // If both limits are reached, the longer wait applies.
    [(0, "a", nil), (1, "b", nil), (2, "b", nil), (3, "c", nil), (4, "c", nil), (5, "b", 56), (5, "a", 55)],
  ]

  @Test(arguments: cases.indices)
  func limits(index: Int) {
    let start = RateBudget.Instant.now
    var budget = RateBudget(maximum: 5, perClient: 2, window: .seconds(60))
    for step in Self.cases[index] {
      let wait = budget.take(step.client, now: start + .seconds(step.second))
      #expect(wait == step.wait.map { .seconds($0) }, "\(step)")
    }
  }

  @Test func severalEventsCountAtOnce() {
    let start = RateBudget.Instant.now
    var budget = RateBudget(maximum: 15, perClient: 10, window: .seconds(60))
    #expect(budget.remaining("a", now: start) == 10)
    budget.count(8, of: "a", now: start)
    #expect(budget.remaining("a", now: start) == 2 && budget.remaining("b", now: start) == 7)
    budget.count(7, of: "b", now: start + .seconds(10))
    #expect(budget.remaining("a", now: start + .seconds(10)) == 0)
    #expect(budget.wait("a", now: start + .seconds(10)) == .seconds(50))
    #expect(budget.remaining("a", now: start + .seconds(60)) == 8)
  }

  @Test func itRemembersNoMoreThanTheWindow() {
    let start = RateBudget.Instant.now
    var budget = RateBudget(maximum: 5, perClient: 2, window: .seconds(60))
    for client in 0..<1000 { _ = budget.take("\(client)", now: start) }
    #expect(budget.taken.count == 5)
    #expect(budget.take("x", now: start + .seconds(60)) == nil)
    #expect(budget.taken.count == 1)
  }

  @Test func aMinuteHasALimit() {
    let start = RateBudget.Instant.now
    var budget = RateBudget(maximum: 30, window: .seconds(60))
    var waits: [Duration?] = []
    for second in [Int](0..<30) + [30, 59, 60, 60, 61] { waits.append(budget.take(now: start + .seconds(second))) }
    #expect(waits == [Duration?](repeating: nil, count: 30) + [.seconds(30), .seconds(1), nil, .seconds(1), nil])
  }
}
