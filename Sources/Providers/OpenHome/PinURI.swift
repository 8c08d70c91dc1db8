import UPnP

/// A pin URI as OpenHome's players write it: `mode://type?key=value&key=value` with percent-encoded values.
struct PinURI {
  let mode: String
  let type: String
  private let query: Substring

  /// Nil if the text is no pin URI.
  init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    let rest = text[colon.upperBound...]
    let host = rest.prefix { $0 != "?" && $0 != "/" }
    mode = text[..<colon.lowerBound].lowercased()
    type = host.lowercased()
    guard !mode.isEmpty, !type.isEmpty else { return nil }
    query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] } ?? ""
  }

  /// Whether `version` is one that this program understands.
  var hasKnownVersion: Bool { self["version"].flatMap { UInt($0) } == 1 }

  /// The decoded value of a key; nil if the key is missing.
  subscript(key: String) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix(key + "=") {
      let value = pair.dropFirst(key.count + 1)
      // Some controllers do not encode the address: then the rest of the query belongs to it.
      return value.contains("://") ? String(query[value.startIndex...]) : value.percentDecoded
    }
    return nil
  }
}
