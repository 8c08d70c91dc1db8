/// Smooths the RSSI of a device with a first-order low-pass filter.
///
/// Each sample counts with the weight `t / (t + 5 s)`, where `t` is the time since the sample before: a burst of samples within
/// a second counts little more than one.
struct SignalFilter: Sendable, Equatable {
  private static let timeConstant = 5.0
  /// Lower bound of `t`, so that a burst still counts.
  private static let shortestStep = 0.25
  /// After a longer gap, the filter starts again from the new sample.
  private static let longestGap = Duration.seconds(60)
  /// The values that radios report; 127 means unknown.
  private static let range = -127...20

  /// The smoothed RSSI in dBm; nil before the first sample.
  private(set) var level: Double?
  private var last: ContinuousClock.Instant?

  /// Adds a sample. Impossible values are ignored.
  /// - Returns: the new level; nil if the value was ignored.
  mutating func add(_ rssi: Int, at now: ContinuousClock.Instant) -> Double? {
    guard Self.range.contains(rssi), rssi != 0 else { return nil }
    defer { last = now }
    guard let level, let last, now - last <= Self.longestGap else {
      self.level = Double(rssi)
      return level
    }
    let step = max(Self.shortestStep, (now - last) / .seconds(1))
    let next = level + (Double(rssi) - level) * step / (step + Self.timeConstant)
    self.level = next
    return next
  }
}
