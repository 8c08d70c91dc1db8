/// Gains that glide to a new value, since a jump is heard as a click.
package struct GainGlide: Sendable {
  /// Usual duration of a glide in seconds.
  static let duration = 0.01

  /// The remainder of a glide, from a given frame.
  package struct Segment: Sendable {
    fileprivate let origin: SideGains
    fileprivate let destination: SideGains
    fileprivate let progress: Double
    fileprivate let step: Double

    fileprivate init(origin: SideGains, destination: SideGains, progress: Double, step: Double) {
      (self.origin, self.destination, self.progress, self.step) = (origin, destination, progress, step)
    }

    /// A glide of all channels over a number of frames.
    init(from origin: Double, to destination: Double, frames: Int) {
      self.init(
        origin: SideGains(origin), destination: SideGains(destination), progress: 0, step: 1 / Double(frames))
    }

    /// Frames until the destination is reached.
    var frames: Int { Int(((1 - progress) / step).rounded(.up)) }
    /// The gains after the glide.
    var end: SideGains { destination }

    func gains(at frame: Int) -> SideGains {
      let progress = min(1, progress + Double(frame + 1) * step)
      return progress == 1 ? destination : origin.interpolated(to: destination, progress)
    }
  }

  var target = SideGains.unity
  private var origin = SideGains.unity
  private var destination = SideGains.unity
  /// Progress from origin to destination, 0…1; 1 at rest.
  private var progress = 1.0

  /// Duration of this glide in seconds.
  private let length: Double

  init(duration: Double = Self.duration) { length = duration }

  /// Whether the gains are 1 and stay so.
  var isUnity: Bool { progress == 1 && destination == .unity && target == .unity }

  /// Jumps to the target.
  mutating func settle() {
    destination = target
    progress = 1
  }

  mutating func process(_ block: inout SampleBlock) {
    if destination != target {
      origin = progress == 1 ? destination : origin.interpolated(to: destination, progress)
      destination = target
      progress = 0
    }
    guard progress < 1 else { return block.scale(by: destination) }
    let step = 1 / (length * Double(block.rate))
    block.scale(along: Segment(origin: origin, destination: destination, progress: progress, step: step))
    progress = min(1, progress + Double(block.frames) * step)
  }
}

/// ReplayGain: each track has its own factor from its first sample to its last.
struct ReplayGainStage: SampleStage {
  private var glide = GainGlide()
  private var track = 0

  var isNeutral: Bool { glide.isUnity }
  var effects: Set<SampleEffect> { glide.target == .unity ? [] : [.replayGain] }

  mutating func reset() {
    track = 0
    glide.target = .unity
    glide.settle()
  }

  /// Sets the gain: at once for a new track, with a glide if it becomes known only after the track has begun.
  mutating func enter(track id: Int, gain: Double) {
    glide.target = SideGains(gain)
    if id != track { glide.settle() }
    track = id
  }

  mutating func process(_ block: inout SampleBlock) { glide.process(&block) }
}

/// Turns down the channels of one side.
struct BalanceStage: SampleStage {
  /// See `BalanceScale`.
  var step = 0 {
    didSet {
      let gains = BalanceScale.gains(step: step)
      glide.target = SideGains(left: gains.left, right: gains.right)
    }
  }
  private var glide = GainGlide()

  var isNeutral: Bool { glide.isUnity }
  var effects: Set<SampleEffect> { step == 0 ? [] : [.balance] }
  mutating func reset() { glide.settle() }
  mutating func process(_ block: inout SampleBlock) { glide.process(&block) }
}

/// Volume and mute.
struct VolumeStage: SampleStage {
  /// Factor on every sample.
  var gain = 1.0 { didSet { updateTarget() } }
  var isMuted = false { didSet { updateTarget() } }
  private var glide = GainGlide()

  private mutating func updateTarget() { glide.target = isMuted ? .silence : SideGains(gain) }

  var isNeutral: Bool { glide.isUnity }
  var effects: Set<SampleEffect> { Set((gain == 1 ? [] : [.volume]) + (isMuted ? [.mute] : [])) }
  mutating func reset() { glide.settle() }
  mutating func process(_ block: inout SampleBlock) { glide.process(&block) }
}

/// Keeps samples below full scale by attenuating the passages around peaks: for up to 1.5 ms before, within the block,
/// and up to 0.2 s after. All channels are attenuated equally. Adds no delay, and leaves passages without peaks
/// unchanged.
///
/// Active only for tracks with a ReplayGain factor and while the equalizer is on, which may amplify. Without them, peaks
/// above full scale are part of the recording and are clipped.
struct LimiterStage: SampleStage {
  /// Leaves room for dither and rounding to 16 bits.
  static let ceiling = 0.9999
  /// Attack and release in seconds.
  private static let attack = 0.0015
  private static let release = 0.2

  /// Whether the equalizer changes samples.
  var isEqualized = false
  private var hasTrackGain = false
  /// The factor on the last samples; 1 at rest.
  private(set) var gain = 1.0
  private var envelope: [Double] = []
  private var track: (id: Int, gain: Double) = (0, 1)
  /// Whether a peak of this track was attenuated. The release of an earlier track's peak does not count.
  private var hasLimited = false

  var isNeutral: Bool { gain == 1 }
  var effects: Set<SampleEffect> { hasLimited || gain < 1 ? [.limiter] : [] }

  mutating func reset() {
    gain = 1
    hasLimited = false
    track = (0, 1)
  }

  /// - Parameter factor: the track's ReplayGain factor; nil if it has none.
  mutating func enter(track id: Int, gain factor: Double?) {
    hasTrackGain = factor != nil
    // If the next track has the same factor, the release continues into it.
    if id != track.id, !isEqualized, factor == nil || factor != track.gain { gain = 1 }
    if id != track.id { hasLimited = false }
    track = (id, factor ?? 1)
  }

  mutating func process(_ block: inout SampleBlock) {
    // The release goes on after the equalizer was switched off.
    guard hasTrackGain || isEqualized || gain < 1 else { return }
    let (channels, rate) = (block.channels, block.rate)
    block.withSamples { limit($0, channels: channels, rate: rate) }
  }

  private mutating func limit(_ samples: UnsafeMutableBufferPointer<Double>, channels: Int, rate: Int) {
    var peak = 0.0
    for sample in samples { peak = max(peak, abs(sample)) }
    guard peak > Self.ceiling || gain < 1 else { return }
    hasLimited = hasLimited || peak > Self.ceiling

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
