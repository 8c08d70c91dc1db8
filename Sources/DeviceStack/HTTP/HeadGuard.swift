import NIOCore
import NIOHTTP1

/// Sits before the parser and counts what a client sends before its head is complete: the parser itself holds a name or
/// a target of any length.
final class HeadGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  enum Violation: Error {
    case headTooLarge, uriTooLong
  }

  private let limits: HTTPLimits
  private var bytes = 0
  private var sawLineEnd = false
  /// Set by the connection: what comes now belongs to a body.
  var isInBody = false
  /// Called when the first byte of a request has come, which the parser tells only with the whole head.
  var onRequestBegins: (() -> Void)?

  init(limits: HTTPLimits) { self.limits = limits }

  func headComplete() { (isInBody, bytes, sawLineEnd) = (true, 0, false) }

  func requestComplete() { (isInBody, bytes, sawLineEnd) = (false, 0, false) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    if !isInBody {
      if bytes == 0 { onRequestBegins?() }
      bytes += buffer.readableBytes
      sawLineEnd = sawLineEnd || buffer.readableBytesView.contains(UInt8(ascii: "\n"))
    }
    context.fireChannelRead(data)
    guard !isInBody else { return }
    // The parser has taken what it could: what is counted still belongs to an unfinished head.
    if bytes > limits.uri + 64, !sawLineEnd {
      context.fireErrorCaught(Violation.uriTooLong)
    } else if bytes > limits.head + 64 {
      context.fireErrorCaught(Violation.headTooLarge)
    }
  }
}
