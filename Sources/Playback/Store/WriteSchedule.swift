/// Decides when changes are written: the first at once, later ones at most once a second, failed ones again after a few
/// seconds. A pure value; time comes in as `now`.
struct WriteSchedule {
  typealias Instant = ContinuousClock.Instant

  enum Step: Equatable {
    /// Nothing to write.
    case idle
    /// Changes wait for this moment.
    case wait(until: Instant)
    case write
    /// The last write has succeeded or failed.
    case end
  }

  private let interval: Duration
  private let retryInterval: Duration

  private var hasChanges = false
  private var notBefore: Instant?
  private var isEnding = false
  private var hasEnded = false

  /// - Parameters:
  ///   - interval: between the starts of two writes.
  ///   - retryInterval: from a failure to the next attempt.
  init(interval: Duration = .seconds(1), retryInterval: Duration = .seconds(5)) {
    self.interval = interval
    self.retryInterval = retryInterval
  }

  func step(now: Instant) -> Step {
    if hasEnded { return .end }
    if isEnding { return .write }
    if hasChanges {
      if let notBefore, now < notBefore { return .wait(until: notBefore) }
      return .write
    }
    return .idle
  }

  /// Notes that there is something to write.
  mutating func changed() { hasChanges = true }

  /// Notes that a write of all changes so far begins.
  mutating func began(now: Instant) {
    hasChanges = false
    notBefore = now + interval
    hasEnded = isEnding
  }

  mutating func failed(now: Instant) {
    hasChanges = true
    notBefore = now + retryInterval
  }

  /// Requests one last write, which is due at once.
  mutating func end() { isEnding = true }
}
