/// Detects underruns: the device ran out of samples because the next ones came late.
///
/// Compares the time since the last samples with the amount that was buffered then. The device's clock is not used:
/// during an underrun, a sound card's clock runs on, but a sound server's stops.
package struct UnderrunWatch {
  package typealias Instant = ContinuousClock.Instant

  /// Whether the device is playing.
  package var isOn = false {
    didSet { if isOn != oldValue { reset() } }
  }
  private var last: (ahead: Int64, at: Instant)?

  package init() {}

  /// The next samples do not continue the previous ones.
  package mutating func reset() { last = nil }

  /// Samples have arrived.
  /// - Parameters:
  ///   - isNext: whether they continue the previous samples.
  ///   - ahead: end of the samples minus the device's position, in nanoseconds.
  /// - Returns: whether the device had run out of samples.
  package mutating func arrived(isNext: Bool, ahead: Int64, now: Instant) -> Bool {
    let former = last
    last = isOn ? (ahead, now) : nil
    guard isOn, isNext, let former else { return false }
    return former.at.duration(to: now) > .nanoseconds(former.ahead)
  }
}

/// Detects a clock that has stopped.
///
/// Workaround: pulsesink's clock stops when the server runs out of samples, so that the end is never reached.
/// - Upstream: gst_pulsesink_get_time in ext/pulse/pulsesink.c; no issue known.
/// - Test: StoppedClockWatchTests.
package struct StoppedClockWatch {
  package typealias Instant = ContinuousClock.Instant

  /// Grace period, since a device takes a while to start.
  static let patience = Duration.milliseconds(400)

  private var last: (time: Int64, at: Instant)?

  package init() {}

  /// - Parameter time: the clock's current time.
  package mutating func hasStopped(at time: Int64, now: Instant) -> Bool {
    guard let last, last.time == time else {
      self.last = (time, now)
      return false
    }
    return last.at.duration(to: now) >= Self.patience
  }
}
