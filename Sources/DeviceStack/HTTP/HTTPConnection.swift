import NIOCore
import NIOHTTP1

/// One client's connection: parts from the parser into the assembler, what it returns into answers and timers.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// How long a refused client may go on sending before the connection is cut: closing at once would reset the
  /// connection and take the answer with it (RFC 9112 §9.6).
  private static let linger = TimeAmount.seconds(2)

  private unowned let server: HTTPServer
  private let headGuard: HeadGuard
  private var assembler: RequestAssembler
  private var context: ChannelHandlerContext?
  private var timer: Scheduled<Void>?
  private var isClosing = false
  /// When the last request was answered, or the connection made.
  private(set) var idleSince: NIODeadline
  /// Whether a request is under way: such a connection is not closed to make room.
  var isBusy: Bool { hasBegun || assembler.isInRequest }
  private var hasBegun = false

  init(server: HTTPServer, headGuard: HeadGuard) {
    self.server = server
    self.headGuard = headGuard
    assembler = RequestAssembler(limits: server.limits)
    idleSince = .now()
    headGuard.onRequestBegins = { [unowned self] in requestBegins() }
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelActive(context: ChannelHandlerContext) {
    server.opened(self)
    arm(server.limits.idle) { $0.close() }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    server.closed(self)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    headGuard.onRequestBegins = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      headGuard.headComplete()
      perform(assembler.head(head), version: head.version)
    case .body(let part): perform(assembler.body(part))
    case .end:
      headGuard.requestComplete()
      perform(assembler.end())
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.flush()
    context.fireChannelReadComplete()
  }

  /// A client that asks faster than it reads is not read from until it has caught up.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    _ = context.channel.setOption(.autoRead, value: context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HeadGuard.Violation.headTooLarge, HTTPParserError.headerOverflow:
      perform(assembler.refuse(.requestHeaderFieldsTooLarge))
    case HeadGuard.Violation.uriTooLong: perform(assembler.refuse(.uriTooLong))
    // A method that nobody here knows, M-POST among them (RFC 9110 §15.6.2).
    case HTTPParserError.invalidMethod: perform(assembler.refuse(.notImplemented))
    case HTTPParserError.invalidVersion: perform(assembler.refuse(.httpVersionNotSupported))
    case is HTTPParserError: perform(assembler.refuse(.badRequest))
    default: context.close(promise: nil)
    }
  }

  /// Closes an idle connection to make room, or at the end.
  func close() { context?.close(promise: nil) }

  private func requestBegins() {
    guard !isClosing, !hasBegun else { return }
    hasBegun = true
    arm(server.limits.arrival) { $0.perform($0.assembler.refuse(.requestTimeout)) }
  }

  private func requestEnds() {
    hasBegun = false
    idleSince = .now()
    arm(server.limits.idle) { $0.close() }
  }

  private func arm(_ time: TimeAmount, _ body: @escaping (HTTPConnection) -> Void) {
    timer?.cancel()
    timer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { body(self) }
    }
  }

  private func perform(_ action: RequestAssembler.Action, version: HTTPVersion = .http1_1) {
    switch action {
    case .wait: break
    case .sayContinue:
      context?.writeAndFlush(
        wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .continue))), promise: nil)
    case .answer(let head, let body): answer(head, body)
    case .refuse(let status):
      write(server.complete(HTTPResponse(status)), for: nil, keepAlive: false)
      closeGently()
    }
  }

  private func answer(_ head: HTTPRequestHead, _ body: ByteBuffer) {
    requestEnds()
    guard let context, let remote = context.remoteAddress, let local = context.localAddress else { return }
    let request = HTTPRequest(
      method: head.method, uri: head.uri, version: head.version, headers: head.headers, body: body, remote: remote,
      local: local)
    let reply = server.answer(request)
    let keepAlive = head.isKeepAlive && !server.isStopping
    write(server.complete(reply.response), for: head, keepAlive: keepAlive)
    if let afterFlush = reply.afterFlush {
      context.flush()
      afterFlush()
    }
    if !keepAlive { closeGently() }
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

  /// Ends our side once the answer is out, and the whole when the client ends its side or a moment has passed.
  private func closeGently() {
    guard let context, !isClosing else { return }
    isClosing = true
    context.flush()
    context.close(mode: .output, promise: nil)
    arm(Self.linger) { $0.close() }
  }
}
