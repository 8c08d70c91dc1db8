/// One source's part of the player, without anything it plays with: every command and event, and what follows from it.
///
/// A value; time comes in as `now`. docs/player.md holds the table of what each command does in each state.
package struct PlayerMachine {
  package typealias Instant = ContinuousClock.Instant
  package typealias Action = PlayerAction

  /// An item and the track it is played as.
  package struct Entry: Equatable {
    package let track: Track
    package let item: MediaItem
    /// What the item's address was found to list, and which track of it this is; nil for an item that is sound itself.
    var list: TrackList?
  }

  enum Phase: Equatable {
    case noMedia
    /// Silent; `play` starts there.
    case stopped(at: Duration)
    case active(Activity)
  }

  /// What the stream of a track tells of itself.
  struct Facts: Equatable {
    var duration: Duration?
    var streamInfo: StreamInfo?
    var title: String?
  }

  struct Activity: Equatable {
    /// What was asked for last: sound or silence.
    var wantsPause: Bool
    /// Whether there is enough data to sound.
    var hasSound: Bool
  }

  var phase = Phase.noMedia
  package internal(set) var current: Entry?
  /// The items that follow it, in order.
  package internal(set) var staged: [Entry] = []
  /// What the current item itself goes on with: the next tracks of its list, or the same again and again while it is to
  /// be repeated. `staged` waits meanwhile.
  var continuation: [Entry] = []
  /// What the pipeline was told to have follow.
  var told: [Entry] = []
  /// What it was told before and may have made audible before it heard of something else.
  var superseded: [Entry] = []
  var generation = 0
  var lastTrackID = 0
  var anchor: PositionAnchor?
  var facts = Facts()
  /// What is known already of a track that is about to follow, so that it shows together with it.
  var factsAhead: (trackID: Int, facts: Facts)?
  var jumped = false
  var finished = false
  /// How many tracks of the current item's list have failed in a row.
  var failures = 0
  /// How many items have failed in a row.
  package internal(set) var failedItems = 0
  /// For how many tracks in a row the server was not there.
  var absences = 0

  package internal(set) var error: PlaybackError?
  package internal(set) var repeatsOne = false

  /// So many tracks of a list may fail in a row before it is given up, and for so many servers may be away before it is
  /// taken to be the network that is.
  static let maximumFailures = 8
  /// So many tracks ahead the pipeline is told of: short ones must be opened long before the one before them is heard.
  package static let lookahead = 12
  /// So many of those that were replaced may still become audible.
  static let maximumSuperseded = 4 * lookahead
}

// MARK: - What it shows

extension PlayerMachine {
  package var state: TransportState {
    switch phase {
    case .noMedia: .noMedia
    case .stopped: .stopped
    case .active(let activity) where activity.wantsPause: .paused
    case .active(let activity): activity.hasSound ? .playing : .transitioning
    }
  }

  package var item: MediaItem? { current?.item }
  package var next: MediaItem? { staged.first?.item }
  /// What the stream says, else what the giver of the item said.
  package var duration: Duration? { current.flatMap { facts.duration ?? (trackCount == 1 ? $0.item.duration : nil) } }
  /// How many tracks the current item has, as far as is known.
  package var trackCount: Int { current.map { $0.list?.tracks.count ?? 1 } ?? 0 }
  /// Which of them is the current one, from 1; 0 without an item.
  package var trackNumber: Int { current.map { ($0.list?.index ?? 0) + 1 } ?? 0 }
  /// The address of the current track: the item's own, unless that is a list of several.
  package var trackURI: String? { trackCount > 1 ? current?.track.uri : current?.item.uri }
  package var canSkipToNext: Bool { !staged.isEmpty || trackNumber < trackCount }
  package var canSkipToPrevious: Bool { trackNumber > 1 }
  package var streamInfo: StreamInfo? { facts.streamInfo }
  /// What a live stream tells goes before what the list calls it; a list of one, as stations hand out, does not know
  /// better than who gave the item.
  package var title: String? {
    if let title = facts.title { return title }
    guard let current, let list = current.list else { return nil }
    return list.tracks.count > 1 || current.item.metadata.isEmpty ? list.track.title : nil
  }
  package var canPause: Bool { state == .playing || state == .transitioning }

  /// Whether a seek can work: as the stream says; as long as it says nothing, one may try.
  package var canSeek: Bool { current != nil && streamInfo?.isSeekable ?? true }

  package func position(now: Instant) -> Duration {
    switch phase {
    case .noMedia: .zero
    case .stopped(let position): position
    case .active: anchor?.position(now: now, limit: duration) ?? .zero
    }
  }
}
