/// Keeps samples below full scale by turning down the passages around louder ones: up to 1.5 ms ahead, as far as the
/// block reaches back, and for up to 0.2 s after. All channels are turned down alike. Adds no delay, and leaves samples
/// below full scale alone.
///
/// Works only while a track has a ReplayGain factor, which may amplify: what is above full scale without one is clipped,
/// as in the recording.
struct LimiterStage: SampleStage {
  /// Below full scale by more than rounding to 16 bits with dither adds.
  static let ceiling = 0.9999
  /// In seconds.
  private static let attack = 0.0015
  private static let release = 0.2

  private var isActive = false
  /// The factor on the last samples; 1 at rest.
  private(set) var gain = 1.0
  private var envelope: [Double] = []
  private var track: (id: Int, gain: Double) = (0, 1)

  var isNeutral: Bool { gain == 1 }

  mutating func reset() {
    gain = 1
    track = (0, 1)
  }

  /// - Parameter factor: the track's ReplayGain factor; nil if it has none.
  mutating func enter(track id: Int, gain factor: Double?) {
    isActive = factor != nil
    // A track that continues the former one at the same gain continues everything.
    if id != track.id, factor == nil || factor != track.gain { gain = 1 }
    track = (id, factor ?? 1)
  }

  mutating func process(_ block: inout SampleBlock) {
    guard isActive else { return }
    let (channels, rate) = (block.channels, block.rate)
    block.withSamples { limit($0, channels: channels, rate: rate) }
  }

  private mutating func limit(_ samples: UnsafeMutableBufferPointer<Double>, channels: Int, rate: Int) {
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
