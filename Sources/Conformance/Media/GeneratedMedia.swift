import UPnP

/// An audio file of known content that a check serves to the device. It is quiet.
struct GeneratedMedia: Sendable {
  /// The file name, with the extension.
  var name: String
  var bytes: [UInt8]
  var mimeType: String
  /// The fourth field of protocolInfo.
  var additionalInfo = "*"
  /// Seconds; 0 if it is unknown or endless.
  var duration: Double

  var protocolInfo: String { "http-get:*:\(mimeType):\(additionalInfo)" }

  /// DIDL-Lite with one item.
  func metadata(url: String, title: String = "Conformance test") -> String {
    let time = UPnPTime.text(.seconds(duration))
    let fraction = Int((duration * 1000).rounded()) % 1000
    let milliseconds = String(String(1000 + fraction).dropFirst())
    let extent = duration > 0 ? " duration=\"\(time).\(milliseconds)\" size=\"\(bytes.count)\"" : ""
    return """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">\
      <item id="1" parentID="0" restricted="1"><dc:title>\(XMLEscape.text(title))</dc:title>\
      <upnp:class>object.item.audioItem.musicTrack</upnp:class>\
      <res protocolInfo="\(XMLEscape.attribute(protocolInfo))"\(extent)>\(XMLEscape.text(url))</res></item></DIDL-Lite>
      """
  }
}
