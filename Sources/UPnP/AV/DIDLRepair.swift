extension DIDLLite {
  /// The metadata as XML that strict control points accept: unchanged if it is well-formed, with all prefixes declared.
  ///
  /// Otherwise it is repaired: characters that XML forbids, a byte order mark and blanks before the XML declaration are
  /// removed, bare `&` and `<` escaped, undeclared prefixes declared, and open elements closed where the metadata is cut
  /// off. What cannot be repaired is replaced by an item with the title found in it, else with one from the URI. Text
  /// without any markup is returned as it is.
  package static func wellFormed(_ metadata: String, uri: String) -> String {
    guard metadata.utf8.contains(UInt8(ascii: "<")), !isWellFormed(metadata) else { return metadata }
    let tidy = withBareMarkupEscaped(withoutForbiddenCharacters(metadata))
    for candidate in [tidy, closed(tidy)] {
      let declared = withPrefixesDeclared(candidate)
      if isWellFormed(declared) { return declared }
    }
    return item(title: Title(in: tidy)?.text ?? title(ofURI: uri), uri: uri)
  }

  /// Stricter than `read`, which ignores a byte order mark and blanks before the XML declaration.
  private static func isWellFormed(_ metadata: String) -> Bool {
    let start = metadata.utf8.drop { blanks.contains($0) }
    let isAtStart = start.startIndex == metadata.startIndex
    guard start.first == UInt8(ascii: "<"), isAtStart || !start.starts(with: "<?xml".utf8) else { return false }
    return undeclaredPrefixes(in: metadata)?.isEmpty == true
  }

  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

  /// Also removes what is before the first markup.
  private static func withoutForbiddenCharacters(_ metadata: String) -> String {
    let allowed = metadata.unicodeScalars.filter {
      $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF || ["\t", "\n", "\r"].contains($0)
    }
    return String(String.UnicodeScalarView(allowed.drop { $0 != "<" }))
  }

  /// Escapes each `&` that starts no entity of XML, each `<` that starts no markup, and each `]]>` outside a section.
  private static func withBareMarkupEscaped(_ text: String) -> String {
    var escaped = ""
    var rest = text[...]
    while let start = rest.firstIndex(where: { $0 == "&" || $0 == "<" }) {
      escaped += rest[..<start].replacing("]]>", with: "]]&gt;")
      rest = rest[start...]
      if let end = XMLScan.endOfNonElement(rest.utf8) {
        escaped += rest[..<end]
        rest = rest[end...]
        continue
      }
      let isMarkup = rest.first == "<" ? startsTag(rest.dropFirst().first) : startsEntity(rest)
      escaped += isMarkup ? rest.prefix(1) : rest.first == "<" ? "&lt;" : "&amp;"
      rest = rest.dropFirst()
    }
    return escaped + rest.replacing("]]>", with: "]]&gt;")
  }

  private static func startsTag(_ character: Character?) -> Bool {
    character.map { $0.isLetter || $0 == "_" || $0 == "/" || $0 == "!" } ?? false
  }

  private static func startsEntity(_ text: Substring) -> Bool {
    guard let end = text.prefix(12).firstIndex(of: ";") else { return false }
    let name = text[text.index(after: text.startIndex)..<end]
    guard name.first == "#" else { return ["amp", "lt", "gt", "quot", "apos"].contains(name) }
    let isHexadecimal = name.dropFirst().first == "x"
    let code = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
    return code.flatMap(Unicode.Scalar.init).map { $0.value >= 0x20 || [9, 10, 13].contains($0.value) } ?? false
  }

  /// The longest beginning whose tags match, with its open elements closed.
  private static func closed(_ text: String) -> String {
    var open: [Substring] = []
    var rest = text.utf8[...]
    var end = text.endIndex
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if let next = XMLScan.endOfNonElement(rest) {
        rest = rest[next...]
        continue
      }
      end = start
      guard let next = XMLScan.endOfTag(rest) else { break }
      let tag = text[start..<next]
      let name = tag.drop { $0 == "<" || $0 == "/" }.prefix { !" \t\r\n/>".contains($0) }
      if tag.hasPrefix("</") {
        guard open.last == name else { break }
        open.removeLast()
      } else if !tag.hasSuffix("/>") {
        open.append(name)
      }
      rest = rest[next...]
      end = open.isEmpty ? next : text.endIndex
      if open.isEmpty { break }
    }
    return text[..<end] + open.reversed().map { "</\($0)>" }.joined()
  }

  /// Declares undeclared prefixes in the first start tag.
  private static func withPrefixesDeclared(_ text: String) -> String {
    guard let missing = undeclaredPrefixes(in: text), !missing.isEmpty else { return text }
    var rest = text.utf8[...]
    while let next = rest.first == UInt8(ascii: "<") ? XMLScan.endOfNonElement(rest) : nil {
      rest = rest[next...].drop { blanks.contains($0) }
    }
    guard
      let end = rest.firstIndex(where: { blanks.contains($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") })
    else { return text }
    return text[..<end] + declarations(of: missing).map { " " + $0 }.joined() + text[end...]
  }
}
