/// Plays tracks. The player sends commands and receives events; neither waits for the other.
package protocol Pipeline: Sendable {
  /// Queues a command and returns at once. Commands are performed in order.
  func send(_ command: PipelineCommand)
  /// All events, in order, for one reader. Ends after `shutdown()`.
  var events: AsyncStream<PipelineEvent> { get }
  /// The length of the decoded sound that the device has not received yet. May be read at any time; does not wait.
  var bufferLevel: Duration { get }
  /// The delay of a stream that is sent in real time; nil for others. May be read at any time; does not wait.
  var liveDelay: Duration? { get }
  /// Stops playback, closes the device and ends the thread. Returns after two seconds even if a driver hangs.
  func shutdown() async
}

/// A command of the player to the pipeline.
///
/// A command that starts or stops sound begins a new generation. Events carry the generation that they belong to, so
/// that the player can drop those from before its latest command.
package enum PipelineCommand: Sendable, Equatable {
  /// Plays the track from a position instead of the current one. The followers join it without a gap.
  case start(generation: Int, track: Track, followers: [Track], at: Duration, paused: Bool)
  /// Continues at another position of the track. Opens it again if a follower has become audible in the meantime.
  case seek(generation: Int, track: Track, followers: [Track], to: Duration, paused: Bool)
  /// Replaces the followers of the current track. Followers before one that is audible already are ignored.
  case stage([Track])
  case pause
  case resume
  /// Stops playback; the device is closed after `PlayerSettings.deviceRelease`.
  case stop(generation: Int)
  /// Closes the device at once if nothing plays.
  case releaseDevice
  /// Sets volume and mute. A volume of 100, not muted, leaves the samples unchanged.
  case setLevel(Level)
  /// Fades the sound, also that of later tracks.
  case fade(Fade)
  /// Sets the balance in steps of −15…15, see `BalanceScale`; 0 leaves the samples unchanged.
  case setBalance(Int)
  /// Sets ReplayGain for tracks that are not audible yet.
  case setReplayGain(ReplayGainSettings)
  /// Replaces the audio device; nil for the first one that is found. Playback continues on it at the audible position,
  /// or live if the stream is endless.
  case setOutput(OutputDescription?)
  /// Sets the buffer depth and the delay of tracks that are opened from now on, and the release of the device after the
  /// next stop.
  case setTimes(bufferDepth: Duration, liveDelay: Duration, deviceRelease: Duration)
  /// Sets the equalizer; nil switches it off, which leaves the samples unchanged.
  case setEqualizer(EqualizerSettings?)
  /// Answered by `confirmed` once all commands before it have been performed.
  case confirm
  /// Reads the playlist at an address without affecting playback. Answered by `list`; a newer request replaces this
  /// one.
  case readList(request: Int, uri: String)
  /// Loads an announcement without affecting playback. Answered by `announcementLoaded`.
  case loadAnnouncement(id: Int, AnnouncementRequest)
  /// Plays an announcement over the sound. Answered by `announced`.
  case announce(id: Int, AnnouncementSound, step: Int, AnnouncementRequest)
  /// Another announcement of this duration will follow. If the music pauses for the present one, it pauses for both.
  case followAnnouncement(Duration)
  /// Sets the volume of the announcement to a step of 0…100.
  case setAnnouncementStep(Int)
}

package enum PipelineEvent: Sendable, Equatable {
  /// Playback runs from this position of the current track.
  case playing(generation: Int, position: Duration)
  /// Playback is paused at this position.
  case paused(generation: Int, position: Duration)
  /// The track ran dry at this position; `playing` follows once there is enough data.
  case buffering(generation: Int, position: Duration)
  /// A new measurement of the steadily advancing position.
  case position(generation: Int, position: Duration)
  /// A follower has become audible. Its stream info, duration and title were reported before.
  case trackStarted(generation: Int, trackID: Int, position: Duration)
  /// The last staged track has ended.
  case ended(generation: Int)
  /// The current track or the device failed, and playback has stopped.
  case failed(generation: Int, PlaybackError)
  /// The track's address is a playlist with these tracks. The player decides what to play instead.
  case listed(trackID: Int, [ListedTrack])
  /// The result of `readList`: the tracks of a playlist, or the address itself if it is audio.
  case list(request: Int, Result<[ListedTrack], PlaybackError>)
  case streamInfo(trackID: Int, StreamInfo)
  case duration(trackID: Int, TrackDuration)
  /// The stream's own tags. A live stream's titles change (ICY StreamTitle, links of a chained Ogg stream).
  case tags(trackID: Int, TrackTags)
  /// Another program changed the hardware mixer.
  case levelMoved(Level)
  /// The audio device ran out of samples and continues: a click or a short silence.
  case xrun
  /// The audio device in use; nil while there is none.
  case output(OutputDescription?)
  /// The path of the samples to the device changed; nil when the device was closed.
  case signal(SignalFacts?)
  /// The answer to `confirm`.
  case confirmed
  case announcementLoaded(id: Int, Result<AnnouncementSound, AnnouncementError>)
  /// The announcement was heard; or why it could not be.
  case announced(id: Int, PlaybackError?)

  /// The generation that the event belongs to; nil for events that concern a track, a request or the device.
  package var generation: Int? {
    switch self {
    case .playing(let generation, _), .paused(let generation, _), .buffering(let generation, _),
      .position(let generation, _), .trackStarted(let generation, _, _), .ended(let generation),
      .failed(let generation, _):
      generation
    case .listed, .list, .streamInfo, .duration, .tags, .levelMoved, .xrun, .output, .signal, .confirmed,
      .announcementLoaded, .announced:
      nil
    }
  }
}
