import DeviceStack
import Playback

/// The ChannelList that Radio's ReadList answers with.
enum ChannelListXML {
  /// - Parameter ids: separated by spaces. What is no preset's id is left out without a word, such as the zeros of
  ///   IdArray.
  static func text(ids: String, of radio: RadioSource) -> String {
    var text = "<ChannelList>"
    var seen: Set<UInt32> = []
    for word in ids.split(separator: " ") {
      // Each once: one id a thousand times over would be a megabyte for nothing.
      guard let id = UInt32(word), seen.insert(id).inserted, let metadata = radio.metadata(of: id) else { continue }
      text += "<Entry><Id>\(id)</Id><Metadata>\(XMLEscape.text(metadata))</Metadata></Entry>"
    }
    return text + "</ChannelList>"
  }
}
