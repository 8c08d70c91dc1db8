import Playback
import PlaybackModel
import UPnP

/// CurrentTrackMetaData: the metadata of the current track, always valid DIDL-Lite.
///
/// Valid metadata from the controller is passed on byte for byte, with the title of a live stream in place of its own.
/// Missing or invalid metadata is replaced by an item with the title found in it, else with a title from the URI.
struct TrackMetadata {
  private var item: MediaItem?
  private var liveTitle: String?
  private var text = ""

  /// The metadata of the item. Cached, since controllers call GetPositionInfo every second.
  mutating func text(for item: MediaItem?, liveTitle: String?) -> String {
    guard item != self.item || liveTitle != self.liveTitle else { return text }
    (self.item, self.liveTitle) = (item, liveTitle)
    text = item.map { Self.text($0, liveTitle: liveTitle) } ?? ""
    return text
  }

  private static func text(_ item: MediaItem, liveTitle: String?) -> String {
    let isReadable = DIDLLite.isReadable(item.metadata)
    if isReadable, liveTitle == nil { return item.metadata }
    let title = DIDLLite.Title(in: item.metadata)
    if isReadable, let title, let liveTitle { return title.replaced(by: liveTitle) }
    return DIDLLite.item(
      title: liveTitle ?? title?.text ?? DIDLLite.title(ofURI: item.uri), uri: item.uri)
  }
}

/// Title, artist and album of the current track, for displays, logs and scripts.
public struct NowPlaying: Sendable, Equatable {
  /// The title from the stream, else from the metadata, else the file name.
  public let title: String?
  public let artist: String?
  public let album: String?

  /// - Parameter deck: of the current source.
  public init(_ deck: Deck) {
    // The metadata of a play list does not describe its tracks.
    let metadata = deck.trackCount > 1 ? "" : deck.item?.metadata ?? ""
    let texts = DIDLLite.texts(of: ["artist", "creator", "album"], in: metadata)
    let title = deck.title ?? DIDLLite.Title(in: metadata)?.text
    self.title = title ?? deck.trackURI.map { DIDLLite.title(ofURI: $0) }
    artist = texts["artist"] ?? texts["creator"]
    album = texts["album"]
  }
}
