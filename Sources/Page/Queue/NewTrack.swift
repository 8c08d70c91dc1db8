import PlaybackModel
import UPnP

/// A track in the body of a command.
struct NewTrack: Decodable {
  /// Longest texts, in bytes.
  private static let maximumBytes = 16_384

  let uri: String
  /// DIDL-Lite; in place of the members below.
  let metadata: String?
  let title: String?
  let artist: String?
  let album: String?
  /// The address of a picture.
  let art: String?
  /// Seconds.
  let duration: Double?

  /// - Parameter field: the track's place in the body, for messages.
  func track(_ field: String) throws(Problem) -> PlaylistTrack {
    try WebAddress.check(uri, "\(field).uri")
    for (name, text) in [("title", title), ("artist", artist), ("album", album), ("art", art), ("metadata", metadata)] {
      guard text?.utf8.count ?? 0 <= Self.maximumBytes else { throw .wrong("\(field).\(name)", "is too long") }
    }
    if let metadata {
      guard DIDLLite.isReadable(metadata) else { throw .wrong("\(field).metadata", "is not DIDL-Lite") }
      return PlaylistTrack(uri: uri, metadata: DIDLLite.wellFormed(metadata, uri: uri))
    }
    return PlaylistTrack(uri: uri, metadata: try written(field))
  }

  /// DIDL-Lite made from the members.
  private func written(_ field: String) throws(Problem) -> String {
    var time = ""
    if let duration {
      guard (0...1e6).contains(duration) else { throw .wrong("\(field).duration", "is not a duration in seconds") }
      time = " duration=\"\(UPnPTime.text(.milliseconds(Int64(duration * 1000))))\""
    }
    let texts = [("dc:creator", artist), ("upnp:artist", artist), ("upnp:album", album), ("upnp:albumArtURI", address)]
    let elements = texts.map { name, text in text.map { "<\(name)>\(XMLEscape.text($0))</\(name)>" } ?? "" }.joined()
    return DIDLLite.document(
      """
      <item id="0" parentID="-1" restricted="1"><dc:title>\(XMLEscape.text(title ?? DIDLLite.title(ofURI: uri)))\
      </dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>\(elements)\
      <res protocolInfo="http-get:*:*:*"\(time)>\(XMLEscape.text(uri))</res></item>
      """)
  }

  /// The address of the picture; nil for a path of the API, which other controllers cannot use.
  private var address: String? { art.flatMap { WebAddress.isValid($0) ? $0 : nil } }
}
