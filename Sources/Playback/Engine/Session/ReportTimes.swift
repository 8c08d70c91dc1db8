/// Decides when to report the next join and the position.
struct ReportTimes {
  typealias Instant = ContinuousClock.Instant

  /// When the next join is heard.
  private var join: Instant?
  /// When to measure the position again.
  private var measurement: Instant?

  var deadline: Instant? { [join, measurement].compactMap(\.self).min() }

  /// Cancels everything planned: the output is held or silenced.
  mutating func cancel() { self = ReportTimes() }

  /// The device plays, and its position was reported.
  mutating func playing(now: Instant) { measurement = now + .seconds(1) }

  mutating func measured(now: Instant) { measurement = now + .seconds(10) }

  /// - Parameter remaining: nanoseconds until the join is heard.
  mutating func planJoin(in remaining: Int64, now: Instant) { join = now + .nanoseconds(max(remaining, 2_000_000)) }

  /// A join was reported. If it is not heard yet, the position is measured once it is.
  /// - Parameter remaining: nanoseconds until it is heard; nil if unknown.
  mutating func joined(in remaining: Int64?, now: Instant) {
    measurement = now + (remaining.map { $0 > 0 ? .nanoseconds($0) : .seconds(1) } ?? .seconds(1))
  }

  /// Whether a join is due. Clears the deadline.
  mutating func takeJoin(at now: Instant) -> Bool { Self.take(&join, at: now) }

  /// Whether a measurement of the position is due. Clears the deadline.
  mutating func takeMeasurement(at now: Instant) -> Bool { Self.take(&measurement, at: now) }

  private static func take(_ deadline: inout Instant?, at now: Instant) -> Bool {
    guard let instant = deadline, instant <= now else { return false }
    deadline = nil
    return true
  }
}
