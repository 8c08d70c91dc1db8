/// Limits how often settings change: each change may announce the speaker anew, open another device or write to the disk.
///
/// Pure: the time comes in.
struct ChangeBudget {
  typealias Instant = ContinuousClock.Instant

  /// A person who tries things out needs no more.
  static let most = 30
  static let window = Duration.seconds(60)

  /// The changes in the window, the oldest first.
  private var changes: [Instant] = []

  /// Counts a change.
  /// - Returns: nil if it may be made, else the time until the next one.
  mutating func take(now: Instant) -> Duration? {
    changes.removeAll { $0 + Self.window <= now }
    if changes.count >= Self.most, let first = changes.first { return now.duration(to: first + Self.window) }
    changes.append(now)
    return nil
  }
}
