import NIOCore

/// Buffers input that arrives before the connection is read: a client may send a request and close its side at once.
final class EarlyInput: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The buffered input; nil once the connection is read.
  private var parts: [ByteBuffer]? = []
  private var isEnded = false
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if parts == nil { context.fireChannelRead(data) } else { parts?.append(unwrapInboundIn(data)) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if parts != nil, event as? ChannelEvent == .inputClosed {
      isEnded = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  /// Forwards the buffered input. Called on the event loop when the connection has a reader.
  func release() {
    guard let parts, let context else { return }
    self.parts = nil
    for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
    context.fireChannelReadComplete()
    if isEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
  }
}
