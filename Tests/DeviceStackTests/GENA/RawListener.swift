import NIOCore
import NIOPosix
import Synchronization

/// A subscriber's listener that parses only the end of a request, so that tests read and write literal text.
final class RawListener: Sendable {
  /// One received request.
  struct Received: Sendable {
    var text: String
    /// The number of the connection, from 1.
    var connection: Int
    var remote: SocketAddress?
    var at: NIODeadline

    /// The value of a header, compared without case so that tests do not depend on it.
    func header(_ name: String) -> String? {
      for line in head.dropFirst() where line.lowercased().hasPrefix(name.lowercased() + ":") {
        return line.dropFirst(name.count + 1).trimmingPrefix(" ").description
      }
      return nil
    }

    var head: [String] {
      text[..<(text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex)].split(separator: "\r\n").map(String.init)
    }

    var body: String { text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

    var path: String { String(head[0].split(separator: " ")[1]) }

    var seq: UInt32? { header("SEQ").flatMap { UInt32($0) } }
  }

  enum Reply: Sendable {
    case text(String)
    /// The text, sent after a delay.
    case late(TimeAmount, String)
    case textThenClose(String)
    case close
    case silence

    private static let okText = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
    static let ok = Reply.text(okText)
    static func ok(after time: TimeAmount) -> Reply { .late(time, okText) }
    static func status(_ code: Int) -> Reply { .text("HTTP/1.1 \(code) No\r\nContent-Length: 0\r\n\r\n") }
  }

  let channel: any Channel
  private let log: Log

  /// The log shared by all connections of a listener.
  private final class Log: Sendable {
    private struct State {
      var received: [Received] = []
      var connections = 0
      var open = 0
      var mostOpen = 0
    }
    private let state = Mutex(State())

    func opened() -> Int {
      state.withLock {
        $0.connections += 1
        $0.open += 1
        $0.mostOpen = max($0.mostOpen, $0.open)
        return $0.connections
      }
    }
    func closed() { state.withLock { $0.open -= 1 } }
    func append(_ request: Received) { state.withLock { $0.received.append(request) } }
    var received: [Received] { state.withLock { $0.received } }
    var connections: Int { state.withLock { $0.connections } }
    var open: Int { state.withLock { $0.open } }
    var mostOpen: Int { state.withLock { $0.mostOpen } }
  }

  /// - Parameters:
  ///   - isSerial: Whether it accepts a connection only after the previous one has ended, as small controllers do.
  ///   - reply: Returns the reply to the nth request, from 0.
  init(
    host: String = "127.0.0.1", port: Int = 0, isSerial: Bool = false,
    reply: @escaping @Sendable (Int, Received) -> Reply = { _, _ in .ok }
  ) async throws {
    let log = Log()
    self.log = log
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: !isSerial)
      .serverChannelOption(.maxMessagesPerRead, value: UInt(isSerial ? 1 : 16))
      .childChannelInitializer { channel in
        if isSerial, let parent = channel.parent { channel.closeFuture.whenComplete { _ in parent.read() } }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(log: log, reply: reply))
        }
      }
      .bind(host: host, port: port).get()
    if isSerial { channel.read() }
  }

  var port: Int { channel.localAddress?.port ?? 0 }
  var received: [Received] { log.received }
  /// The number of connections: in total, currently open, and the maximum at a time.
  var connections: Int { log.connections }
  var openConnections: Int { log.open }
  var mostOpenConnections: Int { log.mostOpen }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  func close() async throws { try await channel.close() }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    let log: Log
    let reply: @Sendable (Int, Received) -> Reply
    var connection = 0
    var pending = ByteBuffer()

    init(log: Log, reply: @escaping @Sendable (Int, Received) -> Reply) {
      self.log = log
      self.reply = reply
    }

    func channelActive(context: ChannelHandlerContext) { connection = log.opened() }
    func channelInactive(context: ChannelHandlerContext) { log.closed() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      pending.writeImmutableBuffer(unwrapInboundIn(data))
      while let text = nextRequest() {
        let request = Received(
          text: text, connection: connection, remote: context.channel.remoteAddress, at: .now())
        let index = log.received.count
        let answer = reply(index, request)
        // Answer before logging, so that a logged request has been answered.
        switch answer {
        case .text(let text), .textThenClose(let text):
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .late(let time, let text):
          let channel = context.channel
          context.eventLoop.scheduleTask(in: time) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
          }
        case .close, .silence: break
        }
        log.append(request)
        switch answer {
        case .close, .textThenClose:
          context.close(promise: nil)
          return
        case .text, .late, .silence: break
        }
      }
    }

    private func nextRequest() -> String? {
      let text = String(buffer: pending)
      guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
      let head = text[..<end.lowerBound].lowercased()
      let length =
        head.firstRange(of: "content-length:").flatMap { range in
          Int(head[range.upperBound...].prefix { $0 != "\r\n" }.trimmingPrefix(" "))
        } ?? 0
      let total = text[..<end.upperBound].utf8.count + length
      return pending.readString(length: total)
    }
  }
}
