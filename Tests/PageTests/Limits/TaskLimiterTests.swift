import Testing

@testable import Page

@Suite(.timeLimit(.minutes(1))) struct TaskLimiterTests {
  /// Tasks that have entered, or were refused, in order.
  private actor Tasks {
    let limiter = TaskLimiter(limit: 2, waitingLimit: 2)
    private(set) var entered: [Int] = []
    private(set) var refused: [Int] = []

    var waiting: Int { limiter.waiting.count }

    func enter(_ number: Int) async {
      if await limiter.enter() { entered.append(number) } else { refused.append(number) }
    }

    func leave() { limiter.leave() }
  }

  @Test func admitsInOrderAndRefusesTooMany() async {
    let tasks = Tasks()
    var waiting: [Task<Void, Never>] = []
    for number in 1...2 { await tasks.enter(number) }
    for number in 3...4 {
      waiting.append(Task { await tasks.enter(number) })
      while await tasks.waiting < waiting.count { await Task.yield() }
    }
    await tasks.enter(5)
    #expect(await tasks.refused == [5])
    for (count, task) in waiting.enumerated() {
      #expect(await tasks.entered == Array(1...2 + count))
      await tasks.leave()
      await task.value
    }
    for _ in 0..<2 { await tasks.leave() }
    #expect(await tasks.entered == [1, 2, 3, 4])
    await tasks.enter(6)
    #expect(await tasks.entered.last == 6)
  }
}
