/// The head of an HTTP response. Parsing is lenient, since many media servers break the rules of HTTP.
package struct ResponseHead: Sendable, Equatable {
  package struct Field: Sendable, Equatable {
    /// In lower case.
    package var name: String
    package var value: String
  }

  package var status: Int
  package var fields: [Field]

  /// The value of the first field with the name.
  /// - Parameter name: in lower case.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  package func hasField(withPrefix prefix: String) -> Bool { fields.contains { $0.name.hasPrefix(prefix) } }

  /// The lines of a head without the empty line at its end. Nil if they are not an HTTP head.
  init?(_ lines: [String]) {
    guard let first = lines.first, let status = Self.status(first) else { return nil }
    self.status = status
    fields = []
    for line in lines.dropFirst() {
      if line.first == " " || line.first == "\t" {
        // A folded line continues the value before it (RFC 9112 §5.2).
        guard let last = fields.indices.last else { continue }
        fields[last].value += " " + line.trimmed
      } else if let colon = line.firstIndex(of: ":") {
        fields.append(
          Field(name: line[..<colon].trimmed.lowercased(), value: line[line.index(after: colon)...].trimmed))
      }
    }
  }

  /// The status of `HTTP/1.1 200 OK`, or of SHOUTcast's `ICY 200 OK`.
  private static func status(_ line: String) -> Int? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].lowercased() == "icy" || words[0].lowercased().hasPrefix("http/"),
      words[1].utf8.count == 3, let status = UInt16(words[1]), status >= 100
    else { return nil }
    return Int(status)
  }

  // MARK: Lengths

  /// Limit for a believable size. Servers that do not know the size send up to 2^64-1, some beside `icy-` headers.
  static let longest = 1 << 40

  /// The length of the body; nil if it is missing, contradictory or absurd.
  package var contentLength: Int? {
    let values = values("content-length").flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let lengths = Set(values.map { Self.number($0.trimmed) })
    guard lengths.count == 1, let length = lengths.first else { return nil }
    return length
  }

  /// Whether the body is chunked, so that Content-Length is meaningless (RFC 9112 §6.3).
  package var isChunked: Bool {
    values("transfer-encoding").last?.split(separator: ",").last?.trimmed.lowercased() == "chunked"
  }

  /// Whether the body is compressed. Some servers name a character set or nothing as its encoding.
  package var isCompressed: Bool {
    let values = values("content-encoding") + values("transfer-encoding")
    let encodings = values.flatMap { $0.lowercased().split(separator: ",") }.map(\.trimmed)
    return encodings.contains { ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"].contains($0) }
  }

  /// Whether the status means that no body follows, although the connection may stay open (RFC 9110 §15.3.5).
  package var hasNoBody: Bool { status == 204 || status == 205 }

  /// Whether the body is a sequence of ranges with heads of their own (RFC 9110 §14.6).
  package var isMultipartRange: Bool {
    status == 206 && self["content-type"]?.lowercased().hasPrefix("multipart/") == true
  }

  /// Content-Range: the offset of the body, and the size of the whole, each nil if it is not declared.
  package var contentRange: (start: Int?, size: Int?) {
    guard let value = self["content-range"]?.lowercased(), value.hasPrefix("bytes") else { return (nil, nil) }
    let parts = value.dropFirst(5).drop { $0 == " " || $0 == "=" || $0 == ":" }.split(separator: "/", maxSplits: 1)
    let start = parts.first?.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).first
    return (start.flatMap { Self.number($0.trimmed) }, parts.count > 1 ? Self.number(parts[1].trimmed) : nil)
  }

  /// Bytes of sound between two titles (ICY); nil without titles.
  package var titleInterval: Int? {
    self["icy-metaint"].flatMap { Self.number($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Accepts digits only: no sign, no blanks.
  private static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number < longest
    else { return nil }
    return number
  }
}

/// Collects a head from the bytes of a connection.
package struct ResponseHeadParser: Sendable {
  /// In bytes. A longer head is refused.
  package static let limit = 256 << 10

  package enum Result: Sendable, Equatable {
    case needsMore
    /// The head, and the number of bytes of the last piece that belong to it.
    case head(ResponseHead, consumed: Int)
    case malformed
  }

  private var line: [UInt8] = []
  private var lines: [String] = []
  private var count = 0

  package init() {}

  /// Lines end with CRLF or LF. Empty lines before the head are ignored.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) -> Result {
    for (index, byte) in bytes.enumerated() {
      count += 1
      guard count <= Self.limit else { return .malformed }
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        if lines.isEmpty, !isStatusLine { return .malformed }
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty, !lines.isEmpty {
        return ResponseHead(lines).map { .head($0, consumed: index + 1) } ?? .malformed
      }
      if !line.isEmpty { lines.append(Self.text(line)) }
      line.removeAll(keepingCapacity: true)
    }
    return .needsMore
  }

  /// Percent-encodes the bytes of a line that is not UTF-8, so that a Location in Latin-1 stays an address.
  private static func text(_ line: [UInt8]) -> String {
    if let text = String(validating: line, as: UTF8.self) { return text }
    return line.reduce(into: "") { text, byte in
      text += byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
  }

  /// Whether the first line can still become a status line. Detects an answer that is no HTTP at its first bytes, since
  /// it may have no line end.
  private var isStatusLine: Bool {
    if line == [UInt8(ascii: "\r")] { return true }
    let start = line.prefix(5).map { $0 & 0xDF }
    return Array("HTTP/".utf8).map { $0 & 0xDF }.starts(with: start)
      || Array("ICY ".utf8).map { $0 & 0xDF }.starts(with: start.prefix(4))
  }
}

extension StringProtocol {
  /// The text without blanks and tabs at either end.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
  }
}
