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
    /// The client has said all it had to say: close when it has the answers.
    case close
  }

  private enum State {
    /// Between requests.
    case idle
    /// The head is here, the body is not, or not all of it.
    case body(HTTPRequestHead, ByteBuffer)
    /// A request was refused, or the client has said all: nothing more is read.
    case over
  }

  private let limits: HTTPLimits
  private var state = State.idle

  init(limits: HTTPLimits) { self.limits = limits }

  private var isOver: Bool {
    if case .over = state { true } else { false }
  }

  mutating func head(_ head: HTTPRequestHead) -> Action {
    guard !isOver else { return .wait }
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
    guard !isOver else { return .wait }
    state = .over
    return .refuse(status)
  }

  mutating func inputClosed() -> Action {
    switch state {
    case .idle:
      state = .over
      return .close
    case .body: return refuse(.badRequest)
    case .over: return .wait
    }
  }

  private func objection(to head: HTTPRequestHead) -> HTTPResponseStatus? {
    if head.uri.utf8.count > limits.uri { return .uriTooLong }
    // Name, colon, blank, value, CR and LF: what a header takes on the wire.
    let size = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.head { return .requestHeaderFieldsTooLarge }
    // Which host is meant has to be beyond doubt (RFC 9112 §3.2).
    if head.headers[canonicalForm: "host"].count > 1 { return .badRequest }
    guard let length = head.headers.first(name: "content-length") else {
      let isChunked = head.headers.contains(name: "transfer-encoding")
      return head.method == .POST && !isChunked ? .lengthRequired : nil
    }
    // The parser has seen that it is a number; one that is no Int is too large as well.
    return Int(length).map { $0 <= limits.body } ?? false ? nil : .payloadTooLarge
  }
}
