/// A list of addresses, as radio stations hand out in place of a stream: m3u, pls, xspf or asx.
///
/// HLS play lists look like m3u and are none: they are left to the demuxer.
struct PlaylistDocument: Equatable {
  /// How much of a document is read.
  static let limit = 256 << 10
  /// How many addresses are taken from it.
  static let maximumEntries = 1000

  /// The addresses, absolute, in the order of the document.
  let entries: [String]

  /// Nil if the text is no such list, or holds no address.
  /// - Parameter base: the address that the document came from, for relative ones within.
  init?(_ bytes: [UInt8], base: String) {
    let text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
    let start = text.prefix(1_024).lowercased()
    let found: [String]
    if start.contains("[playlist]") {
      found = Self.pls(text)
    } else if start.contains("<asx") {
      found = Self.attributes("href", ofTags: ["ref", "entryref"], in: text)
    } else if start.contains("<playlist") {
      found = Self.contents(ofTag: "location", in: text)
    } else if !text.contains("#EXT-X-") {
      found = Self.m3u(text, base: base)
    } else {
      return nil
    }
    entries = Array(found.compactMap { Self.resolve($0, base: base) }.prefix(Self.maximumEntries))
    if entries.isEmpty { return nil }
  }

  /// `FileN=address`, in the order of the numbers.
  private static func pls(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line -> (Int, String)? in
      guard line.prefix(4).lowercased() == "file", let equals = line.firstIndex(of: "="),
        let number = Int(line[line.index(line.startIndex, offsetBy: 4)..<equals])
      else { return nil }
      return (number, String(line[line.index(after: equals)...]).trimmingSpaces())
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Every line that is no comment. Any text would do as such a list, so that one without its mark must begin with an
  /// address, or come from an address that says what it is.
  private static func m3u(_ text: String, base: String) -> [String] {
    var text = text
    if text.first == "\u{FEFF}" { text.removeFirst() }
    let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    let entries = lines.filter { !$0.hasPrefix("#") }
    let path = base.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let isMarked = lines.first?.hasPrefix("#EXTM3U") == true || path.hasSuffix(".m3u") || path.hasSuffix(".m3u8")
    guard isMarked || entries.first.map({ HTTPAddress($0) != nil }) == true else { return [] }
    return entries.contains { $0.contains("<") || $0.contains("\0") || $0.contains("\u{FFFD}") } ? [] : entries
  }

  /// The values of an attribute of certain tags, whose names are compared without regard to case as ASX wants it.
  private static func attributes(_ name: String, ofTags tags: [String], in text: String) -> [String] {
    tagBodies(in: text).compactMap { body in
      guard let tag = body.split(whereSeparator: { $0.isWhitespace || $0 == "/" }).first,
        tags.contains(tag.lowercased()),
        let range = body.lowercased().firstRange(of: name)
      else { return nil }
      let offset = body.lowercased().distance(from: body.lowercased().startIndex, to: range.upperBound)
      let rest = body.dropFirst(offset).drop { $0.isWhitespace }
      guard rest.first == "=" else { return nil }
      let value = rest.dropFirst().drop { $0.isWhitespace }
      guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
      return unescaped(value.dropFirst().prefix { $0 != quote })
    }
  }

  /// The text between each opening tag of that name and the next tag.
  private static func contents(ofTag name: String, in text: String) -> [String] {
    text.split(separator: "<").compactMap { piece in
      guard let end = piece.firstIndex(of: ">"), piece[..<end].split(whereSeparator: \.isWhitespace).first == name[...]
      else { return nil }
      return unescaped(piece[piece.index(after: end)...]).trimmingSpaces()
    }
  }

  private static func tagBodies(in text: String) -> [Substring] {
    text.split(separator: "<").compactMap { piece in piece.firstIndex(of: ">").map { piece[..<$0] } }
  }

  /// The five entities of XML and nothing else.
  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    var result = ""
    for (index, piece) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
      guard index > 0 else {
        result += piece
        continue
      }
      let entities = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "apos;": "'"]
      if let (entity, character) = entities.first(where: { piece.hasPrefix($0.key) }) {
        result += character + piece.dropFirst(entity.count)
      } else {
        result += "&" + piece
      }
    }
    return result
  }

  /// An absolute address (RFC 3986 section 5.2, without dot segments, which servers resolve as well).
  static func resolve(_ reference: String, base: String) -> String? {
    if reference.isEmpty { return nil }
    if let scheme = reference.uriScheme, reference.contains("://") || scheme != "c" {
      return scheme == "http" || scheme == "https" ? reference : nil
    }
    guard let scheme = base.uriScheme, let start = base.firstRange(of: "://") else { return nil }
    if reference.hasPrefix("//") { return scheme + ":" + reference }
    let path = base.prefix { $0 != "?" && $0 != "#" }
    let hostEnd = path[start.upperBound...].firstIndex(of: "/") ?? path.endIndex
    if reference.hasPrefix("/") { return path[..<hostEnd] + reference }
    let folder = path[hostEnd...].lastIndex(of: "/").map { path[...$0] }
    return (folder.map(String.init) ?? path + "/") + reference
  }
}
