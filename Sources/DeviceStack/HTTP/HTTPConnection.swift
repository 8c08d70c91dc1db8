import DequeModule
import NIOCore
import NIOHTTP1

/// One client's connection: parts from the parser into the assembler, what it returns into answers.
///
/// Two timers watch it. One closes it when it has been idle; it is not set anew for each request but looks when it goes
/// off. The other runs while a request is arriving, and while a client that was refused is heard out; most requests
/// come in one piece and never start it.
///
/// A client that asks faster than it takes the answers gets no more of them, and is not read from, until it has caught up.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: HTTPServer
  private let headGuard: HeadGuard
  private var assembler: RequestAssembler
  private var context: ChannelHandlerContext?
  /// Of the client and of ours; kept because each asking is a system call.
  private var addresses: (remote: SocketAddress, local: SocketAddress)?
  private var idleTimer: Scheduled<Void>?
  private var arrivalTimer: Scheduled<Void>?
  /// The answer to a request is not known yet; meanwhile nothing is read.
  private var isAwaiting = false
  /// Nothing more is read: the last answer is on its way.
  private var isClosing = false
  /// What is to be said once the client has taken what was said before, and that is known.
  private var held: Deque<RequestAssembler.Action> = []
  private var isInputClosed = false
  /// When the last request began to arrive or was answered, or the connection was made.
  private(set) var idleSince: NIODeadline
  private var hasAsked = false
  /// Whether a request is under way, or the first may be: such a connection is not closed to make room.
  var isBusy: Bool { headGuard.isInRequest || isAwaiting || isNew }
  private var isNew: Bool { !hasAsked && server.eventLoop.now - idleSince < server.limits.firstRequest }
  /// Whether more can be said.
  private var isFree: Bool { !isAwaiting && context?.channel.isWritable ?? false }

  init(server: HTTPServer, headGuard: HeadGuard) {
    self.server = server
    self.headGuard = headGuard
    assembler = RequestAssembler(limits: server.limits)
    idleSince = server.eventLoop.now
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    if let remote = context.remoteAddress, let local = context.localAddress { addresses = (remote, local) }
    server.opened(self)
    watchIdleness()
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    idleTimer?.cancel()
    arrivalTimer?.cancel()
    server.closed(self)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      headGuard.headComplete()
      perform(assembler.head(head))
    case .body(let part): perform(assembler.body(part))
    case .end:
      headGuard.requestComplete()
      arrivalTimer.take()?.cancel()
      perform(assembler.end())
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
    watchArrival()
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    goOn()
    context.fireChannelWritabilityChanged()
  }

  /// Reads if there is nothing in the way of an answer, and says what was held.
  private func goOn() {
    guard let context else { return }
    _ = context.channel.setOption(.autoRead, value: isFree)
    guard isFree, !held.isEmpty else { return }
    while isFree, let action = held.popFirst() { carryOut(action) }
    context.flush()
  }

  /// A client that has asked its last may end its side before the answer has come.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent {
      isInputClosed = true
      perform(assembler.inputClosed())
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    switch error {
    case HeadGuard.Violation.headTooLarge, HTTPParserError.headerOverflow:
      perform(assembler.refuse(.requestHeaderFieldsTooLarge))
    case HeadGuard.Violation.uriTooLong: perform(assembler.refuse(.uriTooLong))
    // A method that nobody here knows, M-POST among them (RFC 9110 §15.6.2).
    case HTTPParserError.invalidMethod where headGuard.sawMethod: perform(assembler.refuse(.notImplemented))
    // A line ends in CR LF (RFC 9112 §2.2).
    case HTTPParserError.invalidVersion where headGuard.hasBareLineFeed: perform(assembler.refuse(.badRequest))
    case HTTPParserError.invalidVersion: perform(assembler.refuse(.httpVersionNotSupported))
    case is HTTPParserError: perform(assembler.refuse(.badRequest))
    default: close()
    }
  }

  /// At once: to make room, at the end, or when there is nobody to be gentle to.
  func close() { context?.close(promise: nil) }

  private func watchIdleness() {
    let rest = idleSince + server.limits.idle - server.eventLoop.now
    guard rest > .zero else { return close() }
    idleTimer = schedule(in: rest) { $0.watchIdleness() }
  }

  private func watchArrival() {
    guard headGuard.isInRequest, arrivalTimer == nil else { return }
    hasAsked = true
    idleSince = server.eventLoop.now
    arrivalTimer = schedule(in: server.limits.arrival) { $0.perform($0.assembler.refuse(.requestTimeout)) }
  }

  private func schedule(in time: TimeAmount, _ body: @escaping (HTTPConnection) -> Void) -> Scheduled<Void> {
    server.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { body(self) }
    }
  }

  private func perform(_ action: RequestAssembler.Action) {
    if action == .wait { return }
    guard held.isEmpty, isFree else { return held.append(action) }
    carryOut(action)
  }

  private func carryOut(_ action: RequestAssembler.Action) {
    guard !isClosing else { return }
    switch action {
    case .wait: break
    case .sayContinue:
      context?.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
    case .answer(let head, let body): answer(head, body)
    case .refuse(let status):
      write(server.complete(HTTPResponse(status)), for: nil, keepAlive: false)
      closeGently()
    case .close: closeGently()
    }
  }

  private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer) {
    hasAsked = true
    idleSince = server.eventLoop.now
    // Without addresses the client was gone before it began.
    guard let context, let addresses else { return close() }
    let request = HTTPRequest(
      method: head.method, uri: head.uri, version: head.version, headers: head.headers, body: body,
      remote: addresses.remote, local: addresses.local)
    // The parser stops after a request that would have another protocol spoken from here on (browsers' and Java's h2c).
    let keepAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade") && head.method != .CONNECT
    switch server.answer(request) {
    case .now(let response, let afterFlush):
      write(server.complete(response), for: head, keepAlive: keepAlive)
      if let afterFlush {
        context.flush()
        afterFlush()
      }
      if !keepAlive { closeGently() }
    case .later(let answer): wait(for: answer, head, keepAlive: keepAlive)
    }
  }

  private func wait(for answer: Deferred<HTTPResponse>, _ head: HTTPRequestHead, keepAlive: Bool) {
    isAwaiting = true
    goOn()
    answer.whenComplete { [weak self] response in
      guard let self else { return }
      isAwaiting = false
      idleSince = server.eventLoop.now
      write(server.complete(response), for: head, keepAlive: keepAlive)
      if keepAlive { context?.flush() } else { closeGently() }
      goOn()
    }
  }

  private func write(_ response: HTTPResponse, for request: HTTPRequestHead?, keepAlive: Bool) {
    guard let context else { return }
    var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
    if !keepAlive {
      head.headers.add(name: "Connection", value: "close")
    } else if request?.version == .http1_0 {
      head.headers.add(name: "Connection", value: "keep-alive")
    }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request?.method != .HEAD, response.body.readableBytes > 0 {
      context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
    }
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Reads no more; ends our side once the answer is out, and the whole when the client ends its side or a moment has
  /// passed.
  private func closeGently() {
    guard let context, !isClosing else { return }
    isClosing = true
    headGuard.close()
    arrivalTimer.take()?.cancel()
    let written = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
    written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.answerIsOut() }
  }

  private func answerIsOut() {
    guard let context, !isInputClosed else { return close() }
    context.close(mode: .output, promise: nil)
    arrivalTimer = schedule(in: server.limits.linger) { $0.close() }
    // Whatever the client is still sending has to be taken from it, also when it was not read from for a while.
    _ = context.channel.setOption(.autoRead, value: true)
  }
}
