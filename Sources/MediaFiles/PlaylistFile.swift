import PlaybackModel
import UPnP

/// Reads the entries of playlist files.
package enum PlaylistFile {
  package enum Format { case m3u, pls, xspf }

  package struct Entry: Hashable {
    /// A path or URL, as written.
    package var location: String
    package var title: String?

    package init(location: String, title: String? = nil) {
      self.location = location
      self.title = title
    }
  }

  /// Files are read up to this size.
  package static let maximumBytes = 1 << 20
  /// Entries of a playlist that a library keeps.
  package static let maximumEntries = 10_000

  /// - Parameter bytes: UTF-8, or UTF-16 with a byte order mark; otherwise taken as Latin-1, as old programs write it. More than
  ///   `maximumBytes` are ignored.
  package static func entries(_ bytes: [UInt8], format: Format) -> [Entry] {
    if format == .xspf { return XSPFPlaylist.entries(bytes) }
    var bytes = bytes[...]
    if bytes.count > maximumBytes {
      bytes = bytes.prefix(maximumBytes)
      // The last line may be incomplete.
      bytes = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex)]
    }
    let text = PlaylistText.decode(bytes) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let tracks = format == .m3u ? PlaylistText.m3u(text) : PlaylistText.pls(text)
    return tracks.map { Entry(location: $0.address, title: $0.title) }
  }

  /// The path of an entry. Relative ones belong to the playlist's folder.
  /// - Returns: nil for a URL other than `file:`, also a damaged one.
  package static func path(_ location: String, folder: String) -> String? {
    if location.lowercased().hasPrefix("file://") {
      // The host is empty or localhost.
      let path = location.dropFirst(7).drop { $0 != "/" }
      return path.isEmpty ? nil : path.percentDecoded
    }
    guard !["http:", "https:"].contains(where: { location.lowercased().hasPrefix($0) }) else { return nil }
    return location.hasPrefix("/") ? location : "\(folder)/\(location)"
  }

  package static func isURL(_ location: String) -> Bool { HTTPAddress(location) != nil }
}

extension StringProtocol {
  var trimmed: SubSequence {
    var text = self[startIndex...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
