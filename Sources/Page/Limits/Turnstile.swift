/// Lets a few tasks pass at a time. Used on the event loop.
final class Turnstile {
  private var slots: WorkSlots<CheckedContinuation<Void, Never>>

  /// - Parameters:
  ///   - limit: tasks that may be inside.
  ///   - waitingLimit: tasks that may wait; further ones are refused.
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
