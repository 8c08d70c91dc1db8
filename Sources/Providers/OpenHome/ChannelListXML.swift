import Playback
import UPnP

/// The ChannelList of Radio's ReadList.
enum ChannelListXML {
  /// - Parameter ids: separated by spaces. Unknown ids are skipped, such as the zeros of IdArray.
  static func text(ids: String, of radio: RadioSource) -> String {
    var text = "<ChannelList>"
    var seen: Set<UInt32> = []
    for word in ids.split(separator: " ") {
      // Repeated ids are answered once, so that a short request cannot make a large answer.
      guard let id = UInt32(word), seen.insert(id).inserted, let metadata = radio.metadata(of: id) else { continue }
      text += "<Entry><Id>\(id)</Id><Metadata>\(XMLEscape.text(metadata))</Metadata></Entry>"
    }
    return text + "</ChannelList>"
  }
}
