import UPnP

/// An `http` URL as devices write them: a host, a port, and a target for the request line.
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// A name or a dotted IPv4 address, in lower case.
  public let host: String
  public let port: UInt16
  /// Path and query, beginning with `/`.
  public let target: String

  public init(host: String, port: UInt16 = 80, target: String = "/") {
    self.host = host.lowercased()
    self.port = port
    self.target = target.hasPrefix("/") ? target : "/" + target
  }

  /// In bytes. Longer URLs are refused.
  static let maximumLength = 8192
  private static let scheme = "http://"

  /// Reads an absolute URL. Blanks around it are ignored.
  ///
  /// Nil for other schemes, user information, IPv6, control characters, blanks within, port 0, and more than 8192 bytes.
  public init?(_ text: some StringProtocol) { self.init(text, scheme: Self.scheme, defaultPort: 80) }

  /// Reads an absolute URL of another scheme.
  /// - Parameter scheme: with `://`.
  package init?(_ text: some StringProtocol, scheme: String, defaultPort: UInt16) {
    let text = Self.trimmed(text)
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      text.prefix(scheme.count).lowercased() == scheme
    else { return nil }
    let rest = text.dropFirst(scheme.count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost) else { return nil }
    var port = defaultPort
    // RFC 3986 §3.2.3 allows a colon without a port.
    if parts.count == 2, !parts[1].isEmpty {
      guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(parts[1]), number > 0 else {
        return nil
      }
      port = number
    }
    self.init(host: String(host), port: port, target: String(rest[authority.endIndex...]))
  }

  /// Resolves a reference from a document at this URL (RFC 3986 §5.2).
  /// - Returns: nil if the result is not an `http` URL.
  public func resolve(_ reference: some StringProtocol) -> HTTPURL? {
    let reference = Self.trimmed(reference).prefix { $0 != "#" }
    if Self.hasScheme(reference) { return HTTPURL(reference) }
    guard reference.utf8.count <= Self.maximumLength, reference.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      return nil
    }
    if reference.hasPrefix("//") { return HTTPURL("http:" + reference) }
    let path = target.prefix { $0 != "?" }
    let merged: String
    if reference.isEmpty {
      merged = target
    } else if reference.hasPrefix("?") {
      merged = String(path + reference)
    } else if reference.hasPrefix("/") {
      merged = String(reference)
    } else {
      merged = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference)
    }
    return HTTPURL(host: host, port: port, target: Self.withoutDots(merged))
  }

  /// The address, if the host is one.
  public var address: IPAddress? { IPAddress(host) }

  /// Host and port for the HOST header; port 80 is left out.
  package var authority: String { port == 80 ? host : "\(host):\(port)" }

  /// The target for a request line. Bytes that a URL must not contain are percent-encoded (RFC 3986 §2).
  package var requestTarget: String { String(decoding: target.utf8.flatMap(Self.percentEncoded), as: UTF8.self) }

  public var description: String { Self.scheme + authority + target }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    guard !(0x21...0x7E).contains(byte) || #"<>"\^`{|}"#.utf8.contains(byte) else { return [byte] }
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }

  private static func trimmed(_ text: some StringProtocol) -> Substring {
    func isBlank(_ character: Character) -> Bool { character.isASCII && character.isWhitespace }
    let rest = text.drop(while: isBlank)
    let end = rest.lastIndex { !isBlank($0) }
    return Substring(end.map { rest[...$0] } ?? rest.prefix(0))
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Whether the text begins with a scheme (RFC 3986 §3.1).
  private static func hasScheme(_ text: Substring) -> Bool {
    let scheme = text.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    guard scheme.endIndex < text.endIndex, text[scheme.endIndex] == ":", let first = scheme.utf8.first else {
      return false
    }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
  }

  /// Removes `.` and `..` from the path (RFC 3986 §5.2.4).
  private static func withoutDots(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    var segments: [Substring] = []
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".": if isLast { segments.append("") }
      case "..":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(part)
      }
    }
    return "/" + segments.joined(separator: "/") + target[path.endIndex...]
  }
}
