/// What the speaker is, apart from what it plays: kept over restarts.
public struct SpeakerState: Sendable, Equatable {
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
