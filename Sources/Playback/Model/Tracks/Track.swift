/// An item to play, as a controller describes it.
public struct MediaItem: Sendable, Equatable {
  /// Its address, byte for byte as given.
  public var uri: String
  /// Metadata, usually DIDL-Lite. Stored and returned, never read here.
  public var metadata: String
  /// Declared length (`res@duration`), used where the stream has none.
  public var duration: Duration?
  /// The controller's or playlist's own id; never read here.
  public var tag: UInt32

  public init(uri: String, metadata: String = "", duration: Duration? = nil, tag: UInt32 = 0) {
    self.uri = uri
    self.metadata = metadata
    self.duration = duration
    self.tag = tag
  }
}

/// One playback of an item. The same item twice in a row is two tracks.
package struct Track: Sendable, Equatable {
  package let id: Int
  package let uri: String
  /// Length as the media server declares it.
  package var duration: Duration?

  package init(id: Int, uri: String, duration: Duration? = nil) {
    self.id = id
    self.uri = uri
    self.duration = duration
  }

  /// Whether both tracks are on the same server, so that an outage affects both.
  package func isOnSameServer(as other: Track) -> Bool {
    guard let server = HTTPAddress(uri) else { return false }
    return server == HTTPAddress(other.uri)
  }

  /// The likelier one of the declared length and an estimate by bit rate. A media server has read the whole file, but may
  /// declare whole seconds only; then the estimate is kept.
  package func likelierDuration(than estimate: Duration) -> Duration {
    guard let duration, duration > .zero else { return estimate }
    let isSame = abs(duration.nanoseconds - estimate.nanoseconds) < min(1_000_000_000, duration.nanoseconds / 100)
    return isSame ? estimate : duration
  }
}

extension [Track] {
  /// The tracks that follow the one that is heard; all of them if it is another track.
  package func after(_ heard: Track?) -> [Track] {
    Array(dropFirst(firstIndex { $0 == heard }.map { $0 + 1 } ?? 0))
  }
}
