import PlaybackModel

/// A list of addresses, as radio stations hand out in place of a stream: m3u, pls, xspf or asx.
///
/// HLS play lists look like m3u and are none: they are left to the demuxer.
struct PlaylistDocument: Equatable {
  /// How much of a document is read.
  static let limit = 256 << 10
  /// How many addresses are taken from it.
  static let maximumEntries = 1000

  /// The tracks with absolute addresses, in the order of the document.
  let tracks: [ListedTrack]

  /// Nil if the text is no such list, or holds no address.
  /// - Parameter base: the address that the document came from, for relative ones within.
  init?(_ bytes: [UInt8], base: String) {
    var bytes = bytes[...]
    // A line that was cut off is none.
    if bytes.count >= Self.limit {
      bytes = bytes.prefix(Self.limit)
      bytes = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex)]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(1_024).lowercased()
    let found: [ListedTrack]
    if start.contains("[playlist]") {
      found = Self.pls(text)
    } else if start.contains("<asx") {
      found = Self.marked(text, entry: "entry", addresses: ["ref": "href", "entryref": "href"])
    } else if start.contains("<playlist") {
      found = Self.marked(text, entry: "track", addresses: ["location": nil])
    } else if !text.contains("#EXT-X-") {
      found = Self.m3u(text, base: base)
    } else {
      return nil
    }
    let absolute = found.compactMap { track in
      Self.resolve(track.address, base: base).map { ListedTrack(address: $0, title: track.title) }
    }
    tracks = Array(absolute.prefix(Self.maximumEntries))
    if tracks.isEmpty { return nil }
  }

  /// `FileN=address` and `TitleN=title`, in the order of the numbers.
  private static func pls(_ text: String) -> [ListedTrack] {
    var files: [Int: String] = [:]
    var titles: [Int: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let key = String(line[..<equals]).trimmingSpaces().lowercased()
      let value = String(line[line.index(after: equals)...]).trimmingSpaces()
      if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) { files[number] = value }
      if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) { titles[number] = value }
    }
    return files.sorted { $0.key < $1.key }.map { ListedTrack(address: $0.value, title: titles[$0.key]) }
  }

  /// Every line that is no comment. Any text would do as such a list, so that one without its mark must begin with an
  /// address, or come from an address that says what it is.
  private static func m3u(_ text: String, base: String) -> [ListedTrack] {
    var text = text
    if text.first == "\u{FEFF}" { text.removeFirst() }
    let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
    var tracks: [ListedTrack] = []
    var title: String?
    for line in lines {
      if line.hasPrefix("#EXTINF:") {
        title = extendedTitle(line)
      } else if !line.hasPrefix("#") {
        tracks.append(ListedTrack(address: line, title: title))
        title = nil
      }
    }
    let path = base.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let isMarked = lines.first?.hasPrefix("#EXTM3U") == true || path.hasSuffix(".m3u") || path.hasSuffix(".m3u8")
    guard isMarked || tracks.first.map({ HTTPAddress($0.address) != nil }) == true else { return [] }
    let isText = !tracks.contains { $0.address.contains { $0 == "<" || $0 == "\0" || $0 == "\u{FFFD}" } }
    return isText ? tracks : []
  }

  /// What stands after the comma of `#EXTINF:123 name="value",Title`; values may have commas of their own.
  private static func extendedTitle(_ line: String) -> String? {
    let afterValues = line.ranges(of: "\",").last.map { line[$0.upperBound...] }
    return (afterValues ?? line.firstIndex(of: ",").map { line[line.index(after: $0)...] }).map(String.init)
  }

  /// XSPF and ASX: entries with an address and perhaps a title, in either order. ASX wants the names of its tags to be
  /// read without regard to case.
  /// - Parameter addresses: the tags that hold an address, by the attribute that does or as their text.
  private static func marked(_ text: String, entry: String, addresses: [String: String?]) -> [ListedTrack] {
    var tracks: [ListedTrack] = []
    var open: (first: Int, title: String?)?
    for piece in text.split(separator: "<") {
      guard let end = piece.firstIndex(of: ">") else { continue }
      let tag = piece[..<end]
      let name = tag.prefix { !$0.isWhitespace }.lowercased()
      let content = unescaped(piece[piece.index(after: end)...]).trimmingSpaces()
      let element = name.hasPrefix("/") ? name : String(name.prefix { $0 != "/" })
      if element == entry {
        open = (tracks.count, nil)
      } else if element == "/" + entry, let closed = open {
        for index in closed.first..<tracks.count { tracks[index] = tracks[index].titled(closed.title) }
        open = nil
      } else if element == "title" {
        open?.title = content
      } else if let attribute = addresses[element] {
        let address = attribute.map { Self.attribute($0, of: tag) } ?? content
        if let address { tracks.append(ListedTrack(address: address)) }
      }
    }
    return tracks
  }

  /// The value of a tag's attribute.
  private static func attribute(_ name: String, of tag: Substring) -> String? {
    guard let range = tag.lowercased().firstRange(of: name) else { return nil }
    let offset = tag.lowercased().distance(from: tag.lowercased().startIndex, to: range.upperBound)
    let rest = tag.dropFirst(offset).drop { $0.isWhitespace }
    guard rest.first == "=" else { return nil }
    let value = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return unescaped(value.dropFirst().prefix { $0 != quote })
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
