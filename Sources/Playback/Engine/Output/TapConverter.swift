import PlaybackModel

/// The form of tapped samples.
package struct TappedForm: Sendable, Equatable {
  /// Samples per second.
  package var rate: Int
  /// 8, 16 or 24.
  package var bitDepth: Int
  /// 1 or 2.
  package var channels: Int

  package init(rate: Int, bitDepth: Int, channels: Int) {
    self.rate = rate
    self.bitDepth = bitDepth
    self.channels = channels
  }

  package var bytesPerFrame: Int { bitDepth / 8 * channels }
}

/// Converts samples as decoded to those for listeners elsewhere: applies ReplayGain, mixes more than two channels to two,
/// and packs them.
///
/// Samples of up to 24 bits and two channels pass bit for bit if the track has no gain.
struct TapConverter {
  private var stages = SampleStages()
  private var run: RunID?
  private var input: AudioFormat?
  private var form: TappedForm?
  private var unpacker: WideSamples?
  private var packer: WideSamples?

  mutating func begin(_ announcement: Overlay) {
    stages.announcement.begin(announcement.reader, gain: announcement.gain, music: announcement.music)
  }

  mutating func endAnnouncement() { stages.announcement.end() }

  /// - Returns: nil for samples that cannot be read.
  mutating func convert(
    _ bytes: [UInt8], of format: AudioFormat, track: Int, in run: RunID, gain: Double?
  ) -> (form: TappedForm, samples: [UInt8])? {
    if run != self.run { stages.reset() }
    self.run = run
    stages.enter(track: track, gain: gain)
    // Few bits would make the rounding audible.
    let isChanged = (gain ?? 1) != 1 || format.channels > 2 || !stages.announcement.isNeutral
    prepare(
      for: format,
      TappedForm(
        rate: format.rate, bitDepth: Self.bitDepth(of: format, isChanged: isChanged),
        channels: min(format.channels, 2)))
    guard let unpacker, let form else { return nil }
    var samples = unpacker.unpack(bytes, frames: 0..<bytes.count / format.bytesPerFrame)
    if !stages.isNeutral {
      samples.withUnsafeMutableBufferPointer { stages.process($0, sides: format.sides, rate: format.rate) }
    }
    if format.channels > 2 { samples = StereoMix(sides: format.sides).apply(to: samples) }
    var packed: [UInt8] = []
    packer?.pack(samples, to: &packed)
    return (form, packed)
  }

  private mutating func prepare(for format: AudioFormat, _ form: TappedForm) {
    guard format != input || form != self.form else { return }
    input = format
    self.form = form
    unpacker = WideSamples(format: format)
    let name = [8: "U8", 16: "S16BE"][form.bitDepth] ?? "S24BE"
    packer = WideSamples(
      format: AudioFormat(
        name: name, depth: form.bitDepth, rate: form.rate, channels: form.channels,
        sides: form.channels == 1 ? [.middle] : [.left, .right], bytesPerFrame: form.bytesPerFrame))
  }

  private static func bitDepth(of format: AudioFormat, isChanged: Bool) -> Int {
    switch format.precision {
    case ...8: isChanged ? 16 : 8
    case ...16: 16
    default: 24
    }
  }
}

/// Mixes channels to two. The louder side gets a sum of 1, so that it cannot clip.
struct StereoMix {
  /// A channel in the middle has the same power on both sides.
  private static let middle = 0.5.squareRoot()

  private let left: [Double]
  private let right: [Double]

  init(sides: [ChannelSide]) {
    let left = sides.map { $0 == .left ? 1 : $0 == .middle ? Self.middle : 0 }
    let right = sides.map { $0 == .right ? 1 : $0 == .middle ? Self.middle : 0 }
    let sum = max(left.reduce(0, +), right.reduce(0, +), 1)
    self.left = left.map { $0 / sum }
    self.right = right.map { $0 / sum }
  }

  /// - Parameter samples: interleaved.
  func apply(to samples: [Double]) -> [Double] {
    let channels = left.count
    var mixed = [Double](repeating: 0, count: samples.count / channels * 2)
    for frame in 0..<samples.count / channels {
      for channel in 0..<channels {
        let sample = samples[frame * channels + channel]
        mixed[frame * 2] += sample * left[channel]
        mixed[frame * 2 + 1] += sample * right[channel]
      }
    }
    return mixed
  }
}
