import NIOCore
import Testing

@testable import DeviceStack

struct ByteBudgetTests {
  @Test func allowsABurstAndThenTheRate() {
    var budget = ByteBudget(rate: 1000, burst: 500)
    let start = NIODeadline.uptimeNanoseconds(5_000_000_000)
    var spent: [Int64] = []
    for step in 0..<20 {
      let now = start + .milliseconds(Int64(step) * 50)
      while budget.opens <= now {
        budget.spend(100, at: now)
        spent.append(Int64(step) * 50)
      }
    }
    // Spending is allowed while anything is left, so one more than the burst is admitted at once.
    #expect(spent == [0, 0, 0, 0, 0, 0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
    #expect(!budget.isFull(start + .milliseconds(950)))
    #expect(budget.isFull(start + .milliseconds(1500)))
  }
}
