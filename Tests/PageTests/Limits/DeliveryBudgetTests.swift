import Testing

@testable import Page

@Suite struct DeliveryBudgetTests {
  @Test func limitsWhatIsUnderWay() {
    let budget = DeliveryBudget(limit: 10)
    var first = budget.begin(6)
    let second = budget.begin(4)
    #expect(first != nil && second != nil && budget.begin(1) == nil)
    first = nil
    #expect(budget.begin(7) == nil && budget.begin(6) != nil)
    withExtendedLifetime(second) {}
  }
}
