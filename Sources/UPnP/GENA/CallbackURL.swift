/// The URL that a subscriber's events are sent to: `http` with a literal IPv4 address as its host.
///
/// Stored as the received string. Host and path are sent exactly as received.
package struct CallbackURL: Sendable, Hashable {
  /// In bytes. Real URLs have about a hundred, and each of a thousand subscriptions stores its own.
  static let maximumLength = 2048

  package let address: IPAddress
  package let port: UInt16
  private let url: String
  /// End of the authority, as a UTF-8 offset.
  private let authorityEnd: UInt16

  private static let scheme = "http://"

  /// Returns nil for anything but plain HTTP to a literal IPv4 address: other schemes, names, IPv6, user information, octal
  /// or shortened addresses, port 0, blanks and control characters.
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

  /// Parses the text after the host: nothing or `:` for 80 (RFC 3986 §3.2.3), or `:` and a decimal number.
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

  /// Host and port for the HOST header.
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

/// The CALLBACK header of SUBSCRIBE: URLs in `<` and `>`, in order of preference (UDA 1.1 §4.1.2).
package enum CallbackHeader {
  /// Number of URLs; further ones are ignored. No control point listens on more interfaces.
  static let maximumCount = 4

  /// The valid URLs that `allowed` accepts. Other URLs, and text between URLs, are ignored.
  package static func parse(_ value: String, allowed: (IPAddress) -> Bool) -> [CallbackURL] {
    var urls: [CallbackURL] = []
    var rest = value[...]
    while urls.count < maximumCount, let open = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: ">") else { break }
      if let url = CallbackURL(rest[..<close]), allowed(url.address) { urls.append(url) }
      rest = rest[rest.index(after: close)...]
    }
    return urls
  }
}
