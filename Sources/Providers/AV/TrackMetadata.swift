import PlaybackModel
import UPnP

/// CurrentTrackMetaData: what is known of the track that plays, always DIDL-Lite that a controller can read.
///
/// It is what the controller said of the item, byte for byte, where that can be read. A live stream's own title takes the
/// place of the title in it. Where nothing was said, or nothing that can be read, an item is made from the title that
/// shows in it, or else from the URI.
struct TrackMetadata {
  private var item: MediaItem?
  private var liveTitle: String?
  private var text = ""

  /// The metadata of the item; reckoned anew only when the item or the title is another one, since positions are asked
  /// for every second.
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
