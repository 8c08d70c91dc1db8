import PlaybackModel

/// What is heard from a hardware mixer.
enum MixerEvent: Sendable, Equatable {
  /// What is left to the samples at the level of that revision.
  case samples(revision: Int, gain: Double, isMuted: Bool)
  /// Somebody else has moved it.
  case moved(Level)
}
