import Glibc
import UPnP

/// Whom the server believes to be meant by a Host or Origin header: the guard against DNS rebinding, by which a web page
/// makes a browser talk to devices at home under a name of its own.
public struct HostPolicy: Sendable {
  /// Names, and suffixes beginning with a dot, that are trusted besides the usual ones; in lower case.
  public var names: [String]

  /// Names that only exist at home (RFC 6762 §3, RFC 8375) or are customary there.
  private static let homeSuffixes = [".local", ".lan", ".home.arpa"]

  public init(names: [String] = []) { self.names = names.map { $0.lowercased() } }

  /// Whether a Host header may stand on a request: none at all, a literal address, or a name that no web page can own.
  public func allows(host: String?) -> Bool {
    guard let host = host?.trimmingBlanks.lowercased(), !host.isEmpty else { return true }
    if host.hasPrefix("[") { return Self.isBracketedAddress(host) }
    guard let name = Self.name(in: host) else { return false }
    if !name.contains(".") || IPAddress(name) != nil { return true }
    return Self.homeSuffixes.contains { name.hasSuffix($0) }
      || names.contains { $0.hasPrefix(".") ? name.hasSuffix($0) : name == $0 }
  }

  /// Whether a request from a page of this origin may change anything: only if the page is our own.
  public func allows(origin: String?, host: String?) -> Bool {
    guard let origin else { return true }
    guard let host, origin.lowercased().hasPrefix("http://") else { return false }
    return origin.dropFirst("http://".count).lowercased() == host.lowercased() && allows(host: host)
  }

  /// `[fe80::1]:80`, with a zone perhaps, or a port.
  private static func isBracketedAddress(_ host: String) -> Bool {
    guard let end = host.firstIndex(of: "]") else { return false }
    let port = host[host.index(after: end)...]
    var address = in6_addr()
    return inet_pton(AF_INET6, String(host[..<end].dropFirst().prefix { $0 != "%" }), &address) == 1
      && (port.isEmpty || port.first == ":" && isNumber(port.dropFirst()))
  }

  /// The name or address without port and a final dot; nil for what is neither.
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
