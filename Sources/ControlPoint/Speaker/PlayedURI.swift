import UPnP

/// A normalized URI, to compare a sent URI with the one that a speaker reports. Some speakers escape it again, write the host
/// in lower case, or omit the default port.
package struct PlayedURI: Sendable, Hashable {
  private let text: String

  package init(_ uri: String) {
    let plain = uri.replacing("&amp;", with: "&")
    let decoded = plain.percentDecoded ?? plain
    guard let scheme = decoded.firstRange(of: "://") else {
      text = decoded
      return
    }
    let rest = decoded[scheme.upperBound...]
    let path = rest.drop { $0 != "/" && $0 != "?" }
    let host = rest[..<path.startIndex].lowercased()
    let start = decoded[..<scheme.upperBound].lowercased()
    let hasDefaultPort = start == "http://" && host.hasSuffix(":80")
    text = start + (hasDefaultPort ? host.dropLast(3) : host[...]) + (path.isEmpty ? "/" : path)
  }
}
