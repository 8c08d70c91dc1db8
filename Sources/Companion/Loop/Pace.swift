/// The minimum time between two events, such as announcements. Pure: the time is a parameter.
struct Pace: Sendable, Equatable {
  let interval: Duration
  private var last: ContinuousClock.Instant?

  init(_ interval: Duration) { self.interval = interval }

  /// When the next event is possible; nil for now.
  func wait(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    last.map { $0 + interval }.flatMap { now < $0 ? $0 : nil }
  }

  mutating func happened(at now: ContinuousClock.Instant) { last = now }
}
