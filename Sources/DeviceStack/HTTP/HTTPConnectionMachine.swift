import DequeModule
import NIOCore
import NIOHTTP1

/// Decides what one HTTP connection does: a pure state machine without I/O.
///
/// Reads pass through it twice. It counts the raw bytes before the parser sees them, since the parser reports a request
/// only with its whole head and counts neither blanks nor line ends. From the parser's parts it then assembles requests
/// and holds them to the limits. Pipelined requests are handled one after the other. A client that does not read its
/// answers, or waits for a deferred one, is not read from. A streamed answer is the last one on its connection. It has
/// no idle timeout; instead, its unread bytes and the time without progress are limited.
///
/// Every event takes the current time and returns the actions to perform, in order.
struct HTTPConnectionMachine {
  enum Action: Equatable {
    case sendContinue
    /// Answer a complete request, then call `answered`. If the answer comes later, call `deferred` first. If its body is
    /// streamed, call `streaming` after its head.
    case handle(HTTPRequestHead, ByteBuffer, keepAlive: Bool)
    /// Send this status with `Connection: close`.
    case refuse(HTTPResponseStatus)
    /// Call `flushed` when everything has been written.
    case finish
    /// Close our side. The client may still be sending.
    case closeOutput
    case close
    /// Close the connection and drop what the client has not taken, which the kernel would otherwise keep for minutes.
    case reset
    /// Write a piece of the streamed answer, then call `pieceSent`.
    case sendPiece(ByteBuffer)
    /// Start or stop reading from the socket.
    case read(Bool)
  }

  private enum Phase {
    /// Between requests (0 bytes), or in an incomplete head.
    case head(bytes: Int, sawLineEnd: Bool)
    case body(HTTPRequestHead, ByteBuffer)
    /// A request was refused, or the client closed its side. Further requests are ignored.
    case refused
    /// An answer is being streamed. Further bytes are discarded: they are read to notice that the client has gone.
    case streaming(Backlog)
    /// The last answer is being written. Further bytes are discarded.
    case closing
  }

  /// The bytes of a stream that the socket has not taken.
  private struct Backlog {
    var bytes = 0
    /// The last progress: the socket took a piece, or the first piece after an empty backlog was written.
    var movedAt: NIODeadline?
  }

  /// An action that waits until the earlier requests are answered and the client has read the answers.
  private enum Held {
    case sendContinue
    case request(HTTPRequestHead, ByteBuffer)
    case refusal(HTTPResponseStatus)
    case end
  }

  /// Room for the method and version in a request line, in bytes.
  private static let slack = 64

  private let limits: HTTPLimits
  private var phase = Phase.head(bytes: 0, sawLineEnd: false)
  private var held: Deque<Held> = []
  private var isWritable = true
  private var isReading = true
  private var isInputClosed = false
  /// The request that is being handled.
  private var handled: (keepAlive: Bool, isDeferred: Bool)?
  private var hasAsked = false
  /// Whether the answer to the handled request has an `HTTPContent`.
  private var isTransferring = false

  /// The bytes that the parser is reading, and the last byte before them.
  private var current = ByteBuffer()
  private var previous: UInt8?
  /// Whether a request ended within `current`.
  private var hasCompleted = false
  /// Whether the last request began like a method. Garbage and TLS do not.
  private var sawMethod = true

  /// The last activity: the connection was accepted, a request began to arrive or was answered, or a piece of an
  /// `HTTPContent` was taken.
  private(set) var idleSince: NIODeadline
  /// When an incomplete request is refused.
  private var arrivalDeadline: NIODeadline?
  /// When a client that keeps sending after the last answer is cut off.
  private var lingerDeadline: NIODeadline?

  init(limits: HTTPLimits, now: NIODeadline) {
    self.limits = limits
    idleSince = now
  }

  /// When to call `elapsed` at the latest.
  var deadline: NIODeadline {
    if case .streaming(let backlog) = phase {
      return backlog.movedAt.map { $0 + TimeAmount(limits.idle) } ?? .distantFuture
    }
    if isTransferring { return idleSince + TimeAmount(limits.stalled) }
    return [idleSince + TimeAmount(limits.idle), arrivalDeadline, lingerDeadline].compactMap(\.self).min()
      ?? .distantFuture
  }

  /// Whether a request is under way or, on a new connection, likely to be. Idle connections are closed first to make room.
  func isBusy(now: NIODeadline) -> Bool {
    isStreaming || isInRequest || handled != nil || (!hasAsked && now - idleSince < TimeAmount(limits.firstRequest))
  }

  /// Whether the answer is a stream. Its owner limits the number of streams, so none is closed to make room.
  var isStreaming: Bool { if case .streaming = phase { true } else { false } }

  /// Whether part of a request has arrived. Bytes that were read together with the end of the previous request do not count.
  private var isInRequest: Bool {
    switch phase {
    case .head(let bytes, _): bytes > 0
    case .body: true
    case .refused, .streaming, .closing: false
    }
  }

