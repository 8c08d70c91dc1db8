/// What the pipeline tells the player.
package enum PipelineEvent: Sendable, Equatable {
  /// Sound runs, from this position of the current track.
  case playing(generation: Int, position: Duration)
  /// Silence at this position, ready to go on.
  case paused(generation: Int, position: Duration)
  /// The track ran dry at this position; `playing` follows when there is enough again.
  case buffering(generation: Int, position: Duration)
  /// The position, measured again. Nothing has jumped.
  case position(generation: Int, position: Duration)
  /// The staged track is heard: it is the current one now. What is known of it has been told before.
  case trackStarted(generation: Int, trackID: Int, position: Duration)
  /// The last track was heard to its end.
  case ended(generation: Int)
  /// The current track, or the device, failed. Nothing sounds any more.
  case failed(generation: Int, PlaybackError)
  /// There is no sound at the track's address, but a list of these tracks. What is to be played instead is the
  /// player's to say.
  case listed(trackID: Int, [ListedTrack])
  /// What `readList` has found: the tracks of a list, or the address itself where that is sound.
  case list(request: Int, Result<[ListedTrack], PlaybackError>)
  case streamInfo(trackID: Int, StreamInfo)
  case duration(trackID: Int, Duration)
  /// The title that a live stream tells with its sound.
  case title(trackID: Int, String)
  /// Somebody else has moved the hardware mixer.
  case levelMoved(Level)
  /// The audio device has run out of samples and goes on: a click, or a short silence.
  case xrun
  /// Where the sound goes from now on; nil while there is no audio device.
  case output(OutputDescription?)
  /// The answer to `confirm`.
  case confirmed
}
