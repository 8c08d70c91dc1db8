import UPnP

extension MediaObject {
  /// A DIDL-Lite document with only this object, for SetAVTransportURI and a playlist's Insert.
  ///
  /// An object from a server is written as the server wrote it: some renderers play only resources with the server's
  /// exact metadata, and some show vendors' elements.
  public var didlLite: String {
    guard let source else { return DIDLLite.document(element) }
    return DIDLLite.document(verbatim: source.element, namespaces: source.namespaces)
  }

  private var element: String {
    var attributes = [("id", id), ("parentID", parentID), ("restricted", isRestricted ? "1" : "0")]
    if let refID { attributes.append(("refID", refID)) }
    if let childCount { attributes.append(("childCount", "\(childCount)")) }
    var content = XMLText.element("dc:title", title)
    if let creator { content += XMLText.element("dc:creator", creator) }
    content += XMLText.element("upnp:class", objectClass)
    for artist in artists {
      content += XMLText.element("upnp:artist", artist.name, artist.role.map { [("role", $0)] } ?? [])
    }
    if let album { content += XMLText.element("upnp:album", album) }
    for genre in genres { content += XMLText.element("upnp:genre", genre) }
    if let date { content += XMLText.element("dc:date", date) }
    if let originalTrackNumber { content += XMLText.element("upnp:originalTrackNumber", "\(originalTrackNumber)") }
    if let originalDiscNumber { content += XMLText.element("upnp:originalDiscNumber", "\(originalDiscNumber)") }
    if let description { content += XMLText.element("dc:description", description) }
    for uri in albumArtURIs { content += XMLText.element("upnp:albumArtURI", uri) }
    for resource in resources { content += resource.element }
    return "<\(kind.rawValue)\(XMLText.attributes(attributes))>\(content)</\(kind.rawValue)>"
  }
}

extension MediaResource {
  fileprivate var element: String {
    var attributes = [("protocolInfo", protocolInfo.text)]
    if let duration { attributes.append(("duration", UPnPTime.textWithMilliseconds(duration))) }
    func add(_ name: String, _ value: (some CustomStringConvertible)?) {
      if let value { attributes.append((name, value.description)) }
    }
    add("size", size)
    add("bitrate", bytesPerSecond)
    add("sampleFrequency", sampleFrequency)
    add("bitsPerSample", bitsPerSample)
    add("nrAudioChannels", channels)
    add("resolution", resolution)
    add("protection", protection)
    return XMLText.element("res", uri, attributes)
  }
}

/// XML elements as text.
private enum XMLText {
  static func element(_ name: String, _ text: String, _ attributes: [(String, String)] = []) -> String {
    "<\(name)\(self.attributes(attributes))>\(XMLEscape.text(text))</\(name)>"
  }

  static func attributes(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(XMLEscape.attribute($0.1))\"" }.joined()
  }
}
