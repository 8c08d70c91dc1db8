import NIOCore

/// Escapes text for XML 1.0, as element content or as an attribute's value in double quotes.
///
/// The result is always well-formed: characters that XML 1.0 forbids (§2.2: most control characters, U+FFFE and U+FFFF) are
/// removed. They occur in real tags and stream titles.
package enum XMLEscape {
  /// Escapes element content. A carriage return becomes a reference, since a parser would turn it into a line feed (§2.11);
  /// `>` is escaped so that `]]>` cannot occur.
  package static func text(_ text: String) -> String {
    escape(text, inContent)
  }

  /// Escapes an attribute's value in double quotes. Tabs and line feeds become references, since a parser would turn them
  /// into blanks (§3.3.3).
  package static func attribute(_ text: String) -> String {
    escape(text, inAttribute)
  }

  /// Appends the result of `text(_:)` to the buffer.
  package static func write(_ text: String, to buffer: inout ByteBuffer) {
    var text = text
    text.withUTF8 { bytes in escape(bytes, inContent) { buffer.writeBytes($0) } }
  }

  /// Appends text escaped twice, for XML that is itself the content of an element.
  static func writeTwice(_ text: String, to buffer: inout ByteBuffer) {
    var text = text
    text.withUTF8 { bytes in escape(bytes, inNestedContent) { buffer.writeBytes($0) } }
  }

  /// The replacement of a byte, stored as one value so that it is written in one instruction.
  private struct Replacement {
    var bytes = SIMD16<UInt8>()
    var length = 0

    init(_ text: some Sequence<UInt8>) {
      for byte in text {
        bytes[length] = byte
        length += 1
      }
    }
  }

  /// The replacements of all bytes.
  private struct Table {
    let replacements: [Replacement]
    /// Whether quotes are replaced.
    let isQuoted: Bool

    /// - Parameter times: how often the text is escaped.
    init(isQuoted: Bool, times: Int = 1) {
      self.isQuoted = isQuoted
      replacements = (UInt8.min...UInt8.max).map { byte in
        var text = [byte]
        for _ in 0..<times { text = text.flatMap { XMLEscape.replacement(of: $0, isQuoted: isQuoted) } }
        return Replacement(text)
      }
    }

    func keeps(_ byte: UInt8) -> Bool { replacements[Int(byte)].length == 1 && byte != 0xEF }
  }

  private static let inContent = Table(isQuoted: false)
  private static let inAttribute = Table(isQuoted: true)
  private static let inNestedContent = Table(isQuoted: false, times: 2)

  private static func replacement(of byte: UInt8, isQuoted: Bool) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "&"): Array("&amp;".utf8)
    case UInt8(ascii: "<"): Array("&lt;".utf8)
    case UInt8(ascii: ">"): Array("&gt;".utf8)
    case UInt8(ascii: "\"") where isQuoted: Array("&quot;".utf8)
    case UInt8(ascii: "\r"): Array("&#13;".utf8)
    case UInt8(ascii: "\n") where isQuoted: Array("&#10;".utf8)
    case UInt8(ascii: "\t") where isQuoted: Array("&#9;".utf8)
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): [byte]
    case ..<0x20: []
    default: [byte]
    }
  }

  private static func escape(_ text: String, _ table: Table) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard !bytes.allSatisfy(table.keeps) else { return nil }
      var escaped: [UInt8] = []
      escaped.reserveCapacity(bytes.count + bytes.count / 2)
      escape(bytes, table) { escaped.append(contentsOf: $0) }
      // Replacing ASCII characters keeps UTF-8 valid. Validating again would take longer than escaping.
      return String(copying: UTF8Span(unchecked: escaped.span))
    } ?? text
  }

  /// Input bytes per output chunk.
  private static let chunk = 1024

  /// Copies up to eight unchanged bytes at once, into chunks of fixed size. A list of a thousand tracks has some megabytes.
  private static func escape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: Table, append: (UnsafeRawBufferPointer) -> Void
  ) {
    let input = UnsafeRawBufferPointer(bytes)
    // The output of a short text fits on the stack.
    let chunk = min(input.count, Self.chunk)
    table.replacements.withUnsafeBufferPointer { replacements in
      withUnsafeTemporaryAllocation(byteCount: chunk * MemoryLayout<SIMD16<UInt8>>.size, alignment: 16) { output in
        var index = 0
        while index < input.count {
          let end = min(index + chunk, input.count)
          var written = 0
          while index < end {
            if index + 8 <= end {
              let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
              output.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
              let kept = keptBytes(of: UInt64(littleEndian: word), isQuoted: table.isQuoted)
              index += kept
              written += kept
              if kept == 8 { continue }
            }
            let byte = input[index]
            // U+FFFE and U+FFFF are EF BF BE and EF BF BF. Text is valid UTF-8, so the other two bytes are there.
            if byte == 0xEF, input[index + 1] == 0xBF, input[index + 2] >= 0xBE {
              index += 3
              continue
            }
            let replacement = replacements[Int(byte)]
            output.storeBytes(of: replacement.bytes, toByteOffset: written, as: SIMD16<UInt8>.self)
            written += replacement.length
            index += 1
          }
          append(UnsafeRawBufferPointer(rebasing: output[..<written]))
        }
      }
    }
  }

  /// The number of bytes that stay unchanged, from the lowest one on. May be too low, never too high.
  private static func keptBytes(of word: UInt64, isQuoted: Bool) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // Sets the highest bit of the lowest byte below `limit` (at most 0x80). Bits above that one are undefined.
    func isBelow(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* limit) & ~word & (ones &* 0x80) }
    func contains(_ byte: UInt8, _ word: UInt64) -> UInt64 { isBelow(1, word ^ (ones &* UInt64(byte))) }
    var found = isBelow(0x20, word) | contains(UInt8(ascii: "&"), word) | contains(0xEF, word)
    // `<` and `>` differ in one bit.
    found |= contains(UInt8(ascii: "<"), word & ~(ones &* 0x02))
    if isQuoted { found |= contains(UInt8(ascii: "\""), word) }
    return found.trailingZeroBitCount / 8
  }
}
