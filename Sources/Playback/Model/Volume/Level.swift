/// How loud the speaker is to be, or is.
package struct Level: Sendable, Equatable {
  /// Steps of 0…100, see `VolumeScale`.
  package var volume: Int
  package var isMuted: Bool
  /// Counts what the player has asked for: what is told of an older one has been overtaken. 0 as long as nobody has asked
  /// for anything.
  package var revision = 0
}
