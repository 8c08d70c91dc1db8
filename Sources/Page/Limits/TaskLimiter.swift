/// Limits how many tasks run at a time. Used on the event loop.
final class TaskLimiter {
  private let limit: Int
  private let waitingLimit: Int
  private var running = 0
  private(set) var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - limit: the maximum number of tasks inside.
  ///   - waitingLimit: the maximum number of tasks that wait. Further ones are refused.
  init(limit: Int, waitingLimit: Int) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Waits for a place; the first comes first. Call `leave` afterwards.
  /// - Returns: false if too many wait already; then do not call `leave`.
  func enter(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    if running < limit {
      running += 1
      return true
    }
    guard waiting.count < waitingLimit else { return false }
    await withCheckedContinuation { waiting.append($0) }
    return true
  }

  /// Passes the place to the task that has waited longest.
  func leave() {
    if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
  }
}
