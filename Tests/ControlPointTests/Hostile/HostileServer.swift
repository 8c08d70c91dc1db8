import NIOCore
import NIOPosix
import Synchronization

@testable import ControlPoint

/// An HTTP server on loopback that answers each path by a script.
final class HostileServer: Sendable {
  enum Answer: Sendable {
    /// A complete answer with status 200.
    case document(String)
    /// Bytes as they are; the connection stays open.
    case raw(String)
    /// Bytes as they are; then the connection is closed.
    case cut(String)
    /// A head, and then the same bytes until the client leaves.
    case endless(String, String)
    /// A head, and then the same byte now and then, until the client leaves.
    case drip(String)
  }

  /// Bytes that left for the clients.
  private final class Counter: Sendable {
    let bytes = Mutex(0)
  }

  private let channel: any Channel
  private let counter: Counter

  private init(_ channel: any Channel, _ counter: Counter) { (self.channel, self.counter) = (channel, counter) }

  static func start(_ answers: [String: Answer]) async throws -> HostileServer {
    let counter = Counter()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(answers, counter))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return HostileServer(channel, counter)
  }

  var sentBytes: Int { counter.bytes.withLock { $0 } }

  func url(_ path: String) -> HTTPURL {
    HTTPURL(host: "127.0.0.1", port: UInt16(channel.localAddress?.port ?? 0), target: path)
  }

  func stop() async throws { try await channel.close() }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answers: [String: Answer]
    private let counter: Counter
    private var request = ""

    init(_ answers: [String: Answer], _ counter: Counter) { (self.answers, self.counter) = (answers, counter) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let isNew = request.isEmpty
      request += String(buffer: unwrapInboundIn(data))
      guard isNew else { return }
      let words = request.split(separator: " ")
      let path = words.count > 1 ? String(words[1]) : ""
      switch answers[path] ?? .raw("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") {
      case .document(let body):
        _ = send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", context)
      case .raw(let text): _ = send(text, context)
      case .cut(let text): send(text, context).assumeIsolated().whenComplete { _ in context.close(promise: nil) }
      case .endless(let head, let part):
        _ = send(head, context)
        repeatForever(ByteBuffer(string: part), context)
      case .drip(let head):
        _ = send(head, context)
        drip(context)
      }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
      counter.bytes.withLock { $0 += text.utf8.count }
      return context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)))
    }

    private func repeatForever(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess {
        self.counter.bytes.withLock { $0 += part.readableBytes }
        self.repeatForever(part, context)
      }
    }

    private func drip(_ context: ChannelHandlerContext) {
      context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(5)) {
        self.send(" ", context).assumeIsolated().whenSuccess { self.drip(context) }
      }
    }
  }
}
