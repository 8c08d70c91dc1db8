/// The URL that one subscriber's events go to: `http`, with a literal IPv4 address as its host.
///
/// Kept as the one string that came; what is to be sent is cut from it, byte for byte.
package struct CallbackURL: Sendable, Hashable {
  /// Longer ones are refused: real ones have about a hundred bytes, and each of a thousand subscriptions keeps its own.
  static let maximumLength = 2048

  package let address: IPAddress
  package let port: UInt16
  private let url: String
  /// Where the authority ends, counted in UTF-8.
  private let authorityEnd: UInt16

  private static let scheme = "http://"

  /// Nil for everything but plain HTTP to a literal IPv4 address: other schemes, names, IPv6, user information, disguised
  /// addresses, port 0, blanks and control characters.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      text.utf8.count > Self.scheme.utf8.count,
      text.prefix(Self.scheme.utf8.count).lowercased() == Self.scheme
    else { return nil }
    url = String(text.prefix { $0 != "#" })
    let rest = url.dropFirst(Self.scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    authorityEnd = UInt16(Self.scheme.utf8.count + authority.utf8.count)

    let host = authority.prefix { $0 != ":" }
    guard let address = IPAddress(host), let port = Self.port(authority[host.endIndex...]) else { return nil }
    self.address = address
    self.port = port
  }

  /// Reads what stands behind the host: nothing or `:` (RFC 3986 §3.2.3) for 80, or `:` and a decimal number.
  private static func port(_ text: Substring) -> UInt16? {
    guard !text.isEmpty else { return 80 }
    guard text.first == ":" else { return nil }
    let digits = text.dropFirst()
    if digits.isEmpty { return 80 }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0 else {
      return nil
    }
    return port
  }

  /// For the HOST header.
  package var authority: Substring {
    let utf8 = url.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: Self.scheme.utf8.count)
    return url[start..<utf8.index(utf8.startIndex, offsetBy: Int(authorityEnd))]
  }

  /// Path and query, for the request line.
  package var target: String {
    let utf8 = url.utf8
    let rest = url[utf8.index(utf8.startIndex, offsetBy: Int(authorityEnd))...]
    return rest.hasPrefix("/") ? String(rest) : "/" + rest
  }
}
