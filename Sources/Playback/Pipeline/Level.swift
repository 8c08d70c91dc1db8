/// How loud the speaker is to be, or is.
struct Level: Sendable, Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  var volume: Int
  var isMuted: Bool
  /// Counts what the player has asked for: what is told of an older one has been overtaken. 0 as long as nobody has asked
  /// for anything.
  var revision = 0
}
