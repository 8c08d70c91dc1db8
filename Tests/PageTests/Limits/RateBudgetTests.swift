import Testing

@testable import Page

@Suite struct RateBudgetTests {
  @Test func aMinuteHasALimit() {
    let start = RateBudget.Instant.now
    var budget = RateBudget(maximum: 30, window: .seconds(60))
    var waits: [Duration?] = []
    for second in [Int](0..<30) + [30, 59, 60, 60, 61] { waits.append(budget.take(now: start + .seconds(second))) }
    #expect(waits == [Duration?](repeating: nil, count: 30) + [.seconds(30), .seconds(1), nil, .seconds(1), nil])
  }
}
