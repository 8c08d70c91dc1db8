import Glibc

/// Decides which addresses may be played.
package struct SourcePolicy: Sendable {
  /// Folders whose files may be played.
  let allowedFolders: [String]
  /// An address that may be played besides.
  let ownFile: String?

  package init(allowedFolders: [String], ownFile: String? = nil) {
    self.allowedFolders = allowedFolders
    self.ownFile = ownFile
  }

  /// Accepts `http:` and `https:` addresses, and `file:` addresses within the allowed folders.
  package func check(_ uri: String) throws(PlaybackError) {
    if uri == ownFile { return }
    guard let scheme = uri.uriScheme else { throw .badAddress }
    switch scheme {
    case "http", "https":
      guard HTTPAddress(uri) != nil else { throw .badAddress }
    case "file":
      if allowedFolders.isEmpty { throw .unsupportedScheme("file") }
      try checkFile(uri)
    default: throw .unsupportedScheme(scheme)
    }
  }

  /// Symbolic links are resolved first, so that none leads out of an allowed folder.
  private func checkFile(_ uri: String) throws(PlaybackError) {
    guard uri.lowercased().hasPrefix("file:///"), let path = uri.dropFirst("file://".count).percentDecoded else {
      throw .badAddress
    }
    guard let file = Self.realPath(path) else { throw errno == EACCES ? .notAuthorized : .notFound }
    let isAllowed = allowedFolders.contains { folder in
      guard let folder = Self.realPath(folder) else { return false }
      return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
    if !isAllowed { throw .forbiddenFolder }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension Substring {
  /// Decodes `%41` as `A`; nil for invalid UTF-8, incomplete escapes and zero bytes.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next(), let low = rest.next(),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

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

  package init(host: String, port: Int, isSecure: Bool) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }
}

extension String {
  /// The text without leading and trailing spaces, tabs and line ends.
  package func trimmingSpaces() -> String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[first...last])
  }

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
