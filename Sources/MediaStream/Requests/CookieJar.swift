/// The cookies of one stream's requests (RFC 6265). Servers behind a login set them in redirects.
package struct CookieJar: Sendable, Equatable {
  private struct Cookie: Sendable, Equatable {
    var name: String
    var value: String
    /// In lower case.
    var host: String
    /// Whether subdomains of the host get the cookie, too.
    var includesSubdomains: Bool
    var path: String
    var isSecure: Bool
  }

  private static let maximumCount = 50
  private static let maximumSize = 4096
  private var cookies: [Cookie] = []

  package init() {}

  /// Stores the value of a Set-Cookie header.
  package mutating func store(_ header: String, from url: StreamURL) {
    let parts = header.split(separator: ";").map { Self.pair($0) }
    guard let first = parts.first, !first.name.isEmpty, header.utf8.count <= Self.maximumSize,
      header.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return }
    let host = url.address.host.lowercased()
    var cookie = Cookie(
      name: first.name, value: first.value, host: host, includesSubdomains: false, path: "/", isSecure: false)
    var isExpired = false
    for part in parts.dropFirst() {
      switch part.name.lowercased() {
      case "domain":
        let domain = String(part.value.lowercased().drop { $0 == "." })
        // A domain of a single label, such as `com`, would send the cookie to other owners' servers.
        guard domain == host || domain.contains(".") && host.hasSuffix("." + domain) else { return }
        cookie.host = domain
        cookie.includesSubdomains = true
      case "path": if part.value.hasPrefix("/") { cookie.path = part.value }
      case "secure": cookie.isSecure = true
      case "max-age": isExpired = Int(part.value).map { $0 <= 0 } ?? false
      default: break
      }
    }
    cookies.removeAll { $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path }
    if !isExpired, cookies.count < Self.maximumCount { cookies.append(cookie) }
  }

  /// The value of the Cookie header for a request; nil for none.
  package func header(for url: StreamURL) -> String? {
    let host = url.address.host.lowercased()
    let path = String(url.target.prefix { $0 != "?" })
    let matching = cookies.filter { cookie in
      (cookie.host == host || cookie.includesSubdomains && host.hasSuffix("." + cookie.host))
        && (!cookie.isSecure || url.address.isSecure)
        && (path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/"))
    }
    return matching.isEmpty ? nil : matching.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func pair(_ text: Substring) -> (name: String, value: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (trimmed(parts[0]), parts.count > 1 ? trimmed(parts[1]) : "")
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
