import DeviceStack
import Playback

/// The TrackList that ReadList answers with.
enum TrackListXML {
  /// No track begins beyond so many bytes: an answer is held whole until it is taken, and the longest list that there can
  /// be would be a gigabyte. Sixteen thousand tracks with a kilobyte each are less.
  private static let longest = 32 << 20

  /// - Parameter ids: separated by spaces. What is no id of the list is left out without a word: it may have been
  ///   deleted while the question was on its way.
  static func list(ids: String, of list: Playlist) -> NestedXML {
    // Each once: a list of one id a thousand times over would be a megabyte for nothing.
    var seen: Set<UInt32> = []
    let wanted = ids.utf8.split(separator: UInt8(ascii: " ")).compactMap { word in
      UInt32(Substring(word)).flatMap { seen.insert($0).inserted ? $0 : nil }
    }
    return NestedXML { xml in
      xml.markup("<TrackList>")
      for id in wanted {
        guard xml.length < longest else { break }
        guard let track = list.track(id) else { continue }
        xml.markup("<Entry><Id>\(id)</Id><Uri>")
        xml.text(track.uri)
        xml.markup("</Uri><Metadata>")
        xml.text(track.metadata)
        xml.markup("</Metadata></Entry>")
      }
      xml.markup("</TrackList>")
    }
  }
}
