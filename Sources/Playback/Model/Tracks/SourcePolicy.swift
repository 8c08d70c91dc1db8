import Glibc

/// Decides which addresses may be played.
package struct SourcePolicy: Sendable {
  /// Folders whose files may be played.
  let allowedFolders: [String]

  package init(allowedFolders: [String]) {
    self.allowedFolders = allowedFolders
  }

  /// Accepts `http:` and `https:` addresses, and `file:` addresses within the allowed folders.
  package func check(_ uri: String) throws(PlaybackError) {
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
