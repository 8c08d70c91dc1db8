/// Limits how often something happens.
///
/// Pure: the time comes in.
struct RateBudget {
  typealias Instant = ContinuousClock.Instant

  private let most: Int
  private let window: Duration
  /// Those in the window, the oldest first.
  private var taken: [Instant] = []

  /// - Parameter most: in any time as long as `window`.
  init(most: Int, window: Duration) {
    self.most = most
    self.window = window
  }

  /// Counts one.
  /// - Returns: nil if it may happen, else the time until the next one.
  mutating func take(now: Instant) -> Duration? {
    taken.removeAll { $0 + window <= now }
    if taken.count >= most, let first = taken.first { return now.duration(to: first + window) }
    taken.append(now)
    return nil
  }
}
