import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// CurrentTrackMetaData: the metadata of the current track, always valid DIDL-Lite.
///
/// Valid metadata from the controller is passed on byte for byte, with the title of a live stream in place of its own,
/// and with its artist and album.
/// Missing or invalid metadata is replaced by an item with the title found in it, else with the file's tags, else with a
/// title from the URI. The tags also complete metadata whose title is only the file name.
package struct TrackMetadata {
  private var item: MediaItem?
  private var liveTitle: String?
  private var tags = TrackTags()
  private var text = ""

  package init() {}

  /// The metadata of the item. Cached, since controllers call GetPositionInfo every second.
  mutating func text(for item: MediaItem?, liveTitle: String?, tags: TrackTags = TrackTags()) -> String {
    guard item != self.item || liveTitle != self.liveTitle || tags != self.tags else { return text }
    (self.item, self.liveTitle, self.tags) = (item, liveTitle, tags)
    text = item.map { Self.text($0, liveTitle: liveTitle, tags) } ?? ""
    return text
  }

  private static func text(_ item: MediaItem, liveTitle: String?, _ tags: TrackTags) -> String {
    let isReadable = DIDLLite.isReadable(item.metadata)
    let title = DIDLLite.Title(in: item.metadata)
    let isUntitled = liveTitle == nil && DIDLLite.declaredTitle(title, ofURI: item.uri) == nil
    let tags = tags.isLive || isUntitled ? tags : TrackTags()
    if isReadable, liveTitle == nil, tags.isEmpty { return item.metadata }
    let shown = liveTitle ?? tags.title
    if isReadable, let title, let text = shown ?? title.text {
      // The first of several artists counts.
      let known = tags.isLive ? [:] : DIDLLite.texts(of: ["artist", "album"], in: item.metadata)
      return title.replaced(
        by: text, artist: known["artist"] == nil ? tags.artist : nil, album: known["album"] == nil ? tags.album : nil)
    }
    return DIDLLite.item(
      title: shown ?? title?.text ?? DIDLLite.title(ofURI: item.uri), uri: item.uri, artist: tags.artist,
      album: tags.album)
  }
}
