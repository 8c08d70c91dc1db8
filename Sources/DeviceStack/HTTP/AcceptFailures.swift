import Glibc
import NIOCore

/// Tells the server of connections that could not be accepted for want of something.
final class AcceptFailures: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private weak var server: HTTPServer?

  init(server: HTTPServer) { self.server = server }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      server?.couldNotAccept()
    }
    context.fireErrorCaught(error)
  }
}
