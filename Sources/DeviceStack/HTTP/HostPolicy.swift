import Glibc
import UPnP

/// Accepts or refuses requests by their Host and Origin headers, against DNS rebinding: a web page that makes a browser
/// send requests to local devices under the page's own host name.
public struct HostPolicy: Sendable {
  /// Further trusted host names, and suffixes with a leading dot, in lower case.
  public var names: [String]

  /// Domains that exist only in home networks (RFC 6762 §3, RFC 8375) or are customary there.
  private static let homeSuffixes = [".local", ".lan", ".home.arpa"]

  /// - Parameter names: further trusted host names, and suffixes with a leading dot.
  public init(names: [String] = []) { self.names = names.map { $0.lowercased() } }

  /// Whether a request has the Host header that its version needs, with a valid value (RFC 9112 §3.2).
  static func isComplete(_ request: HTTPRequest) -> Bool {
    guard let host = request.headers.first(name: "host") else { return request.version == .http1_0 }
    // The characters of RFC 3986 §3.2.2 and §3.2.3, and those of an IPv6 address with a zone.
    return host.trimmingBlanks.utf8.allSatisfy { character in
      (0x41...0x5A).contains(character) || (0x61...0x7A).contains(character) || (0x30...0x39).contains(character)
        || "-._~%!$&'()*+,;=:[]".utf8.contains(character)
    }
  }

  /// Whether a Host header is accepted: none at all, a literal address, or a name that no web page can have.
  func allows(host: String?) -> Bool {
    guard let host = host?.trimmingBlanks.lowercased(), !host.isEmpty else { return true }
    if host.hasPrefix("[") { return Self.isBracketedAddress(host) }
    guard let name = Self.name(in: host) else { return false }
    if !name.contains(".") || IPAddress(name) != nil { return true }
    return Self.homeSuffixes.contains { name.hasSuffix($0) }
      || names.contains { $0.hasPrefix(".") ? name.hasSuffix($0) : name == $0 }
  }

  /// Whether a page of this origin may change state: only if it is our own.
  func allows(origin: String?, host: String?) -> Bool {
    origin == nil || Self.isOwn(origin: origin, host: host) && allows(host: host)
  }

  fileprivate static func isOwn(origin: String?, host: String?) -> Bool {
    guard let origin, let host, origin.lowercased().hasPrefix("http://") else { return false }
    return origin.dropFirst("http://".count).lowercased() == host.lowercased()
  }

  /// Whether the host is like `[fe80::1]:80`, with or without a zone and a port.
  private static func isBracketedAddress(_ host: String) -> Bool {
    guard let end = host.firstIndex(of: "]") else { return false }
    let port = host[host.index(after: end)...]
    var address = in6_addr()
    return inet_pton(AF_INET6, String(host[..<end].dropFirst().prefix { $0 != "%" }), &address) == 1
      && (port.isEmpty || port.first == ":" && isNumber(port.dropFirst()))
  }

  /// The name or address without a port and a trailing dot; nil if it is malformed.
  private static func name(in host: String) -> Substring? {
    var name = host[...]
    if let colon = name.lastIndex(of: ":") {
      guard isNumber(name[name.index(after: colon)...]) else { return nil }
      name = name[..<colon]
    }
    if name.hasSuffix(".") { name = name.dropLast() }
    let isName = name.utf8.allSatisfy { character in
      (0x61...0x7A).contains(character) || (0x30...0x39).contains(character) || "-._".utf8.contains(character)
    }
    return name.isEmpty || !isName ? nil : name
  }

  private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

extension HTTPRequest {
  /// Whether a browser says that a page of another site sends the request (Fetch Metadata §2.2; RFC 6454 §7). Other clients
  /// send neither header.
  public var isFromAnotherSite: Bool {
    if headers.first(name: "sec-fetch-site")?.lowercased() == "cross-site" { return true }
    let origin = headers.first(name: "origin")
    return origin != nil && !HostPolicy.isOwn(origin: origin, host: host)
  }
}
