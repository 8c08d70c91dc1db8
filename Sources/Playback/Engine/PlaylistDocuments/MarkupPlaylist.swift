import CLibXML2
import PlaybackModel

/// Reads the entries of XSPF and ASX playlists with libxml2.
///
/// A well-formed document is read as XML. Most real ASX documents are not: they have unescaped ampersands, unquoted
/// attributes, and tags that differ in case or are never closed. Such documents are read by libxml2's HTML parser,
/// which repairs these errors. Neither parser opens other resources, expands entities or nests deeper than
/// `maximumDepth`.
struct MarkupPlaylist {
  /// The elements of a playlist format. Names are compared in lower case, as ASX requires, and without namespace
  /// prefix.
  struct Dialect {
    let entry: String
    /// Elements that hold an address: in the named attribute, or as their text if the attribute is nil.
    let addresses: [String: String?]

    static let asx = Dialect(entry: "entry", addresses: ["ref": "href", "entryref": "href"])
    static let xspf = Dialect(entry: "track", addresses: ["location": nil])
  }

  static let maximumDepth = 64
  /// Longest start tag or text of an XML document, and longest document for the HTML parser, in bytes. Both parsers
  /// take quadratic time in the number of a tag's attributes.
  static let longestTag = 16 << 10
  static let longestRepairedDocument = 64 << 10

  /// - Parameter isTruncated: whether the end of the document was cut off, so that it cannot be well-formed.
  /// - Returns: the entries in document order, with addresses as written.
  static func tracks(in text: String, _ dialect: Dialect, isTruncated: Bool) -> [ListedTrack] {
    swiftlet_silence_libxml2()
    let utf8 = Array(text.utf8)
    let isShortTagged = utf8.split(separator: UInt8(ascii: "<")).allSatisfy { $0.count <= longestTag }
    if isShortTagged {
      let collector = EntryCollector(dialect)
      let isWellFormed = parseXML(utf8, into: collector)
      if isWellFormed || isTruncated, !collector.tracks.isEmpty { return collector.tracks }
    }
    let collector = EntryCollector(dialect)
    parseHTML(utf8.prefix(longestRepairedDocument), into: collector)
    return collector.tracks
  }

  /// - Returns: whether the document is well-formed and within the limits.
  private static func parseXML(_ document: [UInt8], into collector: EntryCollector) -> Bool {
    guard let parser = xmlNewParserCtxt() else { return false }
    defer { xmlFreeParserCtxt(parser) }
    collector.attach(to: parser, isHTML: false)
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    document.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      xmlFreeDoc(xmlCtxtReadMemory(parser, start, Int32(bytes.count), nil, "UTF-8", Int32(options)))
    }
    return parser.pointee.wellFormed != 0 && !collector.isStopped
  }

  private static func parseHTML(_ document: ArraySlice<UInt8>, into collector: EntryCollector) {
    guard let parser = htmlNewParserCtxt() else { return }
    defer { htmlFreeParserCtxt(parser) }
    collector.attach(to: parser, isHTML: true)
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
      | HTML_PARSE_NOWARNING.rawValue
    document.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      xmlFreeDoc(htmlCtxtReadMemory(parser, start, Int32(bytes.count), nil, "UTF-8", Int32(options)))
    }
  }
}

/// Collects a playlist's entries from SAX events.
private final class EntryCollector {
  private let dialect: MarkupPlaylist.Dialect
  private var parser: xmlParserCtxtPtr?
  /// Set when the document exceeded a limit; `tracks` is empty then.
  private(set) var isStopped = false
  private(set) var tracks: [ListedTrack] = []
  private var depth = 0
  /// The open entry: the index of its first track, and its title.
  private var entry: (first: Int, title: String?)?
  /// The element whose text is being collected.
  private var textElement: (name: String, bytes: [UInt8])?

  init(_ dialect: MarkupPlaylist.Dialect) { self.dialect = dialect }

  /// Makes the parser send its events to this collector, which must outlive it, and build no tree.
  func attach(to parser: xmlParserCtxtPtr, isHTML: Bool) {
    self.parser = parser
    var handler = xmlSAXHandler()
    handler.startElement = { context, name, attributes in
      EntryCollector.from(context)?.start(EntryCollector.name(name), attributes)
    }
    handler.endElement = { context, name in EntryCollector.from(context)?.end(EntryCollector.name(name)) }
    handler.characters = { context, text, count in EntryCollector.from(context)?.add(text, count) }
    handler.cdataBlock = handler.characters
    // A document type could declare entities and default attributes. The HTML parser ignores both.
    if !isHTML { handler.internalSubset = { context, _, _, _ in EntryCollector.from(context)?.stop() } }
    parser.pointee.sax.pointee = handler
    parser.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Nil after the collector has stopped: the parsers may still report the ends of open elements.
  private static func from(_ context: UnsafeMutableRawPointer?) -> EntryCollector? {
    guard let context else { return nil }
    let collector = Unmanaged<EntryCollector>.fromOpaque(context).takeUnretainedValue()
    return collector.isStopped ? nil : collector
  }

  /// The name in lower case without its prefix.
  private static func name(_ text: UnsafePointer<xmlChar>?) -> String {
    let name = text.map { String(cString: $0).lowercased() } ?? ""
    return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  private func start(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
    depth += 1
    guard depth <= MarkupPlaylist.maximumDepth else { return stop() }
    if name == dialect.entry { entry = (tracks.count, nil) }
    if name == "title" { textElement = (name, []) }
    guard let attribute = dialect.addresses[name] else { return }
    if let attribute {
      if let address = Self.value(of: attribute, in: attributes) { tracks.append(ListedTrack(address: address)) }
    } else {
      textElement = (name, [])
    }
  }

  private func add(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    textElement?.bytes += UnsafeBufferPointer(start: text, count: Int(count))
  }

  private func end(_ name: String) {
    depth -= 1
    if let (element, bytes) = textElement, element == name {
      textElement = nil
      let text = String(decoding: bytes, as: UTF8.self).trimmingSpaces()
      if element == "title" { entry?.title = text } else { tracks.append(ListedTrack(address: text)) }
    }
    if name == dialect.entry, let closed = entry {
      for index in closed.first..<tracks.count { tracks[index] = tracks[index].titled(closed.title) }
      entry = nil
    }
  }

  private func stop() {
    isStopped = true
    tracks = []
    xmlStopParser(parser)
  }

  /// - Parameter attributes: names and values in turn, ending with nil; a value is nil if HTML has none.
  private static func value(
    of wanted: String, in attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) -> String? {
    guard var next = attributes else { return nil }
    while let attribute = next.pointee {
      if name(attribute) == wanted, let value = next[1] { return String(cString: value).trimmingSpaces() }
      next += 2
    }
    return nil
  }
}
