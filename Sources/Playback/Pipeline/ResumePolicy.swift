/// Whether and when a stream that broke off is taken up again: at once, then with growing pauses, until it has been
/// gone for too long.
struct ResumePolicy: Equatable {
  typealias Instant = ContinuousClock.Instant

  enum Action: Equatable {
    case retry(after: Duration)
    case giveUp
  }

  /// How long it may be gone.
  let limit: Duration
  private var goneSince: Instant?
  private var attempts = 0

  init(limit: Duration) { self.limit = limit }

  /// The stream broke off, or an attempt to take it up failed.
  mutating func failed(now: Instant) -> Action {
    let since = goneSince ?? now
    goneSince = since
    let pause = attempts == 0 ? Duration.zero : min(.milliseconds(250) * (1 << min(attempts - 1, 4)), .seconds(2))
    attempts += 1
    return since.duration(to: now) + pause > limit ? .giveUp : .retry(after: pause)
  }

  /// Sound has come again.
  mutating func delivered() {
    goneSince = nil
    attempts = 0
  }
}
