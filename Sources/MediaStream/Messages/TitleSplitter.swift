/// Separates sound from titles in a SHOUTcast stream. After every `interval` bytes of sound comes a length byte that
/// counts units of 16 bytes, and then that many units of text, such as `StreamTitle='…';StreamUrl='…';` and zeros.
package struct TitleSplitter: Sendable {
  private let interval: Int
  private var untilTitle: Int
  private var textLeft = 0
  private var text: [UInt8] = []
  private var title: String?

  package init(interval: Int) {
    self.interval = max(1, interval)
    untilTitle = self.interval
  }

  /// - Returns: pieces of the range. A title that repeats is left out.
  package mutating func split(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [BodyDecoder.Piece] {
    var found: [BodyDecoder.Piece] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if textLeft > 0 {
        let count = min(textLeft, range.upperBound - index)
        text += bytes[index..<index + count]
        textLeft -= count
        index += count
        if textLeft == 0, let new = Self.title(text), new != title {
          title = new
          found.append(.title(new))
        }
      } else if untilTitle == 0 {
        textLeft = 16 * Int(bytes[index])
        text.removeAll()
        untilTitle = interval
        index += 1
      } else {
        let count = min(untilTitle, range.upperBound - index)
        found.append(.sound(index..<index + count))
        untilTitle -= count
        index += count
      }
    }
    return found
  }

  /// The title of a block; nil if it has none.
  ///
  /// The value may contain apostrophes and semicolons, and the last semicolon or apostrophe may be missing. It therefore
  /// ends at the next field, or else at the last apostrophe.
  static func title(_ block: [UInt8]) -> String? {
    let end = block.firstIndex(of: 0) ?? block.endIndex
    let key = Array("streamtitle=".utf8)
    guard let start = firstRange(of: key, in: block[..<end]) else { return nil }
    var value = block[start.upperBound..<end]
    if let next = firstRange(of: Array("';stream".utf8), in: value) {
      value = value[..<next.lowerBound]
      if value.first == UInt8(ascii: "'") { value = value.dropFirst() }
      return decode(value)
    }
    while let last = value.last, last == 0x20 || last == UInt8(ascii: ";") { value = value.dropLast() }
    if value.first == UInt8(ascii: "'") {
      value = value.dropFirst()
      if value.last == UInt8(ascii: "'") { value = value.dropLast() }
    }
    return decode(value)
  }

  /// UTF-8, or else Windows-1252, the superset of Latin-1 that stations mean by it.
  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text.trimmingBlanks }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let code = (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt16(byte)
      text.append(UnicodeScalar(code) ?? "\u{FFFD}")
    }
    return String(text).trimmingBlanks
  }

  /// The characters 0x80 to 0x9F.
  private static let windows1252: [UInt16] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
    0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  /// - Parameter pattern: in lower case.
  private static func firstRange(
    of pattern: [UInt8], in bytes: ArraySlice<UInt8>
  ) -> Range<Int>? {
    guard bytes.count >= pattern.count else { return nil }
    return (bytes.startIndex...bytes.endIndex - pattern.count).first { start in
      pattern.indices.allSatisfy { index in
        let byte = bytes[start + index]
        return byte == pattern[index] || (0x41...0x5A).contains(byte) && byte | 0x20 == pattern[index]
      }
    }.map { $0..<$0 + pattern.count }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text.drop { $0 == " " })
  }
}
