/// Decides how samples of another clock are played in time: the ratio of the resampler, and what to skip or insert.
///
/// A sample is played when it was sent, plus a latency. `ArrivalFilter` estimates when it was sent. The difference from
/// when it will be heard is the error; a controller with a proportional and an integral part turns it into the ratio.
/// The integral part converges to the difference between the clocks of the sender and of the sound card.
///
/// Local times are in nanoseconds of one clock that does not stop. Times of the sender are in nanoseconds of its own
/// clock; if packets have no time stamps, the position in the stream divided by the sample rate is such a time. Pure.
package struct ClockFollower: Sendable {
  package enum Decision: Equatable, Sendable {
    /// Nothing is known about the sender yet: play silence.
    case wait
    /// Play at this ratio: output frames per input frame, minus 1, in parts per million.
    case play(ppm: Double)
    /// Play this much silence before the next sample, in nanoseconds.
    case pad(Int64)
    /// Skip samples of this duration in nanoseconds.
    case drop(Int64)
  }

  /// 1.7 cents, which nobody hears.
  package static let largestRatio = 1_000.0
  /// Errors above this are corrected at once, if they last and packets confirm them.
  private static let largeError: UInt64 = 5_000_000
  private static let largeErrorTime: Int64 = 100_000_000
  /// Errors above this are those of samples from before a clock jumped, as a rule: streams have latencies of one second.
  private static let hugeError: UInt64 = 2_000_000_000
  private static let hugeErrorTime: Int64 = 2_500_000_000
  /// The difference between two crystal oscillators is smaller.
  private static let largestDrift = 500.0
  /// Longer pauses between decisions tell nothing.
  private static let longestStep = 0.5
  /// How fast errors are corrected, in radians per second: in the first seconds, and afterwards.
  private static let (fast, slow) = (0.5, 0.15)
  private static let fastTime: Int64 = 12_000_000_000

  /// From sending to hearing, in nanoseconds.
  var latency: Int64
  private var arrivals: ArrivalFilter
  private var drift = 0.0
  /// The smoothed error, in nanoseconds.
  private var error = 0.0
  private var alignedAt: Int64?
  private var decidedAt: Int64?
  private var largeSince: Int64?

  /// - Parameter latency: from sending to hearing, in nanoseconds.
  package init(latency: Int64) { self.init(latency: latency, arrivals: ArrivalFilter()) }

  init(latency: Int64, arrivals: ArrivalFilter) { (self.latency, self.arrivals) = (latency, arrivals) }

  /// A packet has arrived. Do not call it for packets that were sent again, whose arrival tells nothing.
  package mutating func receive(sent: Int64, at arrival: Int64) { arrivals.receive(sent: sent, at: arrival) }

  /// Whether the latest error was large, and is not corrected yet.
  var isInDoubt: Bool { largeSince != nil }

  /// When the packet of that time was sent; nil before the first packet.
  func arrival(of sent: Int64) -> Int64? { arrivals.localTime(of: sent) }

  /// Another stream follows, with other times of the sender. The difference between the clocks remains.
  package mutating func restart() {
    let drift = drift
    self = ClockFollower(latency: latency)
    self.drift = drift
  }

  /// Decides about the next sample. Call it before each write to the output, every 5 to 50 ms.
  /// - Parameters:
  ///   - sent: when the sender sent it.
  ///   - heardAt: when it will be heard if it is written now.
  package mutating func decide(next sent: Int64, heardAt: Int64, now: Int64) -> Decision {
    guard let sentAt = arrivals.localTime(of: sent) else { return .wait }
    let late = heardAt &- sentAt &- latency
    guard let alignedAt else { return align(late, now: now) }
    if late.magnitude > Self.largeError {
      let since = largeSince ?? now
      largeSince = since
      let time = late.magnitude > Self.hugeError ? Self.hugeErrorTime : Self.largeErrorTime
      if now &- since >= time, arrivals.confirmedAt >= since { return align(late, now: now) }
      // The integral part goes on alone, because this may be a clock that jumped.
      return .play(ppm: -drift)
    }
    largeSince = nil
    let step = min(max(0, Double(now &- (decidedAt ?? now)) / 1e9), Self.longestStep)
    decidedAt = now
    let speed = now &- alignedAt < Self.fastTime ? Self.fast : Self.slow
    // Sound cards report their delay in steps of up to some milliseconds.
    let smoothing = 4 * speed * step
    error += (Double(late) - error) * smoothing / (1 + smoothing)
    // An error of 1 µs per second is 1 ppm.
    let microseconds = error / 1_000
    drift = (drift + speed * speed * microseconds * step).clamped(to: Self.largestDrift)
    return .play(ppm: -(2 * speed * microseconds + drift).clamped(to: Self.largestRatio))
  }

  private mutating func align(_ late: Int64, now: Int64) -> Decision {
    alignedAt = now
    decidedAt = now
    largeSince = nil
    error = 0
    return late > 0 ? .drop(late) : late < 0 ? .pad(0 &- late) : .play(ppm: -drift)
  }
}

extension Double {
  fileprivate func clamped(to limit: Double) -> Double { min(max(self, -limit), limit) }
}
