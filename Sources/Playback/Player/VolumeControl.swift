/// Volume, mute and balance, which are the speaker's and not a source's.
struct VolumeControl: Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  private(set) var volume: Int
  /// The step that nobody goes beyond.
  let limit: Int
  private(set) var isMuted = false
  /// Steps of −15…15, see `BalanceScale`.
  private(set) var balance = 0

  init(volume: Int = 100, limit: Int = 100) {
    self.limit = min(max(limit, 0), 100)
    self.volume = min(max(volume, 0), self.limit)
  }

  /// The volume that the pipeline starts with.
  var initialCommand: PipelineCommand { .setVolume(volume) }

  mutating func setVolume(_ step: Int) -> [PlayerAction] {
    let step = min(max(step, 0), limit)
    guard step != volume else { return [] }
    volume = step
    return [.pipeline(.setVolume(step)), .notify(.volume)]
  }

  mutating func setMuted(_ isMuted: Bool) -> [PlayerAction] {
    guard isMuted != self.isMuted else { return [] }
    self.isMuted = isMuted
    return [.pipeline(.setMuted(isMuted)), .notify(.mute)]
  }

  mutating func setBalance(_ step: Int) -> [PlayerAction] {
    let step = min(max(step, BalanceScale.range.lowerBound), BalanceScale.range.upperBound)
    guard step != balance else { return [] }
    balance = step
    return [.pipeline(.setBalance(step)), .notify(.balance)]
  }
}
