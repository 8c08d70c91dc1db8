import DequeModule
import Glibc
import NIOCore
import NIOHTTP1

/// One client's connection: passes what the channel reports to its `HTTPConnectionMachine` and performs the actions.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: HTTPServer
  private let eventLoop: any EventLoop
  private let alarm: Alarm
  private var machine: HTTPConnectionMachine
  private var context: ChannelHandlerContext?
  /// The client's address and ours. Kept, since each query is a system call.
  private var addresses: (remote: SocketAddress, local: SocketAddress)?
  /// The body that is being streamed.
  private var stream: HTTPStream?

  init(server: HTTPServer) {
    self.server = server
    eventLoop = server.eventLoop
    alarm = Alarm(eventLoop: eventLoop)
    machine = HTTPConnectionMachine(limits: server.limits, now: eventLoop.now)
    alarm.onElapsed = { [weak self] in self?.elapsed() }
  }

  /// Goes before the parser in the channel's pipeline.
  var byteHandler: some ChannelInboundHandler { ByteHandler(self) }

  /// Whether closing the connection would interrupt a request.
  var isBusy: Bool { machine.isBusy(now: eventLoop.now) }
  var isStreaming: Bool { machine.isStreaming }
  var idleSince: NIODeadline { machine.idleSince }

  /// Sends the answers that have been made.
  func flush() { context?.flush() }

  /// Sends the answers that have been made, and closes at once.
  func close() {
    flush()
    context?.close(promise: nil)
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    if let remote = context.remoteAddress, let local = context.localAddress { addresses = (remote, local) }
    server.opened(self)
    alarm.arm(at: machine.deadline)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    alarm.cancel()
    server.closed(self)
    stream.take()?.ended()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): perform(machine.head(head, now: eventLoop.now))
    case .body(let part): perform(machine.body(part, now: eventLoop.now))
    case .end: perform(machine.end(now: eventLoop.now))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    server.answerFlush.add(self)
    machine.readComplete(now: eventLoop.now)
    alarm.arm(at: machine.deadline)
    context.fireChannelReadComplete()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    perform(machine.writabilityChanged(context.channel.isWritable, now: eventLoop.now))
    context.flush()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .some(.inputClosed) = event as? ChannelEvent { perform(machine.inputClosed(now: eventLoop.now)) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? HTTPParserError {
      perform(machine.parserFailed(error, now: eventLoop.now))
    } else {
      close()
    }
  }

  private func elapsed() {
    perform(machine.elapsed(now: eventLoop.now))
    if let context, context.channel.isActive, machine.deadline < .distantFuture { alarm.arm(at: machine.deadline) }
  }

  /// Performs the actions, and those that follow from them.
  private func perform(_ actions: [HTTPConnectionMachine.Action]) {
    var queue = Deque(actions)
    while let action = queue.popFirst() {
      switch action {
      case .sendContinue:
        context?.writeAndFlush(
          wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
      case .handle(let head, let body, let keepAlive): queue += handle(head, body, keepAlive: keepAlive)
      case .refuse(let status): write(HTTPResponse(status), for: nil, keepAlive: false)
      case .finish: reportFlush()
      case .closeOutput:
        context?.close(mode: .output, promise: nil)
        alarm.arm(at: machine.deadline)
      case .close: close()
      case .reset:
        _ = (context?.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        close()
      case .sendPiece(let piece): send(piece)
      case .read(let reads): _ = context?.channel.setOption(.autoRead, value: reads)
      }
    }
  }

  /// - Returns: the actions that follow.
  private func handle(_ head: HTTPRequestHead, _ body: ByteBuffer, keepAlive: Bool) -> [HTTPConnectionMachine.Action] {
    guard let context, let addresses else { return [.close] }
    let request = HTTPRequest(
      method: head.method, uri: head.uri, version: head.version, headers: head.headers, body: body,
      remote: addresses.remote, local: addresses.local)
    switch server.answer(request) {
    case .now(let response, nil) where response.content != nil:
      complete(head, response, keepAlive: keepAlive)
      return []
    case .now(let response, let afterFlush):
      write(response, for: head, keepAlive: keepAlive)
      if let afterFlush {
        context.flush()
        afterFlush()
      }
      return machine.answered(now: eventLoop.now)
    case .later(let answer):
      // Before `whenComplete`: the answer may be known already, and then makes the connection read again.
      perform(machine.deferred())
      answer.whenComplete { [weak self] response in self?.complete(head, response, keepAlive: keepAlive) }
      return []
    case .stream(let response, let stream): return begin(stream, response, for: head)
    }
  }

  /// A deferred answer is known, or an answer takes time to send.
  private func complete(_ head: HTTPRequestHead, _ response: HTTPResponse, keepAlive: Bool) {
    write(response, for: head, keepAlive: keepAlive)
    context?.flush()
    if head.method != .HEAD, let content = response.content {
      perform(machine.transferring(now: eventLoop.now))
      alarm.arm(at: machine.deadline)
      return transfer(content, from: 0)
    }
    perform(machine.answered(now: eventLoop.now))
    context?.flush()
  }

  /// - Parameter request: nil for a request that was refused before it was complete.
  private func write(_ response: HTTPResponse, for request: HTTPRequestHead?, keepAlive: Bool) {
    guard let context else { return }
    var response = server.complete(response)
    let content = response.content
    response.headers.replaceOrAdd(
      name: "Content-Length", value: String(content?.length ?? response.body.readableBytes))
    var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
    if !keepAlive {
      head.headers.add(name: "Connection", value: "close")
    } else if request?.version == .http1_0 {
      head.headers.add(name: "Connection", value: "keep-alive")
    }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request?.method != .HEAD {
      // `transfer` writes the rest.
      guard content == nil else { return }
      if response.body.readableBytes > 0 {
        context.write(wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
      }
    }
    let written = response.attachment.map { attachment in
      let promise = eventLoop.makePromise(of: Void.self)
      promise.futureResult.whenComplete { _ in withExtendedLifetime(attachment) {} }
      return promise
    }
    context.write(wrapOutboundOut(.end(nil)), promise: written)
  }

  // MARK: Contents

  /// The most bytes of an `HTTPContent` that are in memory for one client.
  private static let pieceBytes = 128 << 10

  /// Reads and sends the rest of an answer's content.
  private func transfer(_ content: HTTPContent, from start: Int) {
    guard let context, context.channel.isActive else { return }
    guard start < content.length else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      perform(machine.answered(now: eventLoop.now))
      alarm.arm(at: machine.deadline)
      context.flush()
      return
    }
    let wanted = start..<min(start + Self.pieceBytes, content.length)
    content.read(wanted).hop(to: eventLoop).assumeIsolated().whenComplete { [weak self] result in
      guard let self, let context = self.context else { return }
      guard case .success(var piece) = result,
        let piece = piece.readSlice(length: min(piece.readableBytes, wanted.count)),
        piece.readableBytes > 0
      else { return context.close(promise: nil) }
      let taken = eventLoop.makePromise(of: Void.self)
      taken.futureResult.assumeIsolated().whenSuccess { [weak self] in
        guard let self else { return }
        machine.transferMoved(now: eventLoop.now)
        transfer(content, from: start + piece.readableBytes)
      }
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: taken)
    }
  }

  // MARK: Streams

  /// Writes the head of a streamed answer. HEAD gets nothing more.
  /// - Returns: the actions that follow.
  private func begin(
    _ stream: HTTPStream, _ response: HTTPResponse, for request: HTTPRequestHead
  ) -> [HTTPConnectionMachine.Action] {
    guard let context else { return [.close] }
    let response = server.complete(response)
    // By default, the kernel would buffer megabytes for a client that does not read.
    _ = context.channel.setOption(.socketOption(.so_sndbuf), value: numericCast(server.limits.backlog))
    // The encoder chunks the body only for clients that know chunks (RFC 9112 §6.1).
    var head = HTTPResponseHead(version: request.version, status: response.status, headers: response.headers)
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    let actions = machine.streaming(now: eventLoop.now)
    guard request.method != .HEAD else {
      stream.ended()
      context.write(wrapOutboundOut(.end(nil)), promise: nil)
      return actions + machine.streamEnded(now: eventLoop.now)
    }
    self.stream = stream
    stream.open(self)
    return actions
  }

  private func send(_ piece: ByteBuffer) {
    guard let context else { return }
    let sent = eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenSuccess { [weak self, bytes = piece.readableBytes] in
      guard let self else { return }
      machine.pieceSent(bytes, now: eventLoop.now)
    }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: sent)
    alarm.arm(at: machine.deadline)
  }

  private func reportFlush() {
    guard let context else { return }
    let written = eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: written)
    written.futureResult.assumeIsolated().whenComplete { [weak self] _ in
      guard let self else { return }
      perform(machine.flushed(now: eventLoop.now))
    }
  }
}

extension HTTPConnection: HTTPStreamSink {
  func streamed(_ piece: ByteBuffer) { perform(machine.piece(piece, now: eventLoop.now)) }

  func streamFinished() {
    stream = nil
    context?.write(wrapOutboundOut(.end(nil)), promise: nil)
    perform(machine.streamEnded(now: eventLoop.now))
  }
}

extension HTTPConnection {
  /// Passes each read to the machine before and after the parser.
  private final class ByteHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: HTTPConnection

    init(_ connection: HTTPConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard connection.machine.received(unwrapInboundIn(data)) else { return }
      context.fireChannelRead(data)
      connection.perform(connection.machine.parsed(now: connection.eventLoop.now))
    }
  }
}
