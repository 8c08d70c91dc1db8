import DeviceStack
import Playback

/// The TrackList that ReadList answers with.
enum TrackListXML {
  /// - Parameter ids: separated by spaces. What is no id of the list is left out without a word: it may have been
  ///   deleted while the question was on its way.
  static func text(ids: String, of list: Playlist) -> String {
    var text = "<TrackList>"
    var seen: Set<UInt32> = []
    for word in ids.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") }) {
      // Each once: a list of one id a thousand times over would be a megabyte for nothing.
      guard let id = UInt32(Substring(word)), seen.insert(id).inserted, let track = list.track(id) else { continue }
      text += "<Entry><Id>\(id)</Id><Uri>"
      text += XMLEscape.text(track.uri)
      text += "</Uri><Metadata>"
      text += XMLEscape.text(track.metadata)
      text += "</Metadata></Entry>"
    }
    return text + "</TrackList>"
  }
}
