/// Everything that changes samples before they are converted to the device's form.
package struct SampleStages: Sendable {
  /// In the order in which samples pass them. The limiter is last, since it keeps below full scale what the others
  /// amplified.
  private var stages: [any SampleStage] = [ReplayGainStage(), BalanceStage(), VolumeStage(), LimiterStage()]

  package init() {}

  /// Whether the next samples pass bit for bit.
  package var isNeutral: Bool { stages.allSatisfy(\.isNeutral) }

  /// The next samples are unrelated to those before.
  package mutating func reset() {
    for index in stages.indices { stages[index].reset() }
  }

  /// Changes samples in place.
  /// - Parameter sides: of each channel.
  package mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int) {
    guard !sides.isEmpty, rate > 0 else { return }
    var block = SampleBlock(samples, sides: sides, rate: rate)
    for index in stages.indices { stages[index].process(&block) }
    block.applyGains()
  }

  // MARK: Settings

  /// Factor on every sample.
  package mutating func setVolume(_ gain: Double) { update(VolumeStage.self) { $0.gain = gain } }

  package mutating func setMuted(_ isMuted: Bool) { update(VolumeStage.self) { $0.isMuted = isMuted } }

  /// - Parameter step: see `BalanceScale`.
  package mutating func setBalance(_ step: Int) { update(BalanceStage.self) { $0.step = step } }

  /// Whether the sides get different gains, which needs two channels.
  package var isBalanced: Bool { stages.lazy.compactMap { $0 as? BalanceStage }.contains { $0.step != 0 } }

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
