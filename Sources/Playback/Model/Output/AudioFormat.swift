/// The format of raw samples.
package struct AudioFormat: Sendable, Equatable {
  /// GStreamer's name, such as `S16LE`.
  package var name: String
  /// Significant bits of a sample.
  package var depth: Int
  package var rate: Int
  package var channels: Int
  /// One for each channel.
  package var sides: [ChannelSide]
  /// Bytes of one sample of every channel.
  package var bytesPerFrame: Int

  package init(name: String, depth: Int, rate: Int, channels: Int, sides: [ChannelSide], bytesPerFrame: Int) {
    self.name = name
    self.depth = depth
    self.rate = rate
    self.channels = channels
    self.sides = sides
    self.bytesPerFrame = bytesPerFrame
  }

  /// Whether samples are floating point.
  package var isFloat: Bool { name.hasPrefix("F") }
  /// Bits that an integer needs to hold a decoded sample.
  package var precision: Int { isFloat ? 25 : depth }
  /// Bits of the largest integer that a sample holds exactly; for floating point, those of the significand and the
  /// sign.
  var exactBits: Int { isFloat ? depth > 32 ? 54 : 25 : depth }

  /// The same format, for a device.
  package var deviceFormat: DeviceFormat { DeviceFormat(format: name, rate: rate, channels: channels) }

  package var bytesPerSecond: Int64 { Int64(bytesPerFrame) * Int64(rate) }

  /// Maximum time in nanoseconds, 36 years. Longer times in files are clamped to it, so that sums do not overflow.
  package static let longest: Int64 = 1 << 60

  /// Duration of frames in nanoseconds, rounded to the nearest.
  package func nanoseconds(frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    let most = Self.longest / 1_000_000_000
    guard -most..<most ~= seconds else { return seconds < 0 ? -Self.longest : Self.longest }
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + Int64(rate) / 2) / Int64(rate)
  }

  /// Frames in a duration in nanoseconds, rounded to the nearest.
  package func frames(nanoseconds: Int64) -> Int64 {
    let (seconds, rest) = min(max(nanoseconds, -Self.longest), Self.longest)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * Int64(rate) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
  }
}
