import PlaybackModel

/// Opens sources with the current settings, and remembers which servers ignore range requests.
final class SourceOpener {
  private(set) var settings: PlayerSettings
  private let mailbox: Mailbox
  private var rangeless = RangelessAddresses()

  init(settings: PlayerSettings, mailbox: Mailbox) {
    self.settings = settings
    self.mailbox = mailbox
  }

  /// Opens a track. Returns at once.
  func open(_ track: Track, at position: Duration = .zero) throws(PlaybackError) -> TrackSource {
    try TrackSource(
      track: track, start: position, isWithoutRanges: rangeless.contains(track.uri), settings: settings,
      mailbox: mailbox)
  }

  /// Notes that the server of an address ignores range requests.
  /// - Returns: false if that was known already.
  func noteWithoutRanges(_ address: String) -> Bool { rangeless.insert(address) }

  /// Sets ReplayGain for sources that are opened from now on.
  func setReplayGain(_ replayGain: ReplayGainSettings) { settings.replayGain = replayGain }

  /// Sets the buffer depth and the delay of sources that are opened from now on.
  func setTimes(bufferDepth: Duration, liveDelay: Duration) {
    (settings.bufferDepth, settings.liveDelay) = (bufferDepth, liveDelay)
  }
}
