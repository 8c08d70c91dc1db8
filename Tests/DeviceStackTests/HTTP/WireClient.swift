import NIOCore
import NIOPosix

/// A client that sends literal bytes and parses HTTP only to find the end of an answer.
final class WireClient: Sendable {
  struct Answer: Sendable {
    var head: [String]
    var body: ByteBuffer

    var status: Int { Int(head[0].split(separator: " ")[1]) ?? 0 }

    func header(_ name: String) -> String? {
      let prefix = name.lowercased() + ":"
      return head.dropFirst().first { $0.lowercased().hasPrefix(prefix) }
        .map { String($0.dropFirst(prefix.count).drop { $0 == " " }) }
    }
  }

  enum End: Sendable {
    /// The server has closed its side after reading everything.
    case finished
    case reset
  }

  /// The connection ended instead of an answer.
  struct Ended: Error {
    var end: End
    var received: String
  }

  private let channel: any Channel
  private let inbox: NIOLoopBound<Inbox>

  /// - Parameter reads: False for a client that does not read until ``startReading()``.
  init(port: Int, reads: Bool = true) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    (channel, inbox) = try await ClientBootstrap(group: loop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.autoRead, value: reads)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          let inbox = Inbox()
          try channel.pipeline.syncOperations.addHandler(inbox)
          return (channel, NIOLoopBound(inbox, eventLoop: channel.eventLoop))
        }
      }
  }

  /// Connects, runs the body and closes the connection.
  static func with<Result: Sendable>(
    port: Int, reads: Bool = true, _ body: (WireClient) async throws -> Result
  ) async throws -> Result {
    let client = try await WireClient(port: port, reads: reads)
    do {
      let result = try await body(client)
      client.channel.close(promise: nil)
      return result
    } catch {
      client.channel.close(promise: nil)
      throw error
    }
  }

  /// Returns once the system has accepted the bytes.
  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }

  func send(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(bytes) }

  /// Queues bytes without waiting for the server to read them.
  func sendWithoutWaiting(_ bytes: ByteBuffer) { channel.writeAndFlush(bytes, promise: nil) }

  func closeOutput() async throws { try await channel.close(mode: .output) }

  func startReading() async throws { try await channel.setOption(.autoRead, value: true).get() }

  /// - Parameter hasBody: False for the answer to HEAD and for interim responses.
  func answer(hasBody: Bool = true) async throws -> Answer {
    try await wait { inbox in
      let text = String(decoding: inbox.received.readableBytesView.prefix(1 << 14), as: UTF8.self)
      guard let end = text.firstRange(of: "\r\n\r\n") else { return try inbox.mustBeOpen() }
      var answer = Answer(head: text[..<end.lowerBound].split(separator: "\r\n").map(String.init), body: ByteBuffer())
      let headLength = text[..<end.upperBound].utf8.count
      let length = hasBody ? answer.header("Content-Length").flatMap { Int($0) } ?? 0 : 0
      guard inbox.received.readableBytes >= headLength + length else { return try inbox.mustBeOpen() }
      inbox.received.moveReaderIndex(forwardBy: headLength)
      answer.body = inbox.received.readSlice(length: length) ?? ByteBuffer()
      return answer
    }
  }

  /// - Returns: How the server ends the connection, and the bytes it sends before that.
  func end() async throws -> (end: End, rest: String) {
    try await wait { inbox in inbox.end.map { ($0, String(buffer: inbox.received)) } }
  }

  private func wait<Result: Sendable>(
    for take: @escaping @Sendable (Inbox) throws -> Result?
  ) async throws -> Result {
    let promise = channel.eventLoop.makePromise(of: Result.self)
    channel.eventLoop.execute { [inbox] in
      inbox.value.add { inbox in
        do {
          guard let result = try take(inbox) else { return false }
          promise.succeed(result)
        } catch {
          promise.fail(error)
        }
        return true
      }
    }
    return try await promise.futureResult.get()
  }

  private final class Inbox: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var received = ByteBuffer()
    var end: End?
    private var waiters: [(Inbox) -> Bool] = []

    func add(_ waiter: @escaping (Inbox) -> Bool) {
      waiters.append(waiter)
      tell()
    }

    func mustBeOpen<Result>() throws -> Result? {
      if let end { throw Ended(end: end, received: String(buffer: received)) }
      return nil
    }

    private func tell() { waiters.removeAll { $0(self) } }

    private func end(_ end: End) {
      self.end = self.end ?? end
      tell()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received.writeImmutableBuffer(unwrapInboundIn(data))
      tell()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .some(.inputClosed) = event as? ChannelEvent { end(.finished) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.reset) }

    func channelInactive(context: ChannelHandlerContext) { end(.finished) }
  }
}
