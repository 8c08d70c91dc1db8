/// Volume, mute and balance. All sources share them.
package struct VolumeControl: Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  package private(set) var volume: Int
  /// The highest volume step that can be set.
  package private(set) var limit: Int
  /// Whether the volume is always 100. Mute still works.
  package let isFixed: Bool
  package private(set) var isMuted = false
  /// Steps of −15…15, see `BalanceScale`.
  package private(set) var balance = 0
  /// Counts the levels sent, so that mixer events from before the latest one are ignored.
  private var revision = 0

  package init(volume: Int = 100, limit: Int = 100, isFixed: Bool = false) {
    self.isFixed = isFixed
    self.limit = isFixed ? 100 : Self.clamp(limit, to: 100)
    self.volume = isFixed ? 100 : Self.clamp(volume, to: self.limit)
  }

  private var level: Level { Level(volume: volume, isMuted: isMuted, revision: revision) }

  /// The level at the start. Its revision 0 lets a hardware mixer keep its own level.
  package var initialCommand: PipelineCommand { .setLevel(level) }

  package mutating func setVolume(_ step: Int) -> [PlayerAction] {
    let step = Self.clamp(step, to: limit)
    guard step != volume, !isFixed else { return [] }
    volume = step
    return [sendLevel(), .notify(.volume)]
  }

  /// Reduces a volume above the new limit to the limit.
  package mutating func setLimit(_ limit: Int) -> [PlayerAction] {
    let limit = Self.clamp(limit, to: 100)
    guard limit != self.limit, !isFixed else { return [] }
    self.limit = limit
    return [.notify(.volumeLimit)] + setVolume(volume)
  }

  private static func clamp(_ step: Int, to limit: Int) -> Int { min(max(step, 0), limit) }

  package mutating func setMuted(_ isMuted: Bool) -> [PlayerAction] {
    guard isMuted != self.isMuted else { return [] }
    self.isMuted = isMuted
    return [sendLevel(), .notify(.mute)]
  }

  /// Sends the level again under a new revision, so that a hardware mixer adopts it.
  package mutating func confirm() -> [PlayerAction] { [sendLevel()] }

  private mutating func sendLevel() -> PlayerAction {
    revision += 1
    return .pipeline(.setLevel(level))
  }

  /// Follows a change of the hardware mixer by another program, up to the limit.
  package mutating func follow(_ level: Level) -> [PlayerAction] {
    guard level.revision == revision else { return [] }
    let allowed = isFixed ? 100 : Self.clamp(level.volume, to: limit)
    var changes: PlayerChanges = []
    if allowed != volume { changes.insert(.volume) }
    if level.isMuted != isMuted { changes.insert(.mute) }
    volume = allowed
    isMuted = level.isMuted
    return (allowed == level.volume ? [] : [sendLevel()]) + (changes.isEmpty ? [] : [.notify(changes)])
  }

  package mutating func setBalance(_ step: Int) -> [PlayerAction] {
    let step = min(max(step, BalanceScale.range.lowerBound), BalanceScale.range.upperBound)
    guard step != balance else { return [] }
    balance = step
    return [.pipeline(.setBalance(step)), .notify(.balance)]
  }
}

/// The settings of the speaker that survive a restart.
public struct SavedSpeaker: Sendable, Equatable {
  /// Steps of 0…100.
  public var volume: Int
  public var isMuted: Bool
  /// Steps of −15…15.
  public var balance: Int
  public var source: Source
  public var isStandby: Bool

  public init(volume: Int, isMuted: Bool, balance: Int, source: Source, isStandby: Bool) {
    self.volume = volume
    self.isMuted = isMuted
    self.balance = balance
    self.source = source
    self.isStandby = isStandby
  }
}
