/// Tells when a clock that should run does not.
package struct StandstillWatch {
  package typealias Instant = ContinuousClock.Instant

  /// How long it may stand: a device takes a while to start.
  static let patience = Duration.milliseconds(400)

  private var last: (time: Int64, at: Instant)?

  package init() {}

  /// - Parameter time: what the clock shows now.
  package mutating func standsStill(at time: Int64, now: Instant) -> Bool {
    guard let last, last.time == time else {
      self.last = (time, now)
      return false
    }
    return last.at.duration(to: now) >= Self.patience
  }
}
