/// The part of DIDL-Lite that a renderer reads and writes (ContentDirectory:1 §2.8, appendix B).
package enum DIDLLite {
  /// The `duration` of the `<res>` with this URI, otherwise of the first that has one; nil if there is none or the metadata
  /// is malformed.
  package static func duration(in metadata: String, uri: String) -> Duration? {
    guard metadata.contains("duration") else { return nil }
    return read(metadata) { reader throws(XMLReadingError) in try firstDuration(in: reader, uri: uri) } ?? nil
  }

  /// Whether control points can use the metadata: it is well-formed and has an item or container, with or without the
  /// element DIDL-Lite around it.
  package static func isReadable(_ metadata: String) -> Bool {
    read(metadata) { reader throws(XMLReadingError) in
      var hasItem = false
      while let node = try reader.next() {
        if case .start = node, ["item", "container"].contains(reader.localName) { hasItem = true }
      }
      return hasItem
    } ?? false
  }

  /// All text within an element; nil if it is malformed.
  static func text(ofElement element: String) -> String? {
    read(element) { reader throws(XMLReadingError) in
      var text = ""
      while let node = try reader.next() {
        if node == .text { text += reader.text }
      }
      return text
    }
  }

  /// The first non-blank text of each element with one of these names, with any prefix; empty if the metadata is malformed.
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

  static func read<T>(
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

  /// The class of an item (ContentDirectory:1 §7).
  package enum ItemClass: String {
    case musicTrack = "object.item.audioItem.musicTrack"
    case audioBroadcast = "object.item.audioItem.audioBroadcast"
    case audioItem = "object.item.audioItem"
  }

  /// An item for a URI.
  /// - Parameters:
  ///   - description: empty for none.
  ///   - artwork: the URL of a picture; empty for none.
  package static func item(
    title: String, uri: String, class itemClass: ItemClass = .musicTrack, description: String = "",
    artwork: String = "", artist: String? = nil, album: String? = nil, protocolInfo: String = "http-get:*:*:*"
  ) -> String {
    let description = description.isEmpty ? "" : "<dc:description>\(XMLEscape.text(description))</dc:description>"
    let artwork = artwork.isEmpty ? "" : "<upnp:albumArtURI>\(XMLEscape.text(artwork))</upnp:albumArtURI>"
    return document(
      """
      <item id="0" parentID="-1" restricted="1"><dc:title>\(XMLEscape.text(title))</dc:title>\(description)\
      <upnp:class>\(itemClass.rawValue)</upnp:class>\(elements(artist: artist, album: album))\(artwork)\
      <res protocolInfo="\(protocolInfo)">\(XMLEscape.text(uri))</res></item>
      """)
  }

  /// Elements of an item. They declare their prefixes, which other metadata may lack.
  static func elements(artist: String?, album: String?) -> String {
    let artist = artist.map {
      """
      <dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">\(XMLEscape.text($0))</dc:creator>\
      <upnp:artist xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">\(XMLEscape.text($0))</upnp:artist>
      """
    }
    let album = album.map {
      "<upnp:album xmlns:upnp=\"urn:schemas-upnp-org:metadata-1-0/upnp/\">\(XMLEscape.text($0))</upnp:album>"
    }
    return (artist ?? "") + (album ?? "")
  }

  /// An item without a URI, for what a stream plays (OpenHome Info's Metatext).
  package static func item(title: String, artist: String? = nil, album: String? = nil) -> String {
    document(
      """
      <item id="0" parentID="-1" restricted="1"><dc:title>\(XMLEscape.text(title))</dc:title>\
      <upnp:class>object.item</upnp:class>\(elements(artist: artist, album: album))</item>
      """)
  }

  /// The title of an item without metadata: the last component of its path, decoded, without the query.
  package static func title(ofURI uri: String) -> String {
    let path = uri.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last.map(String.init) ?? uri
    return name.percentDecoded ?? name
  }
}
