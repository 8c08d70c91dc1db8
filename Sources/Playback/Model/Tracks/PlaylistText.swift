/// Reads the playlists that are lines of text: M3U, PLS, and the references that Windows Media servers send as ASX.
package enum PlaylistText {
  /// The text of a document in UTF-8, or in UTF-16 with a byte order mark; nil if it is neither.
  package static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let low = bytes.first == 0xFF ? 0 : 1
      let units = stride(from: bytes.startIndex + 2, to: bytes.endIndex - 1, by: 2).map { index in
        UInt16(bytes[index + low]) | UInt16(bytes[index + 1 - low]) << 8
      }
      return String(validating: units, as: UTF16.self)
    }
    return String(validating: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes, as: UTF8.self)
  }

  /// All lines that are not comments, with the titles of `#EXTINF` lines.
  package static func m3u(_ text: String) -> [ListedTrack] {
    var tracks: [ListedTrack] = []
    var title: String?
    for line in lines(text) {
      if line.hasPrefix("#EXTINF:") {
        title = extendedTitle(line)
      } else if !line.hasPrefix("#") {
        tracks.append(ListedTrack(address: line, title: title))
        title = nil
      }
    }
    return tracks
  }

  /// The title in `#EXTINF:123 name="value",Title`, where values may contain commas.
  private static func extendedTitle(_ line: String) -> String? {
    let afterValues = line.ranges(of: "\",").last.map { line[$0.upperBound...] }
    return (afterValues ?? line.firstIndex(of: ",").map { line[line.index(after: $0)...] }).map(String.init)
  }

  /// `FileN=address` and `TitleN=title`, in the order of the numbers.
  package static func pls(_ text: String) -> [ListedTrack] { numbered(text, address: "file") }

  /// `RefN=address`, in the order of the numbers.
  package static func references(_ text: String) -> [ListedTrack] { numbered(text, address: "ref") }

  private static func numbered(_ text: String, address: String) -> [ListedTrack] {
    var addresses: [Int: String] = [:]
    var titles: [Int: String] = [:]
    for line in lines(text) {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let key = String(line[..<equals]).trimmingSpaces().lowercased()
      let value = String(line[line.index(after: equals)...]).trimmingSpaces()
      if key.hasPrefix(address), let number = Int(key.dropFirst(address.count)) { addresses[number] = value }
      if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) { titles[number] = value }
    }
    return addresses.sorted { $0.key < $1.key }.map { ListedTrack(address: $0.value, title: titles[$0.key]) }
  }

  private static func lines(_ text: String) -> some Sequence<String> {
    text.split(whereSeparator: \.isNewline).lazy.map { String($0).trimmingSpaces() }.filter { !$0.isEmpty }
  }
}
