/// Decides what happens after a track failed.
///
/// The next track of the playlist is tried, then the next item. If the server is absent and everything that follows is
/// on the same server, or if many servers are absent, the network is down: playback stops and keeps its place.
struct FailurePolicy {
  enum Reaction: Equatable {
    case playNextTrack
    case playNextItem
    /// Stop at the current track.
    case keepPlace
    /// Stop at the first track of the item.
    case stop
  }

  /// The candidates to play after the failed track.
  struct Candidates {
    var hasNextTrack: Bool
    var hasNextItem: Bool
    /// Whether the failed item repeats, so that the next item must not play.
    var repeatsOne: Bool
    var areOnSameServer: Bool
  }

  /// Give up a playlist after this many consecutive failures, and assume an outage after this many absent servers.
  static let maximumFailures = 8

  /// Items that failed in a row.
  private(set) var failedItems = 0
  /// Tracks of the current playlist that failed in a row.
  private var failedTracks = 0
  /// Tracks in a row whose server was absent.
  private var absences = 0

  mutating func react(to error: PlaybackError, _ candidates: Candidates) -> Reaction {
    let canTryNextTrack = candidates.hasNextTrack && failedTracks + 1 < Self.maximumFailures
    if canTryNextTrack || candidates.hasNextItem, isOutage(error, candidates) { return .keepPlace }
    failedTracks += 1
    if canTryNextTrack, !error.isDeviceFailure { return .playNextTrack }
    failedItems += 1
    guard candidates.hasNextItem, !candidates.repeatsOne, !error.isDeviceFailure else { return .stop }
    failedTracks = 0
    return .playNextItem
  }

  private mutating func isOutage(_ error: PlaybackError, _ candidates: Candidates) -> Bool {
    guard error.isServerAbsent else {
      absences = 0
      return false
    }
    absences += 1
    return absences >= Self.maximumFailures || candidates.areOnSameServer
  }

  /// Called when a stopped source starts to play.
  mutating func forgetAbsences() { absences = 0 }
}
