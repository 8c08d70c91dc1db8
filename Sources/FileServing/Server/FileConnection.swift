import NIOCore
import NIOHTTP1
import UPnP

/// One connection: answers its requests in order and sends each file in pieces, no faster than the client takes them.
final class FileConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let pieceBytes = 64 << 10

  private enum Phase {
    /// Waits for a request.
    case idle
    /// Waits for the client to take bytes.
    case sending
    case closing
  }

  /// A response whose body is being sent.
  private struct Transfer {
    var number: Int
    var content: OpenContent
    /// The first byte.
    var start: Int
    var rest: Range<Int>
  }

  private let table: ServingTable
  private let limits: FileServer.Limits
  private let number: Int
  private var phase = Phase.idle
  private var transfer: Transfer?
  private var progress = NIODeadline.now()
  private var timer: Scheduled<Void>?

  init(table: ServingTable, limits: FileServer.Limits, number: Int) {
    self.table = table
    self.limits = limits
    self.number = number
  }

  func handlerAdded(context: ChannelHandlerContext) {
    enter(.idle, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    phase = .closing
    timer?.cancel()
    endTransfer()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer(head, context)
    // Requests with a body are not supported.
    case .body: close(context)
    case .end: break
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard phase == .idle else { return close(context) }
    enter(.sending, context)
    guard head.method == .GET || head.method == .HEAD else {
      return send(FileResponse(.methodNotAllowed, headers: ["Allow": "GET, HEAD"]), to: head, context)
    }
    guard let content = table.content(forTarget: head.uri) else {
      return send(FileResponse(.notFound), to: head, context)
    }
    do throws(ContentFailure) {
      let open = try OpenContent(content)
      let response = FileResponse(head.method, headers: head.headers, facts: open.facts)
      if !response.body.isEmpty {
        transfer = Transfer(
          number: table.began(content), content: open, start: response.body.lowerBound, rest: response.body)
      }
      send(response, to: head, context)
    } catch {
      switch error {
      case .missing: send(FileResponse(.notFound), to: head, context)
      case .forbidden: send(FileResponse(.forbidden), to: head, context)
      case .temporary: send(FileResponse(.serviceUnavailable), to: head, context)
      }
    }
  }

  private func send(_ response: FileResponse, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var headers = response.headers
    let keepsAlive = request.isKeepAlive && (request.method == .GET || request.method == .HEAD)
    headers.add(name: "Connection", value: keepsAlive ? "keep-alive" : "close")
    let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    sendNext(keepsAlive: keepsAlive, context)
  }

  private func sendNext(keepsAlive: Bool, _ context: ChannelHandlerContext) {
    guard phase == .sending else { return }
    guard let transfer, !transfer.rest.isEmpty else { return end(keepsAlive: keepsAlive, context) }
    let piece = transfer.content.read(transfer.rest.prefix(Self.pieceBytes))
    // The file was truncated. The client notices that bytes are missing.
    guard piece.readableBytes > 0 else { return close(context) }
    let rest = transfer.rest.lowerBound + piece.readableBytes..<transfer.rest.upperBound
    flush(.body(.byteBuffer(piece)), rest: rest, context) { self.sendNext(keepsAlive: keepsAlive, context) }
  }

  private func end(keepsAlive: Bool, _ context: ChannelHandlerContext) {
    endTransfer()
    if keepsAlive {
      // Before the write, which can deliver the next pipelined request.
      enter(.idle, context)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    } else {
      flush(.end(nil), context) { self.close(context) }
    }
  }

  /// Writes, and continues after the flush in another turn of the event loop: a direct call would grow the stack with every
  /// piece that is flushed at once.
  ///
  /// - Parameter rest: the rest of the transfer after the flush.
  private func flush(
    _ part: HTTPServerResponsePart, rest: Range<Int>? = nil, _ context: ChannelHandlerContext,
    then next: @escaping () -> Void
  ) {
    let eventLoop = context.eventLoop.assumeIsolated()
    context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess {
      self.progressed()
      if let rest { self.transfer?.rest = rest }
      eventLoop.execute(next)
    }
  }

  private func endTransfer() {
    guard let transfer else { return }
    self.transfer = nil
    table.ended(
      transfer.number, sent: transfer.start..<transfer.rest.lowerBound, size: transfer.content.facts.size)
  }

  private func close(_ context: ChannelHandlerContext) {
    guard phase != .closing else { return }
    phase = .closing
    context.close(promise: nil)
  }

  private func progressed() {
    progress = .now()
    table.progressed(connection: number)
  }

  private func enter(_ phase: Phase, _ context: ChannelHandlerContext) {
    guard self.phase != .closing else { return }
    self.phase = phase
    progressed()
    startTimer(context)
  }

  /// Closes the connection when nothing has happened for the time that the phase allows.
  private func startTimer(_ context: ChannelHandlerContext) {
    timer?.cancel()
    let limit = TimeAmount(phase == .idle ? limits.idle : limits.stalled)
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: progress + limit) {
      if self.progress + limit <= .now() { self.close(context) } else { self.startTimer(context) }
    }
  }
}
