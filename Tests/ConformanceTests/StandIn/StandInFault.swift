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
  /// Stop and another URI leave the connection to the media server open.
  case keepsConnection
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
}
