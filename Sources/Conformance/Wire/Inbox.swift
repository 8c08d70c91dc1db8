import Synchronization

/// The data received on a socket so far, and the tasks that wait for more.
final class Inbox<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isClosed = false
    /// Counts the changes.
    var version = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let clock: CheckClock

  /// - Parameter capacity: further elements are dropped.
  init(capacity: Int, clock: CheckClock) {
    self.capacity = capacity
    self.clock = clock
  }

  func add(_ element: Element) {
    change { if $0.elements.count < capacity { $0.elements.append(element) } }
  }

  /// Nothing more will arrive.
  func close() { change { $0.isClosed = true } }

  private func change(_ body: (inout State) -> Void) {
    let waiters = state.withLock { state in
      body(&state)
      state.version += 1
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until `examine` returns a result.
  /// - Parameter examine: receives all elements, and whether no more will arrive. Returns nil to wait for more.
  /// - Returns: nil if the time is over or the task is cancelled.
  func wait<Answer: Sendable>(
    _ limit: Duration, until examine: @Sendable (_ elements: [Element], _ isClosed: Bool) -> Answer?
  ) async -> Answer? {
    let deadline = clock.now + limit
    while true {
      let (elements, isClosed, version) = state.withLock { ($0.elements, $0.isClosed, $0.version) }
      let answer = examine(elements, isClosed)
      if answer != nil || Task.isCancelled || clock.now >= deadline {
        if limit > .zero { Lateness.note(answer == nil) }
        return answer
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.change(after: version) }
        group.addTask { await self.clock.sleep(until: deadline) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  private func change(after version: Int) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.version == version, !Task.isCancelled else { return true }
          state.waiters[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }
}
