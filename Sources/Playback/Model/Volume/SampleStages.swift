package enum SampleEffect: Sendable, Hashable {
  case volume, mute, balance, replayGain, limiter, equalizer, fade, announcement
}

/// A step that processes samples on their way to the device, such as volume or the limiter.
///
/// `SampleStages` lists all of them in order. Samples pass untouched while every stage is neutral.
package protocol SampleStage: Sendable {
  /// Whether the stage will not change the next samples.
  var isNeutral: Bool { get }
  /// The effects of the stage's current settings, without glides. The limiter's effect lasts until the next track, so
  /// that it does not flicker with every peak.
  var effects: Set<SampleEffect> { get }
  /// Ends glides and releases: the next samples do not continue the previous ones.
  mutating func reset()
  /// Processes samples: either multiplies them with `SampleBlock.scale`, which is combined with other stages' factors,
  /// or accesses them with `SampleBlock.withSamples`.
  mutating func process(_ block: inout SampleBlock)
}

/// A factor for the channels of each side.
package struct SideGains: Sendable, Equatable {
  var left: Double
  var middle: Double
  var right: Double

  static let unity = SideGains(1)
  static let silence = SideGains(0)

  init(_ gain: Double) { self.init(left: gain, middle: gain, right: gain) }

  init(left: Double, middle: Double = 1, right: Double) {
    (self.left, self.middle, self.right) = (left, middle, right)
  }

  subscript(side: ChannelSide) -> Double {
    switch side {
    case .left: left
    case .middle: middle
    case .right: right
    }
  }

  static func * (a: SideGains, b: SideGains) -> SideGains {
    SideGains(left: a.left * b.left, middle: a.middle * b.middle, right: a.right * b.right)
  }

  /// Linear interpolation from self (0) to `other` (1).
  func interpolated(to other: SideGains, _ part: Double) -> SideGains {
    SideGains(
      left: left + (other.left - left) * part, middle: middle + (other.middle - middle) * part,
      right: right + (other.right - right) * part)
  }
}

/// Consecutive samples that pass the stages.
///
/// Factors are collected and applied in one pass: when a stage accesses the samples, or at the end.
package struct SampleBlock {
  /// Interleaved; 1 is full scale.
  private let samples: UnsafeMutableBufferPointer<Double>
  package let sides: [ChannelSide]
  package let rate: Int
  private var gains = SideGains.unity
  private var glides: [GainGlide.Segment] = []

  package init(_ samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int) {
    self.samples = samples
    self.sides = sides
    self.rate = rate
  }

  var channels: Int { sides.count }
  var frames: Int { samples.count / sides.count }

  /// Multiplies all samples.
  mutating func scale(by gains: SideGains) { self.gains = self.gains * gains }

  /// Multiplies the samples by gains that change from frame to frame.
  mutating func scale(along glide: GainGlide.Segment) { glides.append(glide) }

  /// Gives access to the samples, interleaved, after applying the gains so far.
  mutating func withSamples(_ body: (UnsafeMutableBufferPointer<Double>) -> Void) {
    applyGains()
    body(samples)
  }

  /// Multiplies the samples by the gains so far.
  mutating func applyGains() {
    let gliding = min(frames, glides.map(\.frames).max() ?? 0)
    for frame in 0..<gliding {
      let gains = glides.reduce(gains) { $0 * $1.gains(at: frame) }
      for channel in 0..<channels { samples[frame * channels + channel] *= gains[sides[channel]] }
    }
    let rest = glides.reduce(gains) { $0 * $1.end }
    multiply(from: gliding, by: rest)
    gains = .unity
    glides = []
  }

  private func multiply(from frame: Int, by gains: SideGains) {
    if let gain = sides.first.map({ gains[$0] }), sides.allSatisfy({ gains[$0] == gain }) {
      if gain == 1 { return }
      for index in frame * channels..<frames * channels { samples[index] *= gain }
      return
    }
    for channel in 0..<channels {
      let gain = gains[sides[channel]]
      if gain == 1 { continue }
      for index in stride(from: frame * channels + channel, to: frames * channels, by: channels) {
        samples[index] *= gain
      }
    }
  }
}

/// All stages that process samples before they are converted to the device's format.
package struct SampleStages: Sendable {
  /// In processing order. The equalizer follows ReplayGain, so that what its filters still hold at a join has the gain of
  /// the track that it belongs to. The limiter is last, since other stages may amplify.
  private var stages: [any SampleStage] = [
    ReplayGainStage(), EqualizerStage(), BalanceStage(), VolumeStage(), FadeStage(), LimiterStage(),
  ]
  /// Comes after the others.
  package var announcement = AnnouncementStage()

  package init() {}

  /// Whether the next samples pass bit for bit.
  package var isNeutral: Bool { isSettled && announcement.isNeutral }

  /// Whether only an announcement changes the next samples, which is no reason for another format of the device.
  package var isSettled: Bool { stages.allSatisfy(\.isNeutral) }

  /// The effects of all stages' current settings, without glides.
  package var effects: Set<SampleEffect> { stages.reduce(into: announcement.effects) { $0.formUnion($1.effects) } }

  /// The next samples do not continue the previous ones.
  package mutating func reset() {
    for index in stages.indices { stages[index].reset() }
    announcement.reset()
  }

  /// Processes samples in place.
  /// - Parameter sides: the side of each channel.
  package mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int) {
    guard !sides.isEmpty, rate > 0 else { return }
    var block = SampleBlock(samples, sides: sides, rate: rate)
    for index in stages.indices { stages[index].process(&block) }
    announcement.process(&block)
    block.applyGains()
  }

  // MARK: Settings

  /// Factor on every sample.
  package mutating func setVolume(_ gain: Double) { update(VolumeStage.self) { $0.gain = gain } }

  package mutating func setMuted(_ isMuted: Bool) { update(VolumeStage.self) { $0.isMuted = isMuted } }

  /// - Parameter step: see `BalanceScale`.
  package mutating func setBalance(_ step: Int) { update(BalanceStage.self) { $0.step = step } }

  package mutating func start(_ fade: Fade) { update(FadeStage.self) { $0.start(fade) } }

  /// The fade so far, for other stages that continue it.
  package var fade: FadeStage {
    get { stages.lazy.compactMap { $0 as? FadeStage }.first ?? FadeStage() }
    set { update(FadeStage.self) { $0 = newValue } }
  }

  /// - Parameter settings: nil to switch the equalizer off.
  package mutating func setEqualizer(_ settings: EqualizerSettings?) {
    update(EqualizerStage.self) { $0.set(settings) }
    update(LimiterStage.self) { $0.isEqualized = settings?.isNeutral == false }
  }

  /// Whether balance or equalizer treat the sides differently, which needs two channels.
  package var separatesSides: Bool {
    stages.contains { stage in
      (stage as? BalanceStage)?.step ?? 0 != 0 || (stage as? EqualizerStage)?.settings?.separatesSides == true
    }
  }

  /// The next samples belong to this track.
  /// - Parameter gain: the track's ReplayGain factor; nil if ReplayGain is off, in which case nothing is limited.
  package mutating func enter(track id: Int, gain: Double?) {
    update(ReplayGainStage.self) { $0.enter(track: id, gain: gain ?? 1) }
    update(LimiterStage.self) { $0.enter(track: id, gain: gain) }
  }

  private mutating func update<Stage: SampleStage>(_ type: Stage.Type, _ body: (inout Stage) -> Void) {
    for index in stages.indices {
      guard var stage = stages[index] as? Stage else { continue }
      body(&stage)
      stages[index] = stage
    }
  }
}
