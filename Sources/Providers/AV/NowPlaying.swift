import Playback
import UPnP

/// What people want to know of a track: for displays, logs and scripts.
public struct NowPlaying: Sendable, Equatable {
  /// What the stream itself tells, else what the giver said, else the name of the file.
  public let title: String?
  public let artist: String?
  public let album: String?

  /// - Parameter deck: of the source that is heard.
  public init(_ deck: Deck) {
    // What was said of a list does not speak of its tracks.
    let metadata = deck.trackCount > 1 ? "" : deck.item?.metadata ?? ""
    let said = DIDLLite.texts(of: ["artist", "creator", "album"], in: metadata)
    let title = deck.title ?? DIDLLite.Title(in: metadata)?.text
    self.title = title ?? deck.trackURI.map { DIDLLite.title(ofURI: $0) }
    artist = said["artist"] ?? said["creator"]
    album = said["album"]
  }
}