  // MARK: Reading

  /// Bytes arrived from the socket.
  /// - Returns: whether to pass them to the parser, and then call `parsed`.
  mutating func received(_ bytes: ByteBuffer) -> Bool {
    let view = bytes.readableBytesView
    switch phase {
    case .streaming, .closing: return false
    case .body, .refused: break
    case .head(let count, let sawLineEnd):
      if count == 0 { sawMethod = Self.mayBeMethod(view) }
      phase = .head(bytes: count + view.count, sawLineEnd: sawLineEnd || view.contains(UInt8(ascii: "\n")))
    }
    current = bytes
    return true
  }

  /// The parser found a head.
  mutating func head(_ head: HTTPRequestHead, now: NIODeadline) -> [Action] {
    guard case .head = phase else { return [] }
    if let status = limits.refusal(of: head) { return refuse(status, now: now) }
    phase = .body(head, ByteBuffer())
    let expectsContinue = head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
    return expectsContinue && head.version != .http1_0 ? hold(.sendContinue, now: now) : []
  }

  /// The parser found part of a body.
  mutating func body(_ part: ByteBuffer, now: NIODeadline) -> [Action] {
    guard case .body(let head, var body) = phase else { return [] }
    guard body.readableBytes + part.readableBytes <= limits.body else { return refuse(.payloadTooLarge, now: now) }
    phase = .refused  // Leaves the buffer with one owner while it grows: no copy.
    body.writeImmutableBuffer(part)
    phase = .body(head, body)
    return []
  }

  /// The parser found the end of a request.
  mutating func end(now: NIODeadline) -> [Action] {
    guard case .body(let head, let body) = phase else { return [] }
    phase = .head(bytes: 0, sawLineEnd: false)
    hasCompleted = true
    arrivalDeadline = nil
    return hold(.request(head, body), now: now)
  }

  /// The parser has read the bytes of `received`. Bytes still counted for a head belong to an incomplete one.
  mutating func parsed(now: NIODeadline) -> [Action] {
    let view = current.readableBytesView
    if hasCompleted, case .head(let bytes, _) = phase {
      // The request line may have followed the end of the previous request.
      phase = .head(bytes: bytes, sawLineEnd: !view.suffix(4).elementsEqual("\r\n\r\n".utf8))
    }
    hasCompleted = false
    previous = view.last ?? previous
    current = ByteBuffer()
    guard case .head(let bytes, let sawLineEnd) = phase else { return [] }
    if bytes > limits.uri + Self.slack, !sawLineEnd { return refuse(.uriTooLong, now: now) }
    return bytes > limits.head + Self.slack ? refuse(.requestHeaderFieldsTooLarge, now: now) : []
  }

  /// The parser gave up.
  mutating func parserFailed(_ error: HTTPParserError, now: NIODeadline) -> [Action] {
    switch error {
    case .headerOverflow: refuse(.requestHeaderFieldsTooLarge, now: now)
    // The parser knows all methods that are used here; M-POST is not one of them (RFC 9110 §15.6.2).
    case .invalidMethod where sawMethod: refuse(.notImplemented, now: now)
    // The parser reports a line that ends in LF alone as a wrong version (RFC 9112 §2.2).
    case .invalidVersion where hasBareLineFeed: refuse(.badRequest, now: now)
    case .invalidVersion: refuse(.httpVersionNotSupported, now: now)
    default: refuse(.badRequest, now: now)
    }
  }

  /// All bytes that had arrived have been read.
  mutating func readComplete(now: NIODeadline) {
    guard isInRequest, arrivalDeadline == nil else { return }
    hasAsked = true
    idleSince = now
    arrivalDeadline = now + TimeAmount(limits.arrival)
  }

  /// The client closed its side. It still gets the answers to its requests.
  mutating func inputClosed(now: NIODeadline) -> [Action] {
    isInputClosed = true
    switch phase {
    case .head:
      phase = .refused
      return hold(.end, now: now)
    case .body: return refuse(.badRequest, now: now)
    // A browser that leaves the page closes both directions at once. Nothing else shows that it has gone.
    case .streaming: return [.close]
    case .refused, .closing: return []
    }
  }

  // MARK: Answering

  /// The answer to the request in `handle` comes later.
  mutating func deferred() -> [Action] {
    handled?.isDeferred = true
    return updateReading()
  }

  /// The answer to the request in `handle` has been written.
  mutating func answered(now: NIODeadline) -> [Action] {
    guard let (keepAlive, isDeferred) = handled.take() else { return [] }
    if isDeferred { idleSince = now }
    if isTransferring {
      isTransferring = false
      // The next request may have begun to arrive before.
      if arrivalDeadline != nil { arrivalDeadline = now + TimeAmount(limits.arrival) }
    }
    guard keepAlive else { return finish() }
    return updateReading() + next(now: now)
  }

