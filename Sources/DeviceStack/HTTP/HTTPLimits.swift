import NIOHTTP1

/// Limits on one client, so that none can exhaust the server.
public struct HTTPLimits: Sendable {
  /// Size of the request line and the headers together, in bytes; 431 beyond.
  public var head = 16 * 1024
  /// Number of headers of a request, and of trailers; 431 beyond.
  public var fields = 256
  /// Size of the request target, in bytes; 414 beyond.
  public var uri = 8 * 1024
  /// Size of the body, in bytes; 413 beyond.
  public var body = 1024 * 1024
  /// Time from the first byte of a request to its last; 408 beyond.
  public var arrival = Duration.seconds(10)
  /// Time after which a connection without a request, or with an unread answer, is closed. While a streamed answer has
  /// unread bytes, its client must read some of them within this time.
  public var idle = Duration.seconds(60)
  /// Bytes of a streamed answer that a client may leave unread, in one or more pieces, before it is closed.
  public var backlog = 256 * 1024
  /// Time in which the client of an answer with an `HTTPContent` must read some of it. A paused player does not read.
  public var stalled = Duration.seconds(1800)
  /// Grace period during which a new connection counts as busy.
  public var firstRequest = Duration.seconds(1)
  /// Time during which a client may continue to send after its request was refused. Closing at once would reset the
  /// connection and lose the answer (RFC 9112 §9.6).
  public var linger = Duration.seconds(2)
  /// Number of connections; beyond it the one idle for longest is closed.
  public var connections = 256

  public init() {}

  /// The status with which a request is refused once its head is known; nil if the head is within the limits.
  func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
    if head.uri.utf8.count > uri { return .uriTooLong }
    // Name, colon, blank, value, CR and LF: the size of a header on the wire.
    var size = head.uri.utf8.count
    var hosts = 0
    var hasList = false
    for (name, value) in head.headers {
      size += name.utf8.count + value.utf8.count + 4
      guard name.utf8.count == 4, name.lowercased() == "host" else { continue }
      hosts += 1
      hasList = hasList || value.utf8.contains(UInt8(ascii: ","))
    }
    if size > self.head { return .requestHeaderFieldsTooLarge }
    // An ambiguous host is an error (RFC 9112 §3.2). Splitting a value is slow, and only a list needs it.
    if hosts > 1 || hasList && head.headers[canonicalForm: "host"].count > 1 { return .badRequest }
    guard let length = head.headers.first(name: "content-length") else {
      let isChunked = head.headers.contains(name: "transfer-encoding")
      return head.method == .POST && !isChunked ? .lengthRequired : nil
    }
    // The parser has checked that it is a number. One that does not fit an Int is too large as well.
    return Int(length).map { $0 <= body } ?? false ? nil : .payloadTooLarge
  }
}
