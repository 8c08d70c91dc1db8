import UPnP

/// The objects of a DIDL-Lite document, and where it deviates from the specification.
public struct MediaObjects: Sendable, Hashable {
  public var objects: [MediaObject]
  /// Objects that cannot be read and are left out.
  public var unreadable: Int
  public var deviations: [Deviation]

  /// Reads leniently: namespaces and the element DIDL-Lite may be missing, and an object that cannot be read is left out.
  /// - Parameter text: objects after the first 20 000 are ignored.
  public init(didlLite text: String) {
    var reader = MediaObjectReader()
    objects = reader.objects(text)
    unreadable = reader.unreadable
    deviations = reader.log.deviations
  }
}

/// Reads DIDL-Lite as servers write it.
private struct MediaObjectReader {
  static let maximumObjects = 20_000
  /// Resources, artists, genres and covers of one object.
  private static let maximumValues = 100

  var log = DeviationLog(place: "DIDL-Lite", source: "ContentDirectory:1 §2.8")
  private(set) var unreadable = 0
  private var namespaces: [DIDLLite.Namespace] = []

  mutating func objects(_ text: String) -> [MediaObject] {
    var text = text
    if !text.utf8.contains(UInt8(ascii: "<")), text.contains("&lt;"),
      let unescaped = try? XMLDocument.read(Array("<t>\(text)</t>".utf8)).root.content
    {
      log.add("The document is escaped twice.")
      text = unescaped
    }
    let splitter = MediaObjectSplitter(text, limit: Self.maximumObjects)
    if let tag = splitter.rootTag {
      namespaces = DIDLLite.namespaces(inTag: tag)
      if namespaces.isEmpty { log.add("DIDL-Lite declares no namespaces.") }
    } else if !splitter.pieces.isEmpty {
      log.add("There is no element DIDL-Lite.")
    } else if !text.trimmingBlanks.isEmpty {
      log.add("The document is not DIDL-Lite.")
    }
    if splitter.isCut { log.add("Objects after the first \(Self.maximumObjects) are ignored.") }
    return splitter.pieces.compactMap { object($0) }
  }

  private mutating func object(_ piece: MediaObjectSplitter.Piece) -> MediaObject? {
    if piece.missingEndTag != nil { log.add("\(piece.kind.withArticle) has no end tag.", source: "XML 1.0 §3") }
    let text = String(piece.text) + (piece.missingEndTag ?? "")
    guard let (element, repaired) = parse(text) else {
      unreadable += 1
      log.add(
        "\(piece.kind.withArticle) is not well-formed and left out: \(piece.text.prefix(80))", source: "XML 1.0 §2.1")
      return nil
    }
    var object = object(piece.kind, element)
    object.source = .init(element: repaired ?? text, namespaces: namespaces)
    return object
  }

  /// - Returns: the element, and its text if it had to be repaired; nil if it cannot be read.
  private mutating func parse(_ text: String) -> (XMLElement, repaired: String?)? {
    // Wrapped in an element, as when it is passed on, so that the depth limit is the same.
    let (start, end) = ("<d>", "</d>")
    guard let reading = try? XMLDocument.read(Array("\(start)\(text)\(end)".utf8)), reading.root.children.count == 1
    else { return nil }
    for repair in reading.repairs { log.add(repair, source: "XML 1.0 §2.4") }
    let repaired = reading.repaired.map {
      String(decoding: $0.dropFirst(start.utf8.count).dropLast(end.utf8.count), as: UTF8.self)
    }
    return (reading.root.children[0], repaired)
  }