  /// The head of the answer to the request in `handle` has been written. Its `HTTPContent` follows in pieces. Call `answered`
  /// after the last one.
  mutating func transferring(now: NIODeadline) -> [Action] {
    isTransferring = true
    idleSince = now
    return deferred()
  }

  /// The client has taken a piece of an `HTTPContent`.
  mutating func transferMoved(now: NIODeadline) { idleSince = now }

  /// The head of the answer to the request in `handle` has been written with `Connection: close`. Its body follows in
  /// pieces. Further requests are ignored.
  mutating func streaming(now: NIODeadline) -> [Action] {
    guard handled.take() != nil else { return [] }
    held = []
    arrivalDeadline = nil
    phase = .streaming(Backlog())
    return isInputClosed ? [.close] : updateReading()
  }

  /// A piece of the streamed answer. A client that takes its pieces too slowly is closed.
  mutating func piece(_ piece: ByteBuffer, now: NIODeadline) -> [Action] {
    guard case .streaming(var backlog) = phase else { return [] }
    backlog.bytes += piece.readableBytes
    // A single piece may exceed the limit: a client that takes everything is not slow.
    guard backlog.bytes <= limits.backlog || backlog.bytes == piece.readableBytes else { return [.reset] }
    backlog.movedAt = backlog.movedAt ?? now
    phase = .streaming(backlog)
    return [.sendPiece(piece)]
  }

  /// The socket has taken a piece of this size, in bytes.
  mutating func pieceSent(_ bytes: Int, now: NIODeadline) {
    guard case .streaming(var backlog) = phase else { return }
    backlog.bytes -= bytes
    backlog.movedAt = backlog.bytes > 0 ? now : nil
    phase = .streaming(backlog)
  }

  /// The last piece of the streamed answer has been written.
  mutating func streamEnded(now: NIODeadline) -> [Action] {
    guard isStreaming else { return [] }
    return finish()
  }

  /// The socket's send buffer has room again, or is full.
  mutating func writabilityChanged(_ isWritable: Bool, now: NIODeadline) -> [Action] {
    self.isWritable = isWritable
    return updateReading() + next(now: now)
  }

  /// Everything has been written after `finish`.
  mutating func flushed(now: NIODeadline) -> [Action] {
    guard !isInputClosed else { return [.close] }
    lingerDeadline = now + TimeAmount(limits.linger)
    // A client that is still sending would get a reset instead of the answer if its bytes were not read.
    return [.closeOutput] + updateReading()
  }

  /// Closes the connection or refuses the request if its deadline has passed.
  mutating func elapsed(now: NIODeadline) -> [Action] {
    if isStreaming || isTransferring { return deadline <= now ? [.reset] : [] }
    if idleSince + TimeAmount(limits.idle) <= now { return [.close] }
    if let lingerDeadline, lingerDeadline <= now { return [.close] }
    if let arrivalDeadline, arrivalDeadline <= now { return refuse(.requestTimeout, now: now) }
    return []
  }

  private mutating func refuse(_ status: HTTPResponseStatus, now: NIODeadline) -> [Action] {
    switch phase {
    case .refused, .streaming, .closing: return []
    case .head, .body:
      phase = .refused
      arrivalDeadline = nil
      return hold(.refusal(status), now: now)
    }
  }

  private mutating func hold(_ item: Held, now: NIODeadline) -> [Action] {
    held.append(item)
    return next(now: now)
  }

  /// The actions for held items, once the client has read the earlier answers.
  private mutating func next(now: NIODeadline) -> [Action] {
    guard isWritable, handled == nil, let item = held.popFirst() else { return [] }
    switch item {
    case .sendContinue: return [.sendContinue] + next(now: now)
    case .request(let head, let body):
      hasAsked = true
      idleSince = now
      // The parser stops after a request for another protocol, such as the h2c of browsers and Java.
      let keepAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade") && head.method != .CONNECT
      handled = (keepAlive, false)
      return [.handle(head, body, keepAlive: keepAlive)]
    case .refusal(let status): return [.refuse(status)] + finish()
    case .end: return finish()
    }
  }

  private mutating func finish() -> [Action] {
    phase = .closing
    held = []
    arrivalDeadline = nil
    return [.finish]
  }

  private mutating func updateReading() -> [Action] {
    let reads = lingerDeadline != nil || isStreaming || (isWritable && handled?.isDeferred != true)
    guard reads != isReading else { return [] }
    isReading = reads
    return [.read(reads)]
  }

  // MARK: Bytes

  /// Whether a line in `current` ends in LF without CR.
  private var hasBareLineFeed: Bool {
    var last = previous
    for byte in current.readableBytesView {
      if byte == UInt8(ascii: "\n"), last != UInt8(ascii: "\r") { return true }
      last = byte
    }
    return false
  }

  /// Whether the bytes up to the first blank are characters of a token (RFC 9110 §5.6.2).
  private static func mayBeMethod(_ bytes: ByteBufferView) -> Bool {
    let line = bytes.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    return line.prefix(32).prefix { $0 != UInt8(ascii: " ") }.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
  }
}
