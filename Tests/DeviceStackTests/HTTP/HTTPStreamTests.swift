import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import DeviceStack

/// Answers that are written piece by piece, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct HTTPStreamTests {
  /// Answers `/stream` with a stream, and every other request at once.
  ///
  /// Unchecked Sendable, because only the server's handler and `onLoop` use it, on the server's loop.
  private final class Handler: @unchecked Sendable {
    private var eventLoop: (any EventLoop)?
    private var stream: HTTPStream?
    private let opened = AsyncStream.makeStream(of: Void.self)
    private let ended = AsyncStream.makeStream(of: Void.self)

    private func answer(_ request: HTTPRequest) -> HTTPReply {
      guard request.uri == "/stream" else { return ServerHarness.echo(request) }
      let stream = HTTPStream()
      stream.onEnd = { [ended] in ended.continuation.yield() }
      stream.write(ByteBuffer(string: "first\n"))
      self.stream = stream
      eventLoop = MultiThreadedEventLoopGroup.currentEventLoop
      opened.continuation.yield()
      return .stream(HTTPResponse(.ok, headers: ["Content-Type": "text/event-stream"]), stream)
    }

    /// The handler for the server.
    var reply: @Sendable (HTTPRequest) -> HTTPReply { { self.answer($0) } }

    func isOpened() async { for await _ in opened.stream { return } }

    /// Waits until the server has reported the end of the stream.
    func isEnded() async { for await _ in ended.stream { return } }

    /// - Returns: whether the stream is open afterwards.
    @discardableResult
    func onLoop(_ body: @escaping @Sendable (HTTPStream) -> Void) async throws -> Bool {
      try await eventLoop?.submit { [self] in
        guard let stream else { return false }
        body(stream)
        return stream.isOpen
      }.get() ?? false
    }
  }

  /// HTTP/1.0, so that the answer is not chunked.
  private static let request = "GET /stream HTTP/1.0\r\nHost: a\r\n\r\n"

  private func run(
    limits: HTTPLimits = HTTPLimits(), reads: Bool = true,
    _ body: (ServerHarness, Handler, WireClient) async throws -> Void
  ) async throws {
    let handler = Handler()
    try await ServerHarness.with(limits: limits, handler: handler.reply) { server in
      try await WireClient.with(port: server.port, reads: reads) { client in
        try await client.send(Self.request)
        await handler.isOpened()
        try await body(server, handler, client)
      }
    }
  }

  private static func limits(idle: Duration) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.idle = idle
    return limits
  }

  @Test func piecesArriveInOrderUntilTheEnd() async throws {
    try await run { _, handler, client in
      let head = try await client.answer()
      #expect(head.status == 200 && head.header("Content-Type") == "text/event-stream")
      #expect(head.header("Content-Length") == nil && head.header("Connection") == "close")
      try await handler.onLoop { stream in
        stream.write(ByteBuffer(string: "second\n"))
        stream.write(ByteBuffer())
        stream.write(ByteBuffer(string: "third\n"))
        stream.finish()
        stream.write(ByteBuffer(string: "fourth\n"))
      }
      #expect(try await client.end() == (.finished, "first\nsecond\nthird\n"))
      await handler.isEnded()
    }
  }

  @Test func piecesAreChunksForClientsOfHTTP11() async throws {
    let handler = Handler()
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        await handler.isOpened()
        try await handler.onLoop { $0.finish() }
        _ = try await client.answer()
        #expect(try await client.end() == (.finished, "6\r\nfirst\n\r\n0\r\n\r\n"))
      }
    }
  }

  /// Comments keep a connection: it is not idle between two pieces, however far apart they are.
  @Test func aStreamIsNotIdle() async throws {
    try await run(limits: Self.limits(idle: .seconds(1))) { server, handler, client in
      _ = try await client.answer()
      for number in 1...2 {
        // Meanwhile, a client without a stream reaches the idle timeout.
        try await WireClient.with(port: server.port) { idle in _ = try await idle.end() }
        #expect(try await handler.onLoop { $0.write(ByteBuffer(string: ":\(number)\n\n")) })
      }
      try await handler.onLoop { $0.finish() }
      #expect(try await client.end() == (.finished, "first\n:1\n\n:2\n\n"))
    }
  }

  @Test func aClientThatDoesNotReadIsDroppedByTheBacklog() async throws {
    try await run(reads: false) { server, handler, _ in
      // The socket buffers take the first pieces.
      while try await handler.onLoop({ $0.write(ByteBuffer(repeating: 0x61, count: 64 << 10)) }) {}
      await handler.isEnded()
      try await WireClient.with(port: server.port) { other in
        try await other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await other.answer().status == 200)
        #expect(try await server.connectionCount == 1)
      }
    }
  }

  @Test func aClientThatDoesNotReadIsDroppedByTime() async throws {
    try await run(limits: Self.limits(idle: .seconds(1)), reads: false) { _, handler, _ in
      // One piece that is larger than the socket buffers. The backlog limit allows a single piece of any size.
      try await handler.onLoop { $0.write(ByteBuffer(repeating: 0x61, count: 32 << 20)) }
      await handler.isEnded()
      #expect(try await handler.onLoop { _ in } == false)
    }
  }

  @Test func aClientThatGoesEndsItsStream() async throws {
    let handler = Handler()
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(Self.request)
        await handler.isOpened()
        _ = try await client.answer()
      }
      await handler.isEnded()
    }
  }

  @Test func stoppingTheServerEndsStreams() async throws {
    let handler = Handler()
    let client = try await ServerHarness.with(handler: handler.reply) { server in
      let client = try await WireClient(port: server.port)
      try await client.send(Self.request)
      await handler.isOpened()
      _ = try await client.answer()
      return client
    }
    await handler.isEnded()
    #expect(try await client.end().rest == "first\n")
  }

  @Test func streamsAreNotClosedToMakeRoom() async throws {
    var limits = HTTPLimits()
    limits.connections = 2
    try await run(limits: limits) { server, handler, client in
      _ = try await client.answer()
      for _ in 0..<4 {
        try await WireClient.with(port: server.port) { other in
          try await other.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(try await other.answer().status == 200)
        }
      }
      #expect(try await handler.onLoop { $0.finish() } == false)
      #expect(try await client.end() == (.finished, "first\n"))
    }
  }
}
