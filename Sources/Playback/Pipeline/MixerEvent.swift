/// What is heard from a hardware mixer.
enum MixerEvent: Sendable, Equatable {
  /// What is left to the samples.
  case samples(gain: Double, isMuted: Bool)
  /// Somebody else has moved it.
  case moved(Level)
}
