/// Volume and mute, which are the speaker's and not a source's.
struct VolumeControl: Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  private(set) var volume: Int
  private(set) var isMuted = false

  init(volume: Int = 100) {
    self.volume = min(max(volume, 0), 100)
  }

  /// The gain that the pipeline starts with.
  var initialCommand: PipelineCommand { .setGain(VolumeScale.gain(step: volume)) }

  mutating func setVolume(_ step: Int) -> [PlayerAction] {
    let step = min(max(step, 0), 100)
    guard step != volume else { return [] }
    volume = step
    return [.pipeline(.setGain(VolumeScale.gain(step: step))), .notify(.volume)]
  }

  mutating func setMuted(_ isMuted: Bool) -> [PlayerAction] {
    guard isMuted != self.isMuted else { return [] }
    self.isMuted = isMuted
    return [.pipeline(.setMuted(isMuted)), .notify(.mute)]
  }
}
