/// The address of a pin as OpenHome's players write it: `mode://type?key=value&key=value`, the values percent-encoded.
struct PinURI {
  let mode: String
  let type: String
  private let query: Substring

  /// Nil for a text that is not written so.
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

  /// The value of a key, decoded; nil where there is none.
  subscript(key: String) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix(key + "=") {
      let value = pair.dropFirst(key.count + 1)
      // An address that nobody has encoded goes on behind its own `&`.
      return value.contains("://") ? String(query[value.startIndex...]) : value.percentDecoded
    }
    return nil
  }
}
