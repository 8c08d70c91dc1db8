/// Limits how many tasks run at a time. Used on the event loop.
final class TaskLimiter {
  private var slots: WorkSlots<CheckedContinuation<Void, Never>>

  /// - Parameters:
  ///   - limit: the maximum number of tasks inside.
  ///   - waitingLimit: the maximum number of tasks that wait. Further ones are refused.
  init(limit: Int, waitingLimit: Int) { slots = WorkSlots(limit: limit, waitingLimit: waitingLimit) }

  /// Waits for a place. Call `leave` afterwards.
  /// - Returns: false if too many wait already; then do not call `leave`.
  func enter(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    var isAdmitted = true
    await withCheckedContinuation { continuation in
      switch slots.add(continuation) {
      case .start: continuation.resume()
      case .wait: break
      case .refuse:
        isAdmitted = false
        continuation.resume()
      }
    }
    return isAdmitted
  }

  func leave() { slots.finished()?.resume() }
}
