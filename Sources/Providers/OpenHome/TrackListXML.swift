import PlaybackModel
import UPnP

/// The TrackList of Playlist's ReadList.
enum TrackListXML {
  /// Stops adding tracks beyond this many bytes, since the answer is held in memory: the longest possible list would make
  /// a gigabyte. 16 000 tracks with a kilobyte of metadata each stay below.
  private static let longest = 32 << 20

  /// - Parameter ids: separated by spaces. Unknown ids are skipped: a track may have been deleted while the request was on
  ///   its way.
  static func list(ids: String, of list: Playlist) -> NestedXML {
    // Repeated ids are answered once, so that a short request cannot make a large answer.
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
