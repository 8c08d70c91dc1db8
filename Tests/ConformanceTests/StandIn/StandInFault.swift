/// A fault of the stand-in renderer that cannot be added on the wire.
enum StandInFault: Sendable, Equatable {
  /// Play leaves it in TRANSITIONING.
  case neverPlays
  /// Play in PLAYING begins again.
  case playRestarts
  /// Play in PAUSED_PLAYBACK begins again.
  case resumeRestarts
  /// The position rises while paused, too.
  case pauseKeepsCounting
  /// Pause in PAUSED_PLAYBACK plays on.
  case pauseToggles
  /// Seek in PAUSED_PLAYBACK succeeds without effect.
  case ignoresSeekWhilePaused
  /// The next Play begins where Stop ended.
  case stopKeepsPosition
  /// Stop has no effect while the media server does not answer.
  case stopWaitsForServer
  /// It stays in PLAYING at the end.
  case ignoresEnd
  /// SetAVTransportURI in PLAYING succeeds without effect.
  case ignoresURIWhilePlaying

  // MARK: OpenHome

  /// An insertion begins the current track anew.
  case insertionRestarts
  /// The next track of the playlist is opened when the current one has ended.
  case stagesNothing
  /// The playlist stops at a track that cannot be played.
  case stopsAtFailure
  /// Time counts in all states.
  case timeNeverRests

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
  /// Does not fetch from servers without ranges.
  case needsRanges
  case needsLength
  case needsHEAD
  /// Plays only what the server calls `audio/…`.
  case trustsContentType
  /// Needs four seconds of sound within a second.
  case isImpatient
  /// Does not resume.
  case fetchesOnce
  case resumesFromStart
  /// Stays in its state when a track cannot be fetched or played.
  case hidesFailures
  /// Plays on without sound.
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
