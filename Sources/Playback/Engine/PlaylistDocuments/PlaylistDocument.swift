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
    let text = PlaylistText.decode(bytes) ?? String(decoding: bytes, as: UTF8.self)
    let start = text.prefix(1_024).lowercased()
    let found: [ListedTrack]
    if start.contains("[playlist]") {
      found = PlaylistText.pls(text)
    } else if start.contains("[reference]") {
      found = PlaylistText.references(text)
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

  /// Since any text has lines, a list without `#EXTM3U` must begin with an address or have a name ending in `.m3u` or
  /// `.m3u8`.
  private static func m3u(_ text: String, base: String) -> [ListedTrack] {
    let tracks = PlaylistText.m3u(text)
    let path = base.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let isMarked =
      text.drop { $0.isWhitespace }.hasPrefix("#EXTM3U") || path.hasSuffix(".m3u") || path.hasSuffix(".m3u8")
    guard isMarked || tracks.first.map({ HTTPAddress($0.address) != nil }) == true else { return [] }
    let isText = !tracks.contains { $0.address.contains { $0 == "<" || $0 == "\0" || $0 == "\u{FFFD}" } }
    return isText ? tracks : []
  }

  /// Resolves a reference against the address of its document (RFC 3986 §5.2). Absolute addresses stay as written.
  /// - Returns: nil for an invalid reference, and for an address without a host or that is neither http nor https.
  static func resolve(_ reference: String, base: String) -> String? {
    if reference.isEmpty { return nil }
    if reference.uriScheme != nil { return HTTPAddress(reference) != nil ? reference : nil }
    guard let resolved = swiftlet_resolve_reference(base, reference) else { return nil }
    defer { g_free(resolved) }
    let address = String(cString: resolved)
    // GLib ignores blanks within a reference, so that it may find a scheme where there seemed to be none.
    return HTTPAddress(address) != nil ? address : nil
  }
}
