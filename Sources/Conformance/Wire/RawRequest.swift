import ControlPoint

/// An HTTP request, every byte of which a check can choose.
struct RawRequest: Sendable {
  var method: String
  var url: HTTPURL
  var version = "HTTP/1.1"
  var headers: [(name: String, value: String)]
  var body: String?

  /// A request with HOST, USER-AGENT, CONNECTION and, with a body, CONTENT-LENGTH.
  init(_ method: String, _ url: HTTPURL, _ headers: [(name: String, value: String)] = [], body: String? = nil) {
    self.method = method
    self.url = url
    self.headers =
      [("HOST", url.authority), ("USER-AGENT", Self.product), ("CONNECTION", "close")] + headers
    if let body { self.headers.append(("CONTENT-LENGTH", "\(body.utf8.count)")) }
    self.body = body
  }

  static let product = "Linux UPnP/1.1 swiftlet-control/1"

  /// Replaces a header, or removes it.
  mutating func set(_ name: String, _ value: String?) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    if let value { headers.append((name, value)) }
  }

  var text: String {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return "\(method) \(url.requestTarget) \(version)\r\n\(lines)\r\n\(body ?? "")"
  }

  /// Method and target, for reports.
  var title: String { "\(method) \(url.target)" }
}
