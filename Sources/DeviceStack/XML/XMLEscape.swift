/// Text made fit to stand in an XML 1.0 document, as element content or as an attribute's value between double quotes.
///
/// What comes out is always well-formed: characters that XML 1.0 does not allow at all (§2.2: most control characters,
/// U+FFFE and U+FFFF), which turn up in real tags and stream titles, are left out.
public enum XMLEscape {
  /// For element content. A carriage return becomes a reference, since a parser would turn it into a line feed (§2.11);
  /// `>` is escaped so that `]]>` cannot arise.
  public static func text(_ text: String) -> String {
    escape(text, quoted: false)
  }

  /// For an attribute's value between double quotes. Tabs and line feeds become references too, since a parser would
  /// turn them into blanks (§3.3.3).
  public static func attribute(_ text: String) -> String {
    escape(text, quoted: true)
  }

  private static func escape(_ text: String, quoted: Bool) -> String {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.indices.first(where: { replacement(at: $0, in: bytes, quoted: quoted) != nil }) else {
        return nil
      }
      var out = [UInt8]()
      out.reserveCapacity(bytes.count + bytes.count / 4 + 16)
      out.append(contentsOf: bytes[..<first])
      var index = first
      while index < bytes.count {
        if let (replacement, length) = replacement(at: index, in: bytes, quoted: quoted) {
          replacement.withUTF8Buffer { out.append(contentsOf: $0) }
          index += length
        } else {
          out.append(bytes[index])
          index += 1
        }
      }
      return String(decoding: out, as: UTF8.self)
    } ?? text
  }

  /// What stands for the character whose UTF-8 begins at `index`, and its length there; nil where it may stay.
  private static func replacement(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>, quoted: Bool
  ) -> (StaticString, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "&"): ("&amp;", 1)
    case UInt8(ascii: "<"): ("&lt;", 1)
    case UInt8(ascii: ">"): ("&gt;", 1)
    case UInt8(ascii: "\""): quoted ? ("&quot;", 1) : nil
    case UInt8(ascii: "\r"): ("&#13;", 1)
    case UInt8(ascii: "\n"): quoted ? ("&#10;", 1) : nil
    case UInt8(ascii: "\t"): quoted ? ("&#9;", 1) : nil
    case ..<0x20: ("", 1)
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    case 0xEF where bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE: ("", 3)
    default: nil
    }
  }
}
