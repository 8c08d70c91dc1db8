/// APE tags at the end of MP3 files. mp3gain writes only these.
///
/// Source: “APE Tags Header” and “APE Tag Item” of the APEv2 specification in the Hydrogenaudio knowledge base.
package struct APETags {
  /// Number of bytes to read at the end of a file. Longer tags, which contain pictures, are ignored.
  package static let longest = 32 << 10
  private static let footerSize = 32
  private static let id3v1Size = 128

  /// Text values by name in upper case.
  package private(set) var texts: [String: String] = [:]

  /// Nil if the bytes hold no complete tag.
  /// - Parameter bytes: the last bytes of a file.
  package init?(endOfFile bytes: [UInt8]) {
    let ends = [bytes.count, bytes.count - Self.id3v1Size]
    guard let end = ends.first(where: { Self.hasFooter(bytes, endingAt: $0) }) else { return nil }
    let footer = end - Self.footerSize
    let size = Self.number(bytes, footer + 12)
    let count = Self.number(bytes, footer + 16)
    var place = end - size
    guard size >= Self.footerSize, place >= 0 else { return nil }
    for _ in 0..<min(count, 1_000) {
      // Item: length, flags, name, zero byte, value.
      guard place + 8 < footer, let zero = bytes[(place + 8)..<footer].firstIndex(of: 0) else { break }
      let length = Self.number(bytes, place)
      guard length <= footer - zero - 1 else { break }
      let isText = bytes[place + 4] >> 1 & 3 == 0
      let value = bytes[zero + 1..<zero + 1 + length]
      if isText {
        texts[String(decoding: bytes[place + 8..<zero], as: UTF8.self).uppercased()] = String(
          decoding: value, as: UTF8.self)
      }
      place = zero + 1 + length
    }
  }

  private static func hasFooter(_ bytes: [UInt8], endingAt end: Int) -> Bool {
    end >= footerSize && bytes[(end - footerSize)..<end].starts(with: "APETAGEX".utf8)
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
