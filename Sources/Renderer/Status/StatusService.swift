import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves the status on a Unix socket, and beside it one that unlocks the page. Failing to listen is not an error.
struct StatusService: Service {
  let eventLoop: any EventLoop
  let reporter: StatusReporter
  /// Removes the lock of the page; returns a word of `UnlockAnswer`. Called on the event loop.
  let unlock: @Sendable () -> UnlockAnswer
  /// Takes announcements.
  let announcements: LocalAnnouncements
  /// The path of the socket; nil if there is no folder for it.
  let path: String?
  let logger: Logger

  func run() async {
    guard let path else { return await wait() }
    guard !StatusSocket.isTaken(path) else {
      logger.notice(
        "Another swiftlet uses \(path), so `swiftlet status` asks that one. Set another status_socket for this one.")
      return await wait()
    }
    let handlers: [(path: String, make: @Sendable () -> any ChannelInboundHandler)] = [
      (path, { [reporter] in AnswerHandler { reporter.report().json } }),
      (StatusSocket.unlocking(beside: path), { [unlock] in AnswerHandler { unlock().rawValue } }),
      (StatusSocket.announcing(beside: path), { [announcements] in AnnouncementHandler(announcements) }),
    ]
    var open: [(path: String, channel: any Channel)] = []
    for (path, make) in handlers {
      if let channel = await listen(path, make) { open.append((path, channel)) }
    }
    await wait()
    for (path, channel) in open {
      try? await channel.close()
      unlink(path)
    }
  }

  private func wait() async { try? await gracefulShutdown() }

  /// - Parameter make: makes the handler of a client.
  /// - Returns: nil if that fails, which is logged.
  private func listen(
    _ path: String, _ make: @escaping @Sendable () -> any ChannelInboundHandler
  ) async -> (any Channel)? {
    if let slash = path.lastIndex(of: "/") { mkdir(String(path[..<slash]), 0o755) }
    do {
      let channel = try await ServerBootstrap(group: eventLoop)
        // The end of what a client sends is not the end of its connection.
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(make())
          }
        }
        .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
      // For every user of the machine: the network can read the same, and the lock is for guests in the network.
      chmod(path, 0o666)
      return channel
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)).lowercased() } ?? "\(error)"
      logger.notice("Cannot listen on \(path) for `swiftlet status`: \(reason)")
      return nil
    }
  }

  /// Sends a text to a client.
  private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable () -> String

    init(_ answer: @escaping @Sendable () -> String) { self.answer = answer }

    func channelActive(context: ChannelHandlerContext) {
      let report = ByteBuffer(string: answer())
      context.writeAndFlush(wrapOutboundOut(report)).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
  }
}
