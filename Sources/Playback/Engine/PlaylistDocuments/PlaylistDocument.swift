import CGStreamer
import PlaybackModel

/// A playlist document: M3U, PLS, XSPF or ASX, which radio stations publish in place of a stream.
///
/// HLS playlists, which look like M3U, are not read: GStreamer's demuxer plays them.
struct PlaylistDocument: Equatable {
  /// Maximum number of bytes that are read of a document.
  static let limit = 256 << 10
  /// Maximum number of tracks that are taken from a document.
  static let maximumEntries = 1000

  /// The tracks in document order, with absolute addresses.
  let tracks: [ListedTrack]

  /// Nil if the text is not a playlist or lists no playable address.
  /// - Parameter base: the document's own address, for relative references.
  init?(_ bytes: [UInt8], base: String) {
    var bytes = bytes[...]
    let isTruncated = bytes.count >= Self.limit
    // The last line may be incomplete.
    if isTruncated {
      bytes = bytes.prefix(Self.limit)
      bytes = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex)]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(1_024).lowercased()
    let found: [ListedTrack]
    if start.contains("[playlist]") {
      found = Self.pls(text)
    } else if start.contains("<asx") {
      found = MarkupPlaylist.tracks(in: text, .asx, isTruncated: isTruncated)
    } else if start.contains("<playlist") {
      found = MarkupPlaylist.tracks(in: text, .xspf, isTruncated: isTruncated)
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

  /// All lines that are not comments. Since any text has such lines, a list without `#EXTM3U` must begin with an
  /// address or have a name ending in `.m3u` or `.m3u8`.
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

  /// The title in `#EXTINF:123 name="value",Title`, where values may contain commas.
  private static func extendedTitle(_ line: String) -> String? {
    let afterValues = line.ranges(of: "\",").last.map { line[$0.upperBound...] }
    return (afterValues ?? line.firstIndex(of: ",").map { line[line.index(after: $0)...] }).map(String.init)
  }

  /// Resolves a reference against the address of its document (RFC 3986 §5.2). Absolute addresses stay as written.
  /// - Returns: nil for an invalid reference, and for an absolute one that is neither http nor https.
  static func resolve(_ reference: String, base: String) -> String? {
    if reference.isEmpty { return nil }
    if let scheme = reference.uriScheme { return scheme == "http" || scheme == "https" ? reference : nil }
    guard let resolved = swiftlet_resolve_reference(base, reference) else { return nil }
    defer { g_free(resolved) }
    let address = String(cString: resolved)
    // GLib ignores blanks within a reference, so that it may find a scheme where there seemed to be none.
    return address.uriScheme == "http" || address.uriScheme == "https" ? address : nil
  }
}
