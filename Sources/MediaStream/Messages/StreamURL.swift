import CGIO
import PlaybackModel

/// An `http` or `https` address, with everything that a request needs.
package struct StreamURL: Sendable, Equatable {
  package let address: HTTPAddress
  /// User and password as in the address, percent-encoded; nil for none.
  package let userInfo: String?
  /// Path and query for the request line, beginning with `/`. Bytes that are allowed there are as in the address.
  package let target: String

  /// In bytes. Longer addresses are refused.
  static let maximumLength = 16 << 10

  /// Nil for other schemes, an invalid host or port, and control characters or blanks in the host.
  package init?(_ text: String) {
    let text = text.trimmingSpaces()
    guard text.utf8.count <= Self.maximumLength, let address = HTTPAddress(text),
      address.host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    guard let host = Self.asciiHost(address.host) else { return nil }
    self.address = HTTPAddress(host: host, port: address.port, isSecure: address.isSecure)
    let rest = text.dropFirst(address.isSecure ? "https://".count : "http://".count)
    let authority = rest.prefix { !"/?#".contains($0) }
    userInfo = authority.lastIndex(of: "@").map { String(authority[..<$0]) }
    target = Self.target(rest.dropFirst(authority.count))
  }

  private init(address: HTTPAddress, userInfo: String?, target: String) {
    self.address = address
    self.userInfo = userInfo
    self.target = target
  }

  /// The ASCII form of an internationalized host name (RFC 3490); nil if there is none.
  private static func asciiHost(_ host: String) -> String? {
    if host.utf8.allSatisfy({ $0 < 0x80 }) { return host }
    guard let ascii = g_hostname_to_ascii(host) else { return nil }
    defer { g_free(ascii) }
    return String(cString: ascii)
  }

  /// The target for a path with query and fragment. Blanks, control characters and non-ASCII bytes are percent-encoded,
  /// since a request line cannot contain them.
  private static func target(_ text: some StringProtocol) -> String {
    var target = ""
    for byte in text.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
      if byte > 0x20, byte < 0x7F {
        target.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        target += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return target.hasPrefix("/") ? target : "/" + target
  }

  /// The value of the Host header.
  package var authority: String {
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    return address.port == (address.isSecure ? 443 : 80) ? host : "\(host):\(address.port)"
  }

  /// Without user information.
  package var text: String { "\(address.isSecure ? "https" : "http")://\(authority)\(target)" }

  var textWithUserInfo: String {
    guard let userInfo else { return text }
    return "\(address.isSecure ? "https" : "http")://\(userInfo)@\(authority)\(target)"
  }

  /// Whether both addresses have the same scheme, host and port.
  func hasSameOrigin(as other: StreamURL) -> Bool {
    address.isSecure == other.address.isSecure && address.port == other.address.port
      && address.host.lowercased() == other.address.host.lowercased()
  }

  /// Resolves a reference, such as a Location header, against this address (RFC 3986 §5.2).
  ///
  /// User information is kept for the same origin.
  /// - Returns: nil for other schemes and malformed references.
  package func resolve(_ reference: String) -> StreamURL? {
    let reference = reference.trimmingSpaces()
    if reference.hasPrefix("//") { return withUserInfo(StreamURL((address.isSecure ? "https:" : "http:") + reference)) }
    if reference.uriScheme != nil, !reference.hasPrefix("/") { return withUserInfo(StreamURL(reference)) }
    guard reference.utf8.count <= Self.maximumLength else { return nil }
    let path = target.prefix { $0 != "?" }
    let next: String
    switch reference.first {
    case nil, "#": next = target
    case "?": next = path + reference
    case "/": next = Self.withoutDots(reference)
    default: next = Self.withoutDots(path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference)
    }
    return StreamURL(address: address, userInfo: userInfo, target: Self.target(next))
  }

  /// The same address without `.` and `..` segments in its path.
  package var withoutDotSegments: StreamURL {
    StreamURL(address: address, userInfo: userInfo, target: Self.withoutDots(target))
  }

  private func withUserInfo(_ url: StreamURL?) -> StreamURL? {
    guard let url, url.userInfo == nil, hasSameOrigin(as: url) else { return url }
    return StreamURL(address: url.address, userInfo: userInfo, target: url.target)
  }

  /// Removes `.` and `..` segments from the path (RFC 3986 §5.2.4).
  private static func withoutDots(_ text: String) -> String {
    let path = text.prefix { $0 != "?" && $0 != "#" }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/") + text[path.endIndex...]
  }

  /// The Basic credentials of the user information (RFC 7617); nil for none.
  package var credentials: String? {
    userInfo.map { info in
      let parts = info.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let user = Self.decode(parts[0])
      return Self.base64(user + [UInt8(ascii: ":")] + (parts.count > 1 ? Self.decode(parts[1]) : []))
    }
  }

  /// Invalid escapes stay unchanged.
  private static func decode(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0...3 {
        text.unicodeScalars.append(index <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : "=")
      }
    }
    return text
  }
}
