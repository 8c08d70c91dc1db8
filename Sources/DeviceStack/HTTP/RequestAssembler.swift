import NIOCore
import NIOHTTP1

/// Puts one connection's requests together from the parser's parts and holds them to the limits: pure, no I/O.
struct RequestAssembler {
  /// What to do with what has been read so far.
  enum Action: Equatable {
    /// More is needed, or nothing is to be said.
    case wait
    /// The client waits for `100 Continue` before it sends the body.
    case sayContinue
    /// The request is whole.
    case answer(HTTPRequestHead, ByteBuffer)
    /// Answer with this status and close; whatever follows is not looked at.
    case refuse(HTTPResponseStatus)
  }

  private enum State {
    /// Between requests.
    case idle
    /// The head is here, the body is not, or not all of it.
    case body(HTTPRequestHead, ByteBuffer)
    /// A request was refused: the connection is done for.
    case refused
  }

  private let limits: HTTPLimits
  private var state = State.idle

  init(limits: HTTPLimits) { self.limits = limits }

  /// Whether a request has begun, as far as the parser told.
  var isInRequest: Bool {
    if case .body = state { true } else { false }
  }

  var isRefused: Bool {
    if case .refused = state { true } else { false }
  }

  mutating func head(_ head: HTTPRequestHead) -> Action {
    guard !isRefused else { return .wait }
    if let status = objection(to: head) { return refuse(status) }
    state = .body(head, ByteBuffer())
    let expectsContinue = head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    return expectsContinue && head.version != .http1_0 ? .sayContinue : .wait
  }

  mutating func body(_ part: ByteBuffer) -> Action {
    guard case .body(let head, var body) = state else { return .wait }
    guard body.readableBytes + part.readableBytes <= limits.body else { return refuse(.payloadTooLarge) }
    state = .idle  // The buffer has one owner while it grows: no copy.
    body.writeImmutableBuffer(part)
    state = .body(head, body)
    return .wait
  }

  mutating func end() -> Action {
    guard case .body(let head, let body) = state else { return .wait }
    state = .idle
    return .answer(head, body)
  }

  mutating func refuse(_ status: HTTPResponseStatus) -> Action {
    guard !isRefused else { return .wait }
    state = .refused
    return .refuse(status)
  }

  private func objection(to head: HTTPRequestHead) -> HTTPResponseStatus? {
    if head.uri.utf8.count > limits.uri { return .uriTooLong }
    // Name, colon, blank, value, CR and LF: what a header takes on the wire.
    let size = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.head { return .requestHeaderFieldsTooLarge }
    let isChunked = head.headers.contains(name: "transfer-encoding")
    if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > limits.body {
      return .payloadTooLarge
    }
    if head.method == .POST, !isChunked, !head.headers.contains(name: "content-length") { return .lengthRequired }
    return nil
  }
}
