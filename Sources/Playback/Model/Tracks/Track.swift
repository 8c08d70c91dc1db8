/// An item to play, as a controller describes it.
public struct MediaItem: Sendable, Equatable {
  /// Its address, byte for byte as given.
  public var uri: String
  /// Metadata, usually DIDL-Lite. Opaque to the player.
  public var metadata: String
  /// Declared duration (`res@duration`), used if the stream declares none. Zero, negative and impossible durations
  /// become nil.
  public var duration: Duration? { didSet { duration = duration?.asLength } }
  /// The caller's own id. Opaque to the player.
  public var tag: UInt32
  /// Whether it is the sound of a program of this speaker. No controller can ask for it by an address.
  package private(set) var isProgram = false

  public init(uri: String, metadata: String = "", duration: Duration? = nil, tag: UInt32 = 0) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration?.asLength
    self.tag = tag
  }

  /// The sound of a program.
  package init(program name: ProgramName, metadata: String) {
    self.init(uri: name.address, metadata: metadata)
    isProgram = true
  }
}

/// One playback of an item. The same item twice in a row is two tracks.
package struct Track: Sendable, Equatable {
  package let id: Int
  package let uri: String
  /// Duration that the media server declares.
  package var duration: Duration?
  /// Whether it is the stream of a Songcast sender or the sound of a program. It is live, and the sender says what plays.
  package let isReceived: Bool

  package init(id: Int, uri: String, duration: Duration? = nil, isProgram: Bool = false) {
    self.id = id
    self.uri = uri
    self.duration = duration
    isReceived = isProgram || uri.uriScheme.map(Self.songcastSchemes.contains) ?? false
  }

  /// A zone, a group and a single sender.
  private static let songcastSchemes: Set<String> = ["ohz", "ohm", "ohu"]

  /// Whether both tracks are on the same server, so that an outage affects both.
  package func isOnSameServer(as other: Track) -> Bool {
    guard let server = HTTPAddress(uri) else { return false }
    return server == HTTPAddress(other.uri)
  }
}

extension [Track] {
  /// The tracks after the given one; all of them if it is not in the list.
  package func after(_ track: Track?) -> [Track] {
    Array(dropFirst(firstIndex { $0 == track }.map { $0 + 1 } ?? 0))
  }
}

/// An entry of a playlist document.
public struct ListedTrack: Sendable, Equatable {
  /// The entry's address. Absolute in the player's results.
  public let address: String
  /// Nil if the list has none, or its encoding is unknown.
  public let title: String?

  /// Maximum number of characters of a title. Longer titles are truncated.
  private static let longestTitle = 500

  package init(address: String, title: String? = nil) {
    self.address = address
    self.title = title.flatMap { title in
      let kept = String(title.prefix(Self.longestTitle)).trimmingSpaces()
      return kept.isEmpty || kept.contains("\u{FFFD}") ? nil : kept
    }
  }

  package func titled(_ title: String?) -> ListedTrack { ListedTrack(address: address, title: title) }
}

/// The entries of a playlist document, and the current one.
struct TrackList: Equatable {
  /// Maximum nesting of playlists.
  private static let maximumDepth = 8
  private static let maximumCount = 1000

  let tracks: [ListedTrack]
  /// Index of the current entry, from 0.
  let index: Int
  /// Number of nested playlists that were expanded.
  private let depth: Int

  /// The first track of a list.
  /// - Parameter tracks: at least one.
  init(_ tracks: [ListedTrack]) {
    self.init(tracks: Array(tracks.prefix(Self.maximumCount)), index: 0, depth: 1)
  }

  private init(tracks: [ListedTrack], index: Int, depth: Int) {
    self.tracks = tracks
    self.index = index
    self.depth = depth
  }

  var track: ListedTrack { tracks[index] }

  /// The same list at another track; nil if the index is out of range.
  func at(_ index: Int) -> TrackList? {
    tracks.indices.contains(index) ? TrackList(tracks: tracks, index: index, depth: depth) : nil
  }

  /// Replaces the current entry, which is itself a playlist, by its entries; nil beyond the maximum depth.
  func expanded(by inner: [ListedTrack]) -> TrackList? {
    guard depth < Self.maximumDepth else { return nil }
    var all = tracks
    all.replaceSubrange(index...index, with: inner)
    return TrackList(tracks: Array(all.prefix(Self.maximumCount)), index: index, depth: depth + 1)
  }
}