  private mutating func object(_ kind: MediaObject.Kind, _ element: XMLElement) -> MediaObject {
    let id = element.attributes["id"] ?? ""
    let place = "The \(kind.rawValue) \(id)"
    func text(_ name: String) -> String? { element.text(name).flatMap { $0.isEmpty ? nil : $0 } }
    func texts(_ name: String) -> [String] {
      element.all(name).prefix(Self.maximumValues).map(\.text).filter { !$0.isEmpty }
    }
    if id.isEmpty { log.add("\(kind.withArticle) has no id.") }
    var object = MediaObject(
      kind, id: id, parentID: log.required(element.attributes["parentID"], "parentID", in: place),
      title: log.required(element.text("title"), "dc:title", in: place),
      objectClass: log.required(element.text("class"), "upnp:class", in: place))
    object.refID = element.attributes["refID"]
    object.isRestricted = !["0", "false", "no"].contains(element.attributes["restricted"]?.lowercased())
    object.childCount = Self.count(element.attributes["childCount"])
    object.creator = text("creator")
    object.artists = element.all("artist").prefix(Self.maximumValues).filter { !$0.text.isEmpty }
      .map { .init($0.text, role: $0.attributes["role"].flatMap { $0.isEmpty ? nil : $0 }) }
    object.album = text("album")
    object.genres = texts("genre")
    object.date = text("date")
    object.originalTrackNumber = Self.number(text("originalTrackNumber"))
    // Gerbera from version 2 on sends the disc as a season.
    object.originalDiscNumber =
      Self.number(text("originalDiscNumber"))
      ?? (object.isDerived(from: "object.item.audioItem") ? Self.number(text("episodeSeason")) : nil)
    object.description = text("description")
    object.artworks = element.all("albumArtURI").prefix(Self.maximumValues).filter { !$0.text.isEmpty }
      .map { .init($0.text, profile: Self.profile($0)) }
    object.resources = element.all("res").prefix(Self.maximumValues).compactMap { resource($0, place) }
    // Rygel and gerbera offer larger pictures as resources.
    object.artworks += object.resources.filter { $0.protocolInfo.mimeType.hasPrefix("image/") }
      .map { .init($0.uri, profile: $0.protocolInfo.info("DLNA.ORG_PN")) }
    return object
  }

  /// - Returns: nil for a resource without a URI, which is allowed (ContentDirectory:1 §B.2.1) but cannot be played.
  private mutating func resource(_ element: XMLElement, _ place: String) -> MediaResource? {
    guard !element.text.isEmpty else { return nil }
    let attributes = element.attributes
    let protocolInfo = log.required(attributes["protocolInfo"], "protocolInfo for a res", in: place)
    var duration: Duration?
    if let text = attributes["duration"], !text.isEmpty {
      duration = UPnPTime.duration(text)
      if duration == nil {
        log.add("\(place) has the invalid duration \"\(text)\".", source: "ContentDirectory:1 §B.2.1")
      }
    }
    let size = attributes["size"].flatMap { UInt64($0.trimmingBlanks) }
    return MediaResource(
      uri: element.text, protocolInfo: ProtocolInfo(protocolInfo), duration: duration, size: size,
      bytesPerSecond: bytesPerSecond(Self.count(attributes["bitrate"]), size, duration, place),
      sampleFrequency: sampleFrequency(Self.count(attributes["sampleFrequency"]), place),
      bitsPerSample: Self.count(attributes["bitsPerSample"]), channels: Self.count(attributes["nrAudioChannels"]),
      resolution: attributes["resolution"], protection: attributes["protection"])
  }

  /// The rate in bytes, also if size and duration show that the server (minidlna 1.3) sends bits.
  private mutating func bytesPerSecond(
    _ rate: Int?, _ size: UInt64?, _ duration: Duration?, _ place: String
  ) -> Int? {
    guard let rate, let size, size > 0, let duration, duration > .zero else { return rate }
    let seconds = duration / .seconds(1)
    let expected = Double(size) / seconds
    guard (6...10).contains(Double(rate) / expected) else { return rate }
    log.add("\(place) has a bitrate in bits per second.", source: "ContentDirectory:1 §B.2.1")
    return rate / 8
  }

  /// - Returns: nil for a number that cannot be a sample rate: rygel 0.42 sends kbit/s for its conversions.
  private mutating func sampleFrequency(_ rate: Int?, _ place: String) -> Int? {
    guard let rate, rate < 1000 else { return rate }
    log.add("\(place) has the sampleFrequency \(rate).", source: "ContentDirectory:1 §B.2.1")
    return nil
  }

  /// `dlna:profileID`, with any prefix.
  private static func profile(_ element: XMLElement) -> String? {
    element.attributes.first { $0.key == "profileID" || $0.key.hasSuffix(":profileID") }?.value
  }

  /// A number from 1, also as `3/12`, as it is in tags and as gerbera passes it on.
  private static func number(_ text: String?) -> Int? {
    count(text.map { String($0.prefix { $0 != "/" }) }).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func count(_ text: String?) -> Int? {
    text.flatMap { Int($0.trimmingBlanks) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension MediaObject.Kind {
  fileprivate var withArticle: String { self == .item ? "An item" : "A container" }
}
