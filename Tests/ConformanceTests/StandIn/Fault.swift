import UPnP

/// A fault that a proxy adds to a renderer by changes on the wire.
struct Fault: Sendable {
  /// Changes a request before the renderer gets it.
  var onRequest: @Sendable (inout ProxyRequest) -> Void = { _ in }
  /// Changes the renderer's answer.
  var onResponse: @Sendable (ProxyRequest, inout ProxyResponse) -> Void = { _, _ in }
  /// Changes an event; returns false to drop it.
  var onEvent: @Sendable (inout ProxyRequest) -> Bool = { _ in true }
  /// Changes the answers to a search.
  var onSearch: @Sendable (_ search: String, _ answers: [String]) -> [String] = { _, answers in answers }
  /// Answers a request before its body has arrived.
  var isEarly = false
  /// Changes the first bytes of a malformed request before they are relayed.
  var onMalformed: @Sendable (inout [UInt8]) -> Void = { _ in }
  /// Whether the renderer crashes at these bytes, the beginning of a request or a datagram.
  var isFatal: @Sendable ([UInt8]) -> Bool = { _ in false }
  /// The renderer crashes if more connections are open.
  var maximumConnections = Int.max
  var allowsHalfClosure = true
  /// The delay before the answer to a request.
  var responseDelay: @Sendable (ProxyRequest) -> Duration = { _ in .zero }
  /// Changes an announcement; returns nil to drop it.
  var onNotice: @Sendable (String) -> String? = { $0 }
  /// How often each event is sent.
  var eventCopies = 1
  /// The delay before the answers to a search.
  var searchDelay: @Sendable (String) -> Duration = { _ in .zero }
  /// A fault of the renderer itself.
  var standIn: StandInFault?

  static let none = Fault()
}

/// An HTTP request that passes the proxy.
struct ProxyRequest: Sendable {
  var method: String
  var target: String
  var version: String
  /// The headers as sent, including the blank before a value.
  var headers: [(name: String, value: String)]
  /// The body as sent, including chunked framing.
  var body: String

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }.map { String($0.value.trimmingBlanks) }
  }

  mutating func set(_ name: String, _ value: String) {
    headers = headers.map { $0.name.lowercased() == name.lowercased() ? ($0.name, " " + value) : $0 }
  }

  /// Replaces text in the body.
  mutating func replace(_ old: String, _ new: String) {
    body = body.replacing(old, with: new)
    set("Content-Length", "\(body.utf8.count)")
  }

  /// The text of an element of the body.
  func element(_ name: String) -> String? {
    guard let start = body.firstRange(of: "<\(name)>"), let end = body.firstRange(of: "</\(name)>") else { return nil }
    return String(body[start.upperBound..<end.lowerBound])
  }

  var action: String {
    (header("soapaction") ?? "").split(separator: "#").last.map { $0.filter { $0 != "\"" } } ?? ""
  }

  var text: String {
    "\(method) \(target) \(version)\r\n" + headers.map { "\($0.name):\($0.value)\r\n" }.joined() + "\r\n" + body
  }
}

/// An answer that passes the proxy.
struct ProxyResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// Bytes after the end by Content-Length.
  var excess = ""
  /// Whether to close the connection; nil to close it when the request or the answer says so.
  var closes: Bool?
  /// Closes the connection without an answer.
  var isMissing = false

  var text: String {
    get { String(decoding: body, as: UTF8.self) }
    set {
      body = Array(newValue.utf8)
      set("Content-Length", "\(body.count)")
    }
  }

  /// Replaces a header, or removes it.
  mutating func set(_ name: String, _ value: String?) {
    guard let value else { return headers.removeAll { $0.name.lowercased() == name.lowercased() } }
    headers = headers.map { $0.name.lowercased() == name.lowercased() ? ($0.name, value) : $0 }
  }

  mutating func replace(_ old: String, _ new: String) { text = text.replacing(old, with: new) }

  /// Replaces the text of an element.
  mutating func setText(_ name: String, _ value: String) {
    guard let start = text.firstRange(of: "<\(name)>"), let end = text.firstRange(of: "</\(name)>") else { return }
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: value)
  }
}
