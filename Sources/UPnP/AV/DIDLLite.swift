/// The little of DIDL-Lite that a renderer has to read and write (ContentDirectory:1 §2.8, appendix B).
package enum DIDLLite {
  /// How long the item says it is: the `duration` of the `<res>` that is the URI, else of the first that has one; nil
  /// where the metadata is missing, is no XML, or does not say.
  package static func duration(in metadata: String, uri: String) -> Duration? {
    guard metadata.contains("duration") else { return nil }
    return read(metadata) { reader throws(XMLReadingError) in try firstDuration(in: reader, uri: uri) } ?? nil
  }

  /// Whether a controller could make something of it: well-formed, with an item in it. A bare item will do, and so will
  /// a container.
  package static func isReadable(_ metadata: String) -> Bool {
    read(metadata) { reader throws(XMLReadingError) in
      var hasItem = false
      while let node = try reader.next() {
        if case .start = node, ["item", "container"].contains(reader.localName) { hasItem = true }
      }
      return hasItem
    } ?? false
  }

  /// All text within an element; nil if it is not well-formed.
  static func text(ofElement element: String) -> String? {
    read(element) { reader throws(XMLReadingError) in
      var text = ""
      while let node = try reader.next() {
        if node == .text { text += reader.text }
      }
      return text
    }
  }

  /// The text of the first element of each of these names, whatever its prefix, that has any; none where the metadata is
  /// not well-formed.
  package static func texts(of names: Set<String>, in metadata: String) -> [String: String] {
    guard !metadata.isEmpty else { return [:] }
    return read(metadata) { reader throws(XMLReadingError) in
      var texts: [String: String] = [:]
      var text = ""
      while let node = try reader.next() {
        switch node {
        case .start: text = ""
        case .text: text += reader.text
        case .end:
          let name = reader.localName
          guard names.contains(name), texts[name] == nil, !text.allSatisfy(\.isWhitespace) else { continue }
          texts[name] = text
        }
      }
      return texts
    } ?? [:]
  }

  private static func read<T>(
    _ text: String, _ body: (borrowing XMLPullReader) throws(XMLReadingError) -> T
  ) -> T? {
    var text = text
    return text.withUTF8 { bytes in
      guard let reader = XMLPullReader(UnsafeRawBufferPointer(bytes)) else { return nil }
      return try? body(reader)
    }
  }

  private static func firstDuration(
    in reader: borrowing XMLPullReader, uri: String
  ) throws(XMLReadingError) -> Duration? {
    var first: Duration?
    var current: Duration?
    var text = ""
    while let node = try reader.next() {
      switch node {
      case .start(let isEmpty):
        guard reader.localName == "res" else { continue }
        current = reader.attributes.first { $0.name == "duration" }.flatMap { UPnPTime.duration($0.value) }
        first = first ?? current
        text = ""
        if isEmpty { current = nil }
      case .text: text += reader.text
      case .end:
        if reader.localName == "res", let current, text == uri { return current }
      }
    }
    return first
  }

  /// What kind of thing an item is (ContentDirectory:1 §7).
  package enum ItemClass: String {
    case musicTrack = "object.item.audioItem.musicTrack"
    case audioBroadcast = "object.item.audioItem.audioBroadcast"
  }

  /// An item for a URI, with what is known of it.
  /// - Parameters:
  ///   - description: empty for none, as the artwork.
  ///   - artwork: the address of a picture.
  package static func item(
    title: String, uri: String, class itemClass: ItemClass = .musicTrack, description: String = "",
    artwork: String = ""
  ) -> String {
    let description = description.isEmpty ? "" : "<dc:description>\(XMLEscape.text(description))</dc:description>"
    let artwork = artwork.isEmpty ? "" : "<upnp:albumArtURI>\(XMLEscape.text(artwork))</upnp:albumArtURI>"
    return """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="0" parentID="-1" restricted="1">\
      <dc:title>\(XMLEscape.text(title))</dc:title>\(description)\
      <upnp:class>\(itemClass.rawValue)</upnp:class>\(artwork)\
      <res protocolInfo="http-get:*:*:*">\(XMLEscape.text(uri))</res></item></DIDL-Lite>
      """
  }

  /// An item that is nothing but a title: what a stream says of itself (Info's Metatext).
  package static func item(title: String) -> String {
    """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="0" parentID="-1" restricted="1">\
    <dc:title>\(XMLEscape.text(title))</dc:title><upnp:class>object.item</upnp:class></item></DIDL-Lite>
    """
  }

  /// What to call an item without metadata: the last part of its path, decoded, without the query.
  package static func title(ofURI uri: String) -> String {
    let path = uri.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last.map(String.init) ?? uri
    return name.percentDecoded ?? name
  }
}
