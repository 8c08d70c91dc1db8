import PlaybackModel

/// The state of one source at one moment.
public struct Deck: Sendable {
  private let deck: DeckState
  private let now: ContinuousClock.Instant

  init(_ machine: PlayerMachine, now: ContinuousClock.Instant) {
    deck = machine.deck
    self.now = now
  }

  /// `stopped` or `noMedia` unless the source is current.
  public var state: TransportState { deck.state }
  /// Why playback stopped. Stays until a command starts, stops or moves playback.
  public var failure: TrackFailure? { deck.failure }
  public var error: PlaybackError? { deck.error }
  /// The last track that was skipped because it failed. Stays until a command starts, stops or moves playback, or the track
  /// plays.
  public var skipped: TrackFailure? { deck.skipped }
  /// Number of items that have failed in a row.
  public var failedItems: Int { deck.failedItems }
  /// Whether playback waits because the sender of a received stream sends nothing.
  public var isWaiting: Bool { deck.isWaiting }
  public var item: MediaItem? { deck.item }
  /// The item that describes the current track, unless the item has several tracks: of a received stream, the track that
  /// the sender announces.
  public var shownItem: MediaItem? { deck.shownItem }
  /// Number of tracks of the item: more than one for a playlist that has been read; 0 without an item.
  public var trackCount: Int { deck.trackCount }
  /// From 1; 0 without an item.
  public var trackNumber: Int { deck.trackNumber }
  /// The address of the current track: the item's own, byte for byte, unless the item has several tracks.
  public var trackURI: String? { deck.trackURI }
  /// Changes whenever a track becomes current, even if it is the same one again; 0 without a track.
  public var trackID: Int { deck.trackID }
  public var next: MediaItem? { deck.next }
  public var upcoming: [MediaItem] { deck.upcoming }
  /// The audible position from the beginning of the track. When stopped, where `play` starts.
  public var position: Duration { deck.position(now: now) }
  /// The position to resume the item at later. Only its first track can be resumed, and no stream without seeking.
  var resumePosition: Duration { abilities.seek && trackNumber == 1 ? position : .zero }
  /// The stream's duration, else the item's.
  public var duration: Duration? { deck.duration }
  public var streamInfo: StreamInfo? { deck.streamInfo }
  /// The title that a live stream sends (ICY StreamTitle, or the tags of a chained Ogg stream), else the track's title in
  /// the playlist.
  public var title: String? { deck.title }
  /// The text that the sender of a received stream sends about its track, DIDL-Lite as it was sent; nil for none.
  public var metatext: String? { deck.metatext }
  /// The stream's own tags.
  public var tags: TrackTags { deck.tags }
  /// Whether the stream cannot be resumed where it was paused.
  public var isLive: Bool { deck.isLive }
  /// Whether the item repeats. `next` then waits for a `skipToNext` or the end of repetition.
  public var repeatsOne: Bool { deck.repeatsOne }
  /// What can be done with the item and its tracks. The playlist and the radio have neighbours besides.
  public var abilities: TransportAbilities { deck.abilities }
}
