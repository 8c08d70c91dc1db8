/// Volume, mute and balance, which are the speaker's and not a source's.
package struct VolumeControl: Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  package private(set) var volume: Int
  /// The step that nobody goes beyond.
  package private(set) var limit: Int
  /// Whether the sound leaves as it is, whatever is asked; it can still be muted.
  package let isFixed: Bool
  package private(set) var isMuted = false
  /// Steps of −15…15, see `BalanceScale`.
  package private(set) var balance = 0
  /// Counts what was asked for.
  private var revision = 0

  package init(volume: Int = 100, limit: Int = 100, isFixed: Bool = false) {
    self.isFixed = isFixed
    self.limit = isFixed ? 100 : Self.step(limit, to: 100)
    self.volume = isFixed ? 100 : Self.step(volume, to: self.limit)
  }

  private var level: Level { Level(volume: volume, isMuted: isMuted, revision: revision) }

  /// The level that the pipeline starts with, which nobody has asked for.
  package var initialCommand: PipelineCommand { .setLevel(level) }

  package mutating func setVolume(_ step: Int) -> [PlayerAction] {
    let step = Self.step(step, to: limit)
    guard step != volume, !isFixed else { return [] }
    volume = step
    return [ask(), .notify(.volume)]
  }

  /// What is louder becomes as loud as it may be.
  package mutating func setLimit(_ limit: Int) -> [PlayerAction] {
    let limit = Self.step(limit, to: 100)
    guard limit != self.limit, !isFixed else { return [] }
    self.limit = limit
    return [.notify(.volumeLimit)] + setVolume(volume)
  }

  private static func step(_ step: Int, to limit: Int) -> Int { min(max(step, 0), limit) }

  package mutating func setMuted(_ isMuted: Bool) -> [PlayerAction] {
    guard isMuted != self.isMuted else { return [] }
    self.isMuted = isMuted
    return [ask(), .notify(.mute)]
  }

  /// The level is the one that it is to be, and not only the one at the start.
  package mutating func confirm() -> [PlayerAction] { [ask()] }

  private mutating func ask() -> PlayerAction {
    revision += 1
    return .pipeline(.setLevel(level))
  }

  /// Somebody has moved the hardware mixer: it is followed as far as the volume may go.
  package mutating func follow(_ level: Level) -> [PlayerAction] {
    guard level.revision == revision else { return [] }
    let allowed = isFixed ? 100 : Self.step(level.volume, to: limit)
    var changes: PlayerChanges = []
    if allowed != volume { changes.insert(.volume) }
    if level.isMuted != isMuted { changes.insert(.mute) }
    volume = allowed
    isMuted = level.isMuted
    return (allowed == level.volume ? [] : [ask()]) + (changes.isEmpty ? [] : [.notify(changes)])
  }

  package mutating func setBalance(_ step: Int) -> [PlayerAction] {
    let step = min(max(step, BalanceScale.range.lowerBound), BalanceScale.range.upperBound)
    guard step != balance else { return [] }
    balance = step
    return [.pipeline(.setBalance(step)), .notify(.balance)]
  }
}
