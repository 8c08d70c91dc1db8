import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves the status on the Unix socket. Failing to listen is not an error.
struct StatusService: Service {
  let eventLoop: any EventLoop
  let reporter: StatusReporter
  /// The path of the socket; nil if there is no folder for it.
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

  /// - Returns: nil if that fails, which is logged.
  private func listen(_ path: String) async -> (any Channel)? {
    guard !StatusSocket.isTaken(path) else {
      logger.notice(
        "Another swiftlet uses \(path), so `swiftlet status` asks that one. Set another status_socket for this one.")
      return nil
    }
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o755) }
    do {
      let channel = try await ServerBootstrap(group: eventLoop)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(ReportHandler(reporter))
          }
        }
        .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      // Readable by every user: the network can read the same.
      chmod(path, 0o666)
      return channel
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
      logger.notice("Cannot listen on \(path) for `swiftlet status`: \(reason)")
      return nil
    }
  }

  /// Sends the report to a client.
  private final class ReportHandler: ChannelInboundHandler {
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
