/// Keeps samples below full scale by turning down the passages around those that are above: within a millisecond and a
/// half ahead of them, as far as the buffer reaches back, and for up to 0.2 s after. All channels are turned down
/// alike, so that nothing moves. It delays nothing, and leaves what is below full scale alone.
struct Limiter {
  /// A little below full scale, by more than what rounding to 16 bits with dither adds.
  static let ceiling = 0.9999
  private static let attack = 0.0015
  private static let release = 0.2

  /// The factor on the last samples; 1 when at rest.
  private(set) var gain = 1.0
  private var envelope: [Double] = []

  /// Lets go at once.
  mutating func reset() { gain = 1 }

  /// - Parameter samples: interleaved; 1 is full scale.
  mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, channels: Int, rate: Int) {
    var peak = 0.0
    for sample in samples { peak = max(peak, abs(sample)) }
    guard peak > Self.ceiling || gain < 1 else { return }

    let frames = samples.count / channels
    envelope.removeAll(keepingCapacity: true)
    envelope.reserveCapacity(frames)
    for frame in 0..<frames {
      var peak = 0.0
      for channel in 0..<channels { peak = max(peak, abs(samples[frame * channels + channel])) }
      envelope.append(peak > Self.ceiling ? Self.ceiling / peak : 1)
    }
    let rise = 1 / (Self.attack * Double(rate))
    for frame in stride(from: frames - 2, through: 0, by: -1) {
      envelope[frame] = min(envelope[frame], envelope[frame + 1] + rise)
    }
    let fall = 1 / (Self.release * Double(rate))
    for frame in 0..<frames {
      gain = min(envelope[frame], gain + fall)
      for channel in 0..<channels { samples[frame * channels + channel] *= gain }
    }
  }
}
