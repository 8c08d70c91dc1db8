/// What the player asks of the pipeline. Commands are carried out in the order in which they were sent.
///
/// A command that makes sound begin elsewhere opens a new generation; what the pipeline says carries the generation
/// that it belongs to, so that news from before a command is told from news after it.
package enum PipelineCommand: Sendable, Equatable {
  /// Plays the track from a position, silencing whatever sounds; the followers come after it without a gap.
  case start(generation: Int, track: Track, followers: [Track], at: Duration, paused: Bool)
  /// Goes on with the track at another position, opening it again if something else has begun to sound meanwhile.
  case seek(generation: Int, track: Track, followers: [Track], to: Duration, paused: Bool)
  /// What follows the current track, in order; replaces what was staged before. Where that was heard meanwhile, what
  /// comes before the track that is heard counts for nothing.
  case stage([Track])
  case pause
  case resume
  /// Silence; the device is released a little later.
  case stop(generation: Int)
  /// Lets go of the device at once, if nothing sounds.
  case releaseDevice
  /// At 100 and not muted, samples are left alone.
  case setLevel(Level)
  /// Steps of −15…15, see `BalanceScale`; 0 leaves the samples alone.
  case setBalance(Int)
  /// For tracks that are not heard yet.
  case setReplayGain(ReplayGainSettings)
  /// Answered by `confirmed`, once everything that was sent before has been carried out.
  case confirm
  /// Finds out what is to be played at an address, beside whatever sounds; `list` answers. A second one takes the place
  /// of the first.
  case readList(request: Int, uri: String)
}
