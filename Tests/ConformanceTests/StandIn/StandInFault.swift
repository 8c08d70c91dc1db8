/// A fault of the stand-in renderer that cannot be added on the wire.
enum StandInFault: Sendable, Equatable {
  /// Stays in TRANSITIONING after Play.
  case neverPlays
  /// Play in PLAYING restarts the track.
  case playRestarts
  /// Play in PAUSED_PLAYBACK restarts the track.
  case resumeRestarts
  /// The position also advances while paused.
  case pauseKeepsCounting
  /// Pause in PAUSED_PLAYBACK resumes playback.
  case pauseToggles
  /// Seek in PAUSED_PLAYBACK succeeds without effect.
  case ignoresSeekWhilePaused
  /// Play after Stop continues at the old position.
  case stopKeepsPosition
  /// Stop has no effect while the media server does not answer.
  case stopWaitsForServer
  /// Stays in PLAYING at the end of the track.
  case ignoresEnd
  /// SetAVTransportURI in PLAYING succeeds without effect.
  case ignoresURIWhilePlaying

  // MARK: OpenHome

  /// Insert restarts the current track.
  case insertionRestarts
  /// The next track of the playlist is opened when the current one has ended.
  case stagesNothing
  /// The playlist stops at a track that cannot be played.
  case stopsAtFailure
  /// Time advances in all states.
  case timeAlwaysAdvances

  // MARK: Formats

  /// Files with this MIME type, or one that begins with it, do not play.
  case refusesType(String)
  /// WAV files with this sample rate do not play.
  case refusesRate(Int)

  // MARK: The next track

  case ignoresNext
  /// It is fetched six seconds after the current track has ended.
  case fetchesNextLate
  /// It begins eight seconds after the end of the current track.
  case joinsLate
  /// After the join, it is still the next one.
  case keepsNextAfterJoin
  /// Its URI is reported three seconds before the join.
  case reportsNextEarly
  case ignoresEmptyNext
  case ignoresSecondNext
  case keepsNextAfterSet
  case stopPlaysNext
  case failedNextStops
  case seekDropsNext
  case setNextStarts
  case setNextFetchesAgain
  case ignoresSameNext

  // MARK: Fetching

  case ignoresRedirects
  case followsOnly302
  /// Does not fetch from servers without range requests.
  case needsRanges
  case needsLength
  case needsHEAD
  /// Plays only files with a Content-Type `audio/…`.
  case trustsContentType
  /// Fails unless four seconds of sound arrive within a second.
  case isImpatient
  /// Does not resume an interrupted download.
  case fetchesOnce
  case resumesFromStart
  /// Stays in its state when a track cannot be fetched or played.
  case hidesFailures
  /// Stays in PLAYING when no more sound arrives.
  case ignoresStarvation
  case failsOnICY
  /// Connections to media servers are left open.
  case keepsConnections
  case opensManyConnections
  case fetchesAgainAfterPause
  case startsLate
  case sendsNoHost
  case sendsNoUserAgent
  case sendsInvalidRange
}
