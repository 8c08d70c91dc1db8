/// Limits how often something happens.
///
/// Pure: the time is a parameter.
struct RateBudget {
  typealias Instant = ContinuousClock.Instant

  private let maximum: Int
  private let window: Duration
  /// The events in the window, the oldest first.
  private var taken: [Instant] = []

  /// - Parameter maximum: the maximum number of events in any `window`.
  init(maximum: Int, window: Duration) {
    self.maximum = maximum
    self.window = window
  }

  /// Counts an event, unless it is refused.
  /// - Returns: nil if the event may happen; otherwise the time until the next one may.
  mutating func take(now: Instant) -> Duration? {
    taken.removeAll { $0 + window <= now }
    if taken.count >= maximum, let first = taken.first { return now.duration(to: first + window) }
    taken.append(now)
    return nil
  }
}
