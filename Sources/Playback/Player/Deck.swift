import PlaybackModel

/// What one source shows of itself, at one moment.
public struct Deck: Sendable {
  private let machine: PlayerMachine
  private let now: ContinuousClock.Instant

  init(_ machine: PlayerMachine, now: ContinuousClock.Instant) {
    self.machine = machine
    self.now = now
  }

  /// `stopped` or `noMedia` for every source but the current one.
  public var state: TransportState { machine.state }
  /// Why the current item does not sound; nil from the next command on that starts or replaces it.
  public var error: PlaybackError? { machine.error }
  /// How many items have failed in a row.
  public var failedItems: Int { machine.failedItems }
  public var item: MediaItem? { machine.item }
  /// How many tracks the current item has: more than one for a play list, once it has been read; 0 without an item.
  public var trackCount: Int { machine.trackCount }
  /// Which of them is the current one, from 1; 0 without an item.
  public var trackNumber: Int { machine.trackNumber }
  /// The address of the current track: the item's own, byte for byte, unless that is a play list of several.
  public var trackURI: String? { machine.trackURI }
  /// Another number whenever another track begins to be the current one, the same one again included; 0 without.
  public var trackID: Int { machine.current?.track.id ?? 0 }
  /// What follows the current item without a gap.
  public var next: MediaItem? { machine.next }
  /// All that is to follow it, in order, `next` being the first.
  public var upcoming: [MediaItem] { machine.staged.map(\.item) }
  /// What is heard now, from the beginning of the item; zero when stopped, unless a seek chose where to start.
  public var position: Duration { machine.position(now: now) }
  /// As the stream tells, else as the item does.
  public var duration: Duration? { machine.duration }
  public var streamInfo: StreamInfo? { machine.streamInfo }
  /// The title that a live stream tells with its sound (ICY StreamTitle), else what a play list calls the track.
  public var title: String? { machine.title }
  /// Whether the current item follows itself, over and over; `next` waits for a `skipToNext` or the end of that.
  public var repeatsOne: Bool { machine.repeatsOne }
  /// Whether there is another track, or another item, to skip to.
  public var canSkipToNext: Bool { machine.canSkipToNext }
  public var canSkipToPrevious: Bool { machine.canSkipToPrevious }
  public var canPause: Bool { machine.canPause }
  public var canSeek: Bool { machine.canSeek }
}
