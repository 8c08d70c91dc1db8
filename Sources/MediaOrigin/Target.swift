/// A request target (RFC 9112 §3.2.1), split into path and query and percent-decoded.
struct Target: Equatable {
  /// A `name=value` pair of the query. The value is empty without `=`.
  struct Item: Equatable {
    var name: String
    var value: String
  }

  /// Decoded; begins with a slash.
  let path: String
  /// Decoded, in order.
  let query: [Item]
  /// As sent.
  let text: String

  init(_ text: String) {
    self.text = text
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = Self.decode(parts[0])
    let items = parts.count > 1 ? parts[1].split(separator: "&") : []
    query = items.map { item in
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Item(name: Self.decode(pair[0]), value: pair.count > 1 ? Self.decode(pair[1]) : "")
    }
  }

  /// Number of redirects so far, from the query.
  var hop: Int { query.last { $0.name == "hop" }.flatMap { Int($0.value) } ?? 0 }

  /// The target of the next redirect.
  var nextHop: String {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let others = parts.count > 1 ? parts[1].split(separator: "&").filter { !$0.hasPrefix("hop=") }.map(String.init) : []
    return "\(parts[0])?" + (others + ["hop=\(hop + 1)"]).joined(separator: "&")
  }

  /// Percent-decodes UTF-8. Invalid escapes stay unchanged.
  static func decode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let hex = String(validating: rest.prefix(2), as: UTF8.self),
        let value = UInt8(hex, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Percent-encodes everything except unreserved characters (RFC 3986 §2.3) and slashes.
  static func encode(path: String) -> String {
    path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default:
        (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
