import UPnP

/// The texts of an item's metadata that a page shows.
package struct MetadataTexts: Sendable, Equatable {
  package var title: String?
  package var artist: String?
  package var album: String?
  /// The address of a picture.
  package var art: String?

  /// - Parameter metadata: DIDL-Lite. Malformed metadata has no texts.
  package init(_ metadata: String) {
    let texts = DIDLLite.texts(of: ["title", "artist", "creator", "album", "albumArtURI"], in: metadata)
    title = texts["title"]
    artist = texts["artist"] ?? texts["creator"]
    album = texts["album"]
    art = texts["albumArtURI"]
  }
}
