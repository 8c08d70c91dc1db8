import Synchronization

/// Measures how late tasks of the tester run on a busy machine. Whatever they observe then seems to be late, too.
final class TesterLag: Sendable {
  /// Tasks of an idle machine are late by a few milliseconds.
  private static let tolerance = Duration.milliseconds(50)
  private static let interval = Duration.milliseconds(100)

  private let delays = Mutex<[(time: ContinuousClock.Instant, delay: Duration)]>([])

  /// Measures until the task is cancelled.
  func run(_ clock: CheckClock) async {
    while !Task.isCancelled {
      let due = clock.now + Self.interval
      await clock.sleep(until: due)
      let delay = clock.now - due
      if delay > Self.tolerance { delays.withLock { $0.append((due, delay)) } }
    }
  }

  /// The longest delay since an instant; nil if there was none to speak of.
  func longest(since start: ContinuousClock.Instant) -> Duration? {
    delays.withLock { delays in delays.lazy.filter { $0.time + $0.delay >= start }.map(\.delay).max() }
  }
}
