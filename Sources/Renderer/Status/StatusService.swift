import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Tells whoever connects to the Unix socket how the speaker is. Without the socket it plays all the same.
struct StatusService: Service {
  let eventLoop: any EventLoop
  let reporter: StatusReporter
  /// nil for nowhere.
  let path: String?
  let logger: Logger

  func run() async {
    guard let path, let channel = await listen(path) else {
      try? await gracefulShutdown()
      return
    }
    try? await gracefulShutdown()
    try? await channel.close()
    unlink(path)
  }

  /// - Returns: nil where that cannot be, which is said.
  private func listen(_ path: String) async -> (any Channel)? {
    guard !StatusSocket.isTaken(path) else {
      logger.notice("\(path) is another swiftlet's: `swiftlet status` asks that one")
      return nil
    }
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o755) }
    do {
      let channel = try await ServerBootstrap(group: eventLoop)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Teller(reporter)) }
        }
        .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      // Everybody on the machine may ask: it is no more than what is told on the network.
      chmod(path, 0o666)
      return channel
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
      logger.notice("`swiftlet status` cannot be answered on \(path): \(reason)")
      return nil
    }
  }

  /// Tells it to one who has connected.
  private final class Teller: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let reporter: StatusReporter

    init(_ reporter: StatusReporter) { self.reporter = reporter }

    func channelActive(context: ChannelHandlerContext) {
      let report = ByteBuffer(string: reporter.report().json)
      context.writeAndFlush(wrapOutboundOut(report)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
  }
}
