/// Host and port of an `http:` or `https:` address.
package struct HTTPAddress: Sendable, Equatable {
  package let host: String
  package let port: Int
  /// Whether it is an `https:` address.
  package let isSecure: Bool

  /// Nil for other addresses (RFC 3986 §3.2).
  package init?(_ uri: String) {
    guard let scheme = uri.uriScheme, scheme == "http" || scheme == "https" else { return nil }
    isSecure = scheme == "https"
    var rest = uri.dropFirst(scheme.count + 1)
    guard rest.hasPrefix("//") else { return nil }
    rest = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    var portText: Substring = ""
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      let after = rest[rest.index(after: end)...]
      guard after.isEmpty || after.hasPrefix(":") else { return nil }
      portText = after.dropFirst()
    } else if let colon = rest.lastIndex(of: ":") {
      host = String(rest[..<colon])
      portText = rest[rest.index(after: colon)...]
    } else {
      host = String(rest)
    }
    guard !host.isEmpty else { return nil }
    if portText.isEmpty {
      port = isSecure ? 443 : 80
    } else {
      guard let number = UInt16(portText), number > 0 else { return nil }
      port = Int(number)
    }
  }
}

extension String {
  /// The scheme in lower case; nil for none (RFC 3986 §3.1).
  package var uriScheme: String? {
    guard let colon = firstIndex(of: ":") else { return nil }
    let scheme = self[..<colon]
    guard let first = scheme.utf8.first, first.isASCIILetter,
      scheme.utf8.allSatisfy({ $0.isASCIILetter || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
    else { return nil }
    return scheme.lowercased()
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
}
