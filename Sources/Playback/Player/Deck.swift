import PlaybackModel

/// The state of one source at one moment.
public struct Deck: Sendable {
  private let machine: PlayerMachine
  private let now: ContinuousClock.Instant

  init(_ machine: PlayerMachine, now: ContinuousClock.Instant) {
    self.machine = machine
    self.now = now
  }

  /// `stopped` or `noMedia` unless the source is current.
  public var state: TransportState { machine.state }
  /// Why the current item failed. Cleared by the next command that starts or replaces it.
  public var error: PlaybackError? { machine.error }
  /// Number of items that have failed in a row.
  public var failedItems: Int { machine.failedItems }
  public var item: MediaItem? { machine.item }
  /// Number of tracks of the item: more than one for a playlist that has been read; 0 without an item.
  public var trackCount: Int { machine.trackCount }
  /// The number of the current track, from 1; 0 without an item.
  public var trackNumber: Int { machine.trackNumber }
  /// The address of the current track: the item's own, byte for byte, unless the item has several tracks.
  public var trackURI: String? { machine.trackURI }
  /// Changes whenever a track becomes current, even if it is the same one again; 0 without a track.
  public var trackID: Int { machine.trackID }
  /// The item after the current one.
  public var next: MediaItem? { machine.next }
  /// All items after the current one, in order.
  public var upcoming: [MediaItem] { machine.upcoming }
  /// The audible position from the beginning of the track. When stopped, where `play` starts.
  public var position: Duration { machine.position(now: now) }
  /// The stream's duration, else the one that the item declares.
  public var duration: Duration? { machine.duration }
  public var streamInfo: StreamInfo? { machine.streamInfo }
  /// The title that a live stream sends (ICY StreamTitle), else the track's title in the playlist.
  public var title: String? { machine.title }
  /// Whether the item repeats. `next` then waits for a `skipToNext` or the end of repetition.
  public var repeatsOne: Bool { machine.repeatsOne }
  /// Whether there is another track or item to skip to.
  public var canSkipToNext: Bool { machine.canSkipToNext }
  public var canSkipToPrevious: Bool { machine.canSkipToPrevious }
  public var canPause: Bool { machine.canPause }
  public var canSeek: Bool { machine.canSeek }
}
