/// An SSDP datagram: HTTP over UDP, a start line and header fields without a body (UDA 1.1 §1.1.1).
package struct SSDPMessage: Sendable, Equatable {
  package let startLine: String
  /// The header fields, by lower-case name. The first of several fields with the same name counts.
  private(set) var fields: [String: String] = [:]

  /// Nil for anything that is not an SSDP message. Lines end in CR LF or in LF. The empty line at the end may be missing,
  /// as many small devices leave it out; a last line without a line end means that the datagram was truncated.
  package init?(_ datagram: some BidirectionalCollection<UInt8>) {
    var lines = datagram.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), let unfinished = lines.popLast() else { return nil }
    startLine = Self.text(first)
    var last: String?
    for line in lines {
      let text = Self.text(line)
      if text.isEmpty { return }
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        // A folded line continues the field before it (RFC 7230 §3.2.4).
        if let last { fields[last]?.append(" \(text)") }
        continue
      }
      last = nil
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let name = Self.text(line[..<colon]).lowercased()
      guard fields[name] == nil else { continue }
      fields[name] = Self.text(line[line.index(after: colon)...])
      last = name
    }
    guard unfinished.isEmpty else { return nil }
  }

  /// - Parameter name: in lower case.
  package subscript(name: String) -> String? { fields[name] }

  /// Trims blanks and decodes UTF-8; invalid bytes become replacement characters.
  private static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }
}
