/// Detects a document's encoding from its first bytes and its declaration (XML 1.0, appendix F).
///
/// Supports only encodings with ASCII markup, so that `XMLPreflight` and the parser see the same markup.
enum XMLEncoding: Equatable {
  /// Passed to the parser by name, so that it does not detect the encoding itself.
  case named(String)
  case utf16(isBigEndian: Bool)

  private static let names: Set<String> = [
    "utf-8", "utf8", "us-ascii", "ascii", "koi8-r", "koi8-u", "shift_jis", "euc-jp", "euc-kr", "euc-tw", "gb2312",
    "gbk",
    "gb18030", "big5",
  ]
  private static let families = ["iso-8859-", "windows-125", "cp125"]

  /// Returns nil for an unsupported encoding.
  /// - Parameter document: without a UTF-8 byte order mark.
  init?(_ document: UnsafeRawBufferPointer) {
    switch (document.first, document.dropFirst().first) {
    case (0xFE, 0xFF), (0x00, UInt8(ascii: "<")): self = .utf16(isBigEndian: true)
    case (0xFF, 0xFE), (UInt8(ascii: "<"), 0x00): self = .utf16(isBigEndian: false)
    case (UInt8(ascii: "<"), _):
      switch Self.declared(in: document) {
      case nil, "utf-8"?: self = .named("utf-8")
      // A UTF-16 string written as UTF-8 without changing its declaration.
      case let name? where name.hasPrefix("utf-16"): self = .named("utf-8")
      case let name? where Self.isRead(name): self = .named(name)
      default: return nil
      }
    default: return nil
    }
  }

  private static func isRead(_ name: String) -> Bool {
    names.contains(name)
      || families.contains { name.hasPrefix($0) && name.utf8.dropFirst($0.utf8.count).allSatisfy(isDigit) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The encoding in the XML declaration, in lower case. Works on bytes: this runs for every action.
  private static func declared(in document: UnsafeRawBufferPointer) -> String? {
    guard hasPrefix("<?xml", document), let end = document.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let declaration = UnsafeRawBufferPointer(rebasing: document[..<end])
    let label: StaticString = "encoding"
    guard
      let start = declaration.indices.first(where: { index in
        hasPrefix(label, UnsafeRawBufferPointer(rebasing: declaration[index...]), ignoringCase: true)
      })
    else { return nil }
    let value = declaration[(start + label.utf8CodeUnitCount)...].drop { !isQuote($0) }
    guard let quote = value.first else { return nil }
    return String(decoding: value.dropFirst().prefix { $0 != quote }, as: UTF8.self).lowercased()
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// - Parameters:
  ///   - prefix: lower-case letters only if the case is ignored.
  private static func hasPrefix(
    _ prefix: StaticString, _ bytes: UnsafeRawBufferPointer, ignoringCase: Bool = false
  ) -> Bool {
    guard bytes.count >= prefix.utf8CodeUnitCount else { return false }
    return prefix.withUTF8Buffer { prefix in
      for index in 0..<prefix.count {
        let byte = ignoringCase ? bytes[index] | 0x20 : bytes[index]
        if byte != prefix[index] { return false }
      }
      return true
    }
  }

  /// The document in UTF-8. Invalid characters become replacement characters.
  static func utf8(ofUTF16 document: UnsafeRawBufferPointer, isBigEndian: Bool) -> String {
    let units = (0..<document.count / 2).map { index in
      let (first, second) = (UInt16(document[2 * index]), UInt16(document[2 * index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self)
  }
}
