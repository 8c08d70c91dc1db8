import NIOCore

/// Text made fit to stand in an XML 1.0 document, as element content or as an attribute's value between double quotes.
///
/// What comes out is always well-formed: characters that XML 1.0 does not allow at all (§2.2: most control characters,
/// U+FFFE and U+FFFF), which turn up in real tags and stream titles, are left out.
public enum XMLEscape {
  /// For element content. A carriage return becomes a reference, since a parser would turn it into a line feed (§2.11);
  /// `>` is escaped so that `]]>` cannot arise.
  public static func text(_ text: String) -> String {
    escape(text, inContent)
  }

  /// For an attribute's value between double quotes. Tabs and line feeds become references too, since a parser would
  /// turn them into blanks (§3.3.3).
  public static func attribute(_ text: String) -> String {
    escape(text, inAttribute)
  }

  /// What `text(_:)` returns, written to the end of the buffer.
  static func write(_ text: String, to buffer: inout ByteBuffer) {
    var text = text
    text.withUTF8 { bytes in escape(bytes, inContent) { buffer.writeBytes($0) } }
  }

  /// What stands for a byte, as the bytes of a number in memory, so that it is written at one stroke.
  private struct Replacement {
    var bytes: UInt64 = 0
    var length: Int

    init(_ text: StaticString) {
      length = text.utf8CodeUnitCount
      text.withUTF8Buffer { utf8 in withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: utf8) } }
    }

    init(itself byte: UInt8) {
      length = 1
      withUnsafeMutableBytes(of: &bytes) { $0[0] = byte }
    }
  }

  private static let inContent = (UInt8.min...UInt8.max).map { replacement(of: $0, quoted: false) }
  private static let inAttribute = (UInt8.min...UInt8.max).map { replacement(of: $0, quoted: true) }

  private static func replacement(of byte: UInt8, quoted: Bool) -> Replacement {
    switch byte {
    case UInt8(ascii: "&"): Replacement("&amp;")
    case UInt8(ascii: "<"): Replacement("&lt;")
    case UInt8(ascii: ">"): Replacement("&gt;")
    case UInt8(ascii: "\"") where quoted: Replacement("&quot;")
    case UInt8(ascii: "\r"): Replacement("&#13;")
    case UInt8(ascii: "\n") where quoted: Replacement("&#10;")
    case UInt8(ascii: "\t") where quoted: Replacement("&#9;")
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): Replacement(itself: byte)
    case ..<0x20: Replacement("")
    default: Replacement(itself: byte)
    }
  }

  /// How much is escaped at a time, in bytes.
  private static let chunk = 1024

  private static func escape(_ text: String, _ replacements: [Replacement]) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.contains(where: { replacements[Int($0)].length != 1 || $0 == 0xEF }) else { return nil }
      var escaped: [UInt8] = []
      escaped.reserveCapacity(bytes.count + bytes.count / 2)
      escape(bytes, replacements) { escaped.append(contentsOf: $0) }
      // Valid text stays valid when single characters give way to others; to check that again takes longer than the rest.
      return String(copying: UTF8Span(unchecked: escaped.span))
    } ?? text
  }

  /// Without a branch for most bytes, and in chunks whose room is known: a list of a thousand tracks is some megabytes, and
  /// a controller waits for it.
  private static func escape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ replacements: [Replacement], append: (UnsafeRawBufferPointer) -> Void
  ) {
    replacements.withUnsafeBufferPointer { replacements in
      withUnsafeTemporaryAllocation(byteCount: chunk * MemoryLayout<UInt64>.size, alignment: 8) { output in
        var index = 0
        while index < bytes.count {
          let end = min(index + chunk, bytes.count)
          var written = 0
          while index < end {
            let byte = bytes[index]
            // U+FFFE and U+FFFF are EF BF BE and EF BF BF. Text is valid UTF-8, so that the other two bytes are there.
            if byte == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE {
              index += 3
              continue
            }
            let replacement = replacements[Int(byte)]
            output.storeBytes(of: replacement.bytes, toByteOffset: written, as: UInt64.self)
            written += replacement.length
            index += 1
          }
          append(UnsafeRawBufferPointer(rebasing: output[..<written]))
        }
      }
    }
  }
}
