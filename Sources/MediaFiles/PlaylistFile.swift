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
  package static let maximumEntries = 10_000

  /// - Parameter bytes: UTF-8; otherwise taken as Latin-1, as old programs write it.
  package static func entries(_ bytes: [UInt8], format: Format) -> [Entry] {
    if format == .xspf { return XSPFPlaylist.entries(bytes, limit: maximumEntries) }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let bytes = hasMark ? bytes.dropFirst(3) : bytes[...]
    let text =
      String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    let lines = text.split { $0.isNewline }.lazy.map(\.trimmed).filter { !$0.isEmpty }
    return Array((format == .m3u ? m3u(lines) : pls(lines)).prefix(maximumEntries))
  }

  private static func m3u(_ lines: some Sequence<Substring>) -> [Entry] {
    var entries: [Entry] = []
    var title: String?
    for line in lines {
      if line.hasPrefix("#EXTINF:") {
        title = line.split(separator: ",", maxSplits: 1).dropFirst().first.map { String($0.trimmed) }
      } else if !line.hasPrefix("#") {
        entries.append(Entry(location: String(line), title: title))
        title = nil
      }
    }
    return entries
  }

  /// `File1=…` and `Title1=…`, in any order.
  private static func pls(_ lines: some Sequence<Substring>) -> [Entry] {
    var locations: [Int: String] = [:]
    var titles: [Int: String] = [:]
    for line in lines {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let key = line[..<equals].trimmed.lowercased()
      let value = String(line[line.index(after: equals)...].trimmed)
      if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) { locations[number] = value }
      if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) { titles[number] = value }
    }
    return locations.sorted { $0.key < $1.key }.map { Entry(location: $0.value, title: titles[$0.key]) }
  }

  /// The path of an entry. Relative ones belong to the playlist's folder.
  /// - Returns: nil for a URL other than `file:`.
  package static func path(_ location: String, folder: String) -> String? {
    if location.lowercased().hasPrefix("file://") {
      // The host is empty or localhost.
      let path = location.dropFirst(7).drop { $0 != "/" }
      return path.isEmpty ? nil : path.percentDecoded
    }
    guard !isURL(location) else { return nil }
    return location.hasPrefix("/") ? location : "\(folder)/\(location)"
  }

  package static func isURL(_ location: String) -> Bool {
    ["http://", "https://"].contains { location.lowercased().hasPrefix($0) }
  }
}

extension StringProtocol {
  var trimmed: SubSequence {
    var text = self[startIndex...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
