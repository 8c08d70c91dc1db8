import Playback
import PlaybackModel
import UPnP

/// Title, artist and album of the current track, for displays, logs and scripts.
public struct NowPlaying: Sendable, Equatable {
  /// The title from the live stream, else from the metadata, else from the file's tags, else the file name.
  public let title: String?
  public let artist: String?
  public let album: String?

  /// - Parameter deck: of the current source.
  public init(_ deck: Deck) {
    // The metadata of a playlist document does not describe its tracks.
    let metadata = deck.trackCount > 1 ? "" : deck.shownItem?.metadata ?? ""
    let texts = DIDLLite.texts(of: ["artist", "creator", "album"], in: metadata)
    let uri = deck.trackURI ?? ""
    let declared = deck.title ?? DIDLLite.declaredTitle(DIDLLite.Title(in: metadata), ofURI: uri)
    // Tags complete an item without metadata. They do not mix with the metadata of another edition.
    let tags = declared == nil ? deck.tags : TrackTags()
    let live = deck.tags.isLive ? deck.tags : TrackTags()
    self.title = declared ?? tags.title ?? deck.trackURI.map { DIDLLite.title(ofURI: $0) }
    artist = live.artist ?? texts["artist"] ?? texts["creator"] ?? tags.artist
    album = live.album ?? texts["album"] ?? tags.album
  }
}

extension DIDLLite {
  /// The title that the metadata gives an item; nil if it only repeats the file name, as controllers do for addresses
  /// about which they know nothing else.
  package static func declaredTitle(_ title: Title?, ofURI uri: String) -> String? {
    title?.text.flatMap { $0 == self.title(ofURI: uri) ? nil : $0 }
  }
}
