import Glibc
import NIOCore
import NIOHTTP1

/// One connection: answers its requests in order and performs the steps of each answer's `BodyScript`.
///
/// Responses are written as bytes: NIO's encoder would correct wrong lengths.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case idle
    /// A response is being sent; further requests wait.
    case answering
    /// The connection is closing.
    case finished
  }

  private let server: MediaServer
  private var number = 0
  private var phase = Phase.idle
  private var waiting: [Answer.Request] = []
  private var timer: Task<Void, Never>?

  init(server: MediaServer) {
    self.server = server
  }

  func handlerAdded(context: ChannelHandlerContext) {
    number = server.opened(context.channel)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    phase = .finished
    timer?.cancel()
    server.closed(connection: number)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(let head) = unwrapInboundIn(data) else { return }
    waiting.append(
      Answer.Request(
        method: head.method.rawValue, target: Target(head.uri),
        headers: head.headers.map { Header($0.name, $0.value) }, isHTTP11: head.version != .http1_0))
    answerNext(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func answerNext(_ context: ChannelHandlerContext) {
    guard phase == .idle, !waiting.isEmpty else { return }
    phase = .answering
    let request = waiting.removeFirst()
    let answer = server.answer(request, connection: number)
    after(answer.delay, context) {
      self.write(context, ByteBuffer(string: answer.head)) {
        self.proceed(context, answer, answer.script, target: request.target, since: self.server.time.now)
      }
    }
  }

  /// Performs the next step of the body.
  private func proceed(
    _ context: ChannelHandlerContext, _ answer: Answer, _ script: BodyScript, target: Target,
    since start: ContinuousClock.Instant
  ) {
    guard phase == .answering else { return }
    var script = script
    let elapsed = server.time.now - start
    let step = script.next(at: elapsed)
    let next = { self.proceed(context, answer, script, target: target, since: start) }
    switch step {
    case .send(let range):
      let bytes = answer.content.read(range)
      // The file was truncated while it was served.
      guard !bytes.isEmpty else { return breakOff(context, reset: false) }
      write(context, framed(bytes, answer)) {
        self.server.sent(bytes.count, path: target.path)
        next()
      }
    case .insert(let bytes): write(context, framed(bytes, answer), then: next)
    case .wait(let until): after(until - elapsed, context, next)
    case .stall(let duration):
      server.performed(.stall, target: target)
      after(duration, context, next)
    case .hold: server.performed(.stall, target: target)
    case .breakOff(let reset):
      server.performed(.earlyClose, target: target)
      breakOff(context, reset: reset)
    case .end: write(context, ByteBuffer(string: answer.chunked ? "0\r\n\r\n" : "")) { self.end(context, answer) }
    }
  }

  private func end(_ context: ChannelHandlerContext, _ answer: Answer) {
    guard answer.keepsAlive else { return breakOff(context, reset: false) }
    phase = .idle
    answerNext(context)
  }

  private func breakOff(_ context: ChannelHandlerContext, reset: Bool) {
    phase = .finished
    guard reset, let options = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
    // SO_LINGER of 0 makes close() send RST instead of FIN.
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }

  private func framed(_ bytes: [UInt8], _ answer: Answer) -> ByteBuffer {
    guard answer.chunked else { return ByteBuffer(bytes: bytes) }
    var buffer = ByteBuffer(string: "\(String(bytes.count, radix: 16))\r\n")
    buffer.writeBytes(bytes)
    buffer.writeString("\r\n")
    return buffer
  }

  /// Writes, and continues after the flush in another turn of the event loop: a direct call would grow the stack with
  /// every piece that is flushed at once.
  private func write(_ context: ChannelHandlerContext, _ buffer: ByteBuffer, then next: @escaping () -> Void) {
    let eventLoop = context.eventLoop.assumeIsolated()
    context.writeAndFlush(wrapOutboundOut(buffer)).assumeIsolated().whenSuccess { eventLoop.execute(next) }
  }

  private func after(_ delay: Duration, _ context: ChannelHandlerContext, _ action: @escaping () -> Void) {
    guard delay > .zero else { return action() }
    let eventLoop = context.eventLoop
    let resume = NIOLoopBound({ if self.phase == .answering { action() } }, eventLoop: eventLoop)
    timer = Task { [time = server.time] in
      await time.sleep(until: time.now + delay)
      if !Task.isCancelled { eventLoop.execute { resume.value() } }
    }
  }
}
