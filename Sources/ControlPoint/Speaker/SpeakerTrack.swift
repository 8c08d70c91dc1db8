import UPnP

/// An item to play: its URI and the metadata that a speaker shows.
public struct SpeakerItem: Sendable, Hashable {
  public var uri: String
  /// A DIDL-Lite document, or empty. Speakers send it back as it is.
  public var metadata: String

  public init(uri: String, metadata: String = "") {
    self.uri = uri
    self.metadata = metadata
  }

  /// An object of a media server, in one of its forms; `ResourceChoice` finds the best one for a speaker.
  public init(_ object: MediaObject, resource: MediaResource) {
    self.init(uri: resource.uri, metadata: object.didlLite)
  }

  public var track: SpeakerTrack { SpeakerTrack(self) }
}

/// The metadata of a track, from DIDL-Lite. Empty texts are nil.
public struct SpeakerTrack: Sendable, Hashable {
  public var uri: String
  public var title: String?
  public var artist: String?
  public var album: String?
  public var artwork: String?
  public var duration: Duration?

  public init(
    uri: String, title: String? = nil, artist: String? = nil, album: String? = nil, artwork: String? = nil,
    duration: Duration? = nil
  ) {
    self.uri = uri
    self.title = title
    self.artist = artist
    self.album = album
    self.artwork = artwork
    self.duration = duration
  }

  init(_ item: SpeakerItem) {
    self.init(uri: item.uri)
    guard !item.metadata.isAbsentValue, let object = MediaObjects(didlLite: item.metadata).objects.first else { return }
    title = object.title.isEmpty ? nil : object.title
    artist = object.artist
    album = object.album
    artwork = object.albumArtURIs.first
    duration = object.resources.first { $0.uri == item.uri }?.duration ?? object.duration
  }
}

/// The playback state of a speaker, the same for all services.
public enum PlaybackState: String, Sendable, Hashable {
  case playing, paused, stopped
  /// OpenHome's Buffering, AVTransport's TRANSITIONING.
  case buffering
  /// A receiver without a sender.
  case waiting
  case noMedia
  /// A state that no specification names.
  case unknown

  /// Reads TransportState of OpenHome's services and of AVTransport (AVTransport:1 §2.2.1).
  public init(transportState: String) {
    self =
      switch transportState.trimmingBlanks.uppercased() {
      case "PLAYING": .playing
      case "PAUSED", "PAUSED_PLAYBACK": .paused
      case "STOPPED": .stopped
      case "BUFFERING", "TRANSITIONING": .buffering
      case "WAITING": .waiting
      case "NO_MEDIA_PRESENT": .noMedia
      default: .unknown
      }
  }
}

/// A snapshot of a speaker's playback.
public struct NowPlaying: Sendable, Hashable {
  public var state: PlaybackState
  /// Nil if nothing is selected.
  public var track: SpeakerTrack?
  /// The current title of a live stream (OpenHome Info's Metatext).
  public var streamTitle: String?
  /// Nil for streams, and if the speaker does not know it.
  public var duration: Duration?
  /// Nil if the speaker does not know it.
  public var position: Duration?
  /// When `position` was read. While the state is `playing`, the position advances from then on.
  public var instant: ContinuousClock.Instant
  /// The number of the track in the speaker's queue, from 0; nil without a queue.
  public var queueIndex: Int?
  /// Nil without a queue.
  public var queueCount: Int?
  /// Nil if the speaker has no OpenHome sources.
  public var source: SpeakerSource?

  public init(
    state: PlaybackState, track: SpeakerTrack? = nil, streamTitle: String? = nil, duration: Duration? = nil,
    position: Duration? = nil, instant: ContinuousClock.Instant = .now, queueIndex: Int? = nil,
    queueCount: Int? = nil, source: SpeakerSource? = nil
  ) {
    self.state = state
    self.track = track
    self.streamTitle = streamTitle
    self.duration = duration
    self.position = position
    self.instant = instant
    self.queueIndex = queueIndex
    self.queueCount = queueCount
    self.source = source
  }

  /// The position at a later moment.
  public func position(at instant: ContinuousClock.Instant) -> Duration? {
    guard let position else { return nil }
    guard state == .playing, instant > self.instant else { return position }
    let later = position + self.instant.duration(to: instant)
    return duration.map { max(position, min($0, later)) } ?? later
  }

  /// Whether the later value differs only by the time that has passed.
  public func isContinued(by later: NowPlaying, tolerance: Duration = .seconds(2)) -> Bool {
    var comparable = later
    comparable.instant = instant
    comparable.position = position
    guard comparable == self else { return false }
    guard let expected = position(at: later.instant), let actual = later.position else {
      return position == later.position
    }
    let difference = actual - expected
    return difference < tolerance && difference > .zero - tolerance
  }
}

public struct SpeakerQueue: Sendable, Hashable {
  public struct Entry: Sendable, Hashable {
    /// The id for `remove(ids:)` and `play(id:)`; nil on a speaker without an OpenHome playlist.
    public var id: UInt32?
    public var item: SpeakerItem

    public init(id: UInt32?, item: SpeakerItem) {
      self.id = id
      self.item = item
    }
  }

  public var entries: [Entry]
  /// The index of the current track; nil if there is none.
  public var currentIndex: Int?

  public init(entries: [Entry], currentIndex: Int? = nil) {
    self.entries = entries
    self.currentIndex = currentIndex
  }
}
