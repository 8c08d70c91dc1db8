/// The clocks that Songcast counts in: 256 ticks for each sample at 44.1 kHz or at 48 kHz.
package enum TickClock: UInt32, Sendable, Hashable, CaseIterable {
  case family44 = 44100
  case family48 = 48000

  /// The clock of a sample rate; nil if Songcast does not know the rate.
  package init?(sampleRate: UInt32) {
    // A rate is one of four odd numbers, doubled any number of times.
    switch (sampleRate, sampleRate >> UInt32(sampleRate.trailingZeroBitCount)) {
    case (7350...352_800, 3675), (7350...352_800, 11025): self = .family44
    case (8000...384_000, 125), (8000...384_000, 375): self = .family48
    default: return nil
    }
  }

  package var ticksPerSecond: UInt32 { rawValue * 256 }

  /// The time of a number of ticks, rounded down to nanoseconds.
  package func duration(of ticks: UInt32) -> Duration {
    .nanoseconds(Int64(ticks) * 1_000_000_000 / Int64(ticksPerSecond))
  }

  /// The ticks of a time, rounded down. It wraps, as the counter on the wire does: after 380.4 s or 349.5 s.
  package func ticks(in time: Duration) -> UInt32 {
    let (seconds, attoseconds) = time.components
    let rate = Int64(ticksPerSecond)
    return UInt32(truncatingIfNeeded: seconds &* rate &+ attoseconds / 1_000_000_000 * rate / 1_000_000_000)
  }

  /// The ticks from one stamp to another, which may be earlier. Half a turn of the counter is the longest distance.
  package static func distance(from start: UInt32, to end: UInt32) -> Int32 { Int32(bitPattern: end &- start) }
}
