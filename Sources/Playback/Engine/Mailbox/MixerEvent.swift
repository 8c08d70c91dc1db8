import PlaybackModel

/// Events of the hardware mixer.
enum MixerEvent: Sendable, Equatable {
  /// The gain to apply to the samples for the level of that revision.
  case samples(revision: Int, gain: Double, isMuted: Bool)
  /// Another program or the user moved the control.
  case moved(Level)
}
