/// Gains that glide to a new value, since a jump is heard as a click.
package struct GainGlide: Sendable {
  /// Duration of a glide in seconds.
  static let duration = 0.01

  /// The rest of a glide, from a frame on.
  package struct Segment: Sendable {
    fileprivate let origin: SideGains
    fileprivate let destination: SideGains
    fileprivate let progress: Double
    fileprivate let step: Double

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
  /// How much of the way from origin to destination is done; 1 at rest.
  private var progress = 1.0

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
    let step = 1 / (Self.duration * Double(block.rate))
    block.scale(along: Segment(origin: origin, destination: destination, progress: progress, step: step))
    progress = min(1, progress + Double(block.frames) * step)
  }
}

/// The loudness correction of each track. A track has its own gain from its first sample to its last.
struct ReplayGainStage: SampleStage {
  private var glide = GainGlide()
  private var track = 0

  var isNeutral: Bool { glide.isUnity }

  mutating func reset() {
    track = 0
    glide.target = .unity
    glide.settle()
  }

  /// A gain that becomes known only after the track has begun glides.
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
  mutating func reset() { glide.settle() }
  mutating func process(_ block: inout SampleBlock) { glide.process(&block) }
}
