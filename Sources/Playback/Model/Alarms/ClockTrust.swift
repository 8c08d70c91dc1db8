/// Decides whether the time of day is known. A board without a clock of its own, such as a Raspberry Pi, starts with the
/// time of its last shutdown, and alarms must not ring by that.
package struct ClockTrust: Sendable, Equatable {
  /// 2025-01-01. No machine with a set clock shows an earlier time.
  static let earliest: Int64 = 1_735_689_600
  /// A hardware clock that shows local time differs by up to 14 hours.
  private static let tolerance: Int64 = 26 * 3600

  /// Whether the kernel or systemd reports that a time server sets the clock.
  package var isSynchronized = false
  /// The time of the machine's hardware clock, in seconds since 1970; nil if there is none.
  package var hardwareClock: Int64?
  /// Whether the machine is a board with a device tree. Others have a hardware clock, or get the time from their host.
  package var isBoard = false
  /// Whether systemd has been asked, and has not answered yet.
  package var isAsking = false

  package init(isSynchronized: Bool = false, hardwareClock: Int64? = nil, isBoard: Bool = false) {
    self.isSynchronized = isSynchronized
    self.hardwareClock = hardwareClock
    self.isBoard = isBoard
  }

  /// - Parameters:
  ///   - time: the time of day in seconds since 1970.
  ///   - wasSet: whether the clock was set while the program ran.
  package func isSet(_ time: Int64, wasSet: Bool) -> Bool {
    guard time >= Self.earliest else { return false }
    if isSynchronized || wasSet { return true }
    guard let hardwareClock else { return !isBoard }
    return abs(hardwareClock - time) <= Self.tolerance
  }
}

/// The time of a decision: by the wall clock, and by a clock that nobody sets.
package struct AlarmMoment: Sendable, Equatable {
  /// Since 1970.
  package var wall: Duration
  package var time: ContinuousClock.Instant
  package var trust: ClockTrust

  package init(wall: Duration, time: ContinuousClock.Instant, trust: ClockTrust = ClockTrust()) {
    (self.wall, self.time, self.trust) = (wall, time, trust)
  }

  /// Seconds since 1970.
  var seconds: Int64 { wall.components.seconds }
}

/// Notices that the clock was set, from the moments of two decisions.
struct ClockWatch: Sendable, Equatable {
  /// A time server corrects smaller differences gradually.
  private static let step = Duration.seconds(2)

  private var last: AlarmMoment?
  private(set) var wasSet = false

  mutating func note(_ now: AlarmMoment) {
    if let last, let drift = Optional((now.wall - last.wall) - (now.time - last.time)),
      drift > Self.step || drift < .zero - Self.step
    {
      wasSet = true
    }
    last = now
  }
}
