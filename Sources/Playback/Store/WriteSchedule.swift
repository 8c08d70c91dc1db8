/// When what has changed is written: at once after quiet, then once a second at most, and after a failure again a little
/// later. Time comes in as `now`.
struct WriteSchedule {
  typealias Instant = ContinuousClock.Instant

  enum Step: Equatable {
    /// There is nothing to write.
    case idle
    /// There is, and not yet.
    case wait(until: Instant)
    case write
    /// Everything is written, or could not be, and nothing more will come.
    case end
  }

  private let interval: Duration
  private let retryInterval: Duration

  private var hasChanges = false
  private var notBefore: Instant?
  private var isEnding = false
  private var hasEnded = false

  /// - Parameters:
  ///   - interval: from the beginning of one write to that of the next.
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

  /// Something is to be written.
  mutating func changed() { hasChanges = true }

  /// All changes so far are being written.
  mutating func began(now: Instant) {
    hasChanges = false
    notBefore = now + interval
    hasEnded = isEnding
  }

  mutating func failed(now: Instant) {
    hasChanges = true
    notBefore = now + retryInterval
  }

  /// One last write, at once, whether something has changed or not.
  mutating func end() { isEnding = true }
}
