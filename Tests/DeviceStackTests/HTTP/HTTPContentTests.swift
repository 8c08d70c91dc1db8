import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import DeviceStack

/// Answers with a body that is read piece by piece, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct HTTPContentTests {
  /// Answers `/content` with bytes that count up, and every other request at once.
  private final class Handler: Sendable {
    private struct State {
      var furthest = 0
      /// The first byte that cannot be read.
      var end = Int.max
    }

    private let length: Int
    private let isLater: Bool
    private let state = Mutex(State())
    private let released = AsyncStream.makeStream(of: Void.self)

    init(length: Int, end: Int = .max, isLater: Bool = false) {
      self.length = length
      self.isLater = isLater
      state.withLock { $0.end = end }
    }

    /// The end of the furthest bytes that were read.
    var furthest: Int { state.withLock { $0.furthest } }

    /// Waits until a connection has let go of the content.
    func isReleased() async { for await _ in released.stream { return } }

    var reply: @Sendable (HTTPRequest) -> HTTPReply {
      { [self] request in
        guard request.uri == "/content" else { return ServerHarness.echo(request) }
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let token = Token { [released] in released.continuation.yield() }
        var response = HTTPResponse(.ok, headers: ["Content-Type": "audio/flac"])
        response.content = HTTPContent(length: length) { range in
          withExtendedLifetime(token) {}
          return loop.submit { self.read(range) }
        }
        guard isLater else { return HTTPReply(response) }
        let answer = Deferred<HTTPResponse>()
        answer.complete(with: response)
        return .later(answer)
      }
    }

    private func read(_ range: Range<Int>) -> ByteBuffer {
      state.withLock { state in
        state.furthest = max(state.furthest, range.upperBound)
        return ByteBuffer(bytes: range.clamped(to: 0..<max(0, state.end)).map { UInt8(truncatingIfNeeded: $0 / 1000) })
      }
    }
  }

  /// Calls a closure on deinit.
  private final class Token: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
  }

  private static let get = "GET /content HTTP/1.1\r\nHost: a\r\n\r\n"

  private static func isCounting(_ body: ByteBuffer) -> Bool {
    body.readableBytesView.enumerated().allSatisfy { $0.element == UInt8(truncatingIfNeeded: $0.offset / 1000) }
  }

  private static func get(_ path: String, port: Int) async throws -> WireClient.Answer {
    try await WireClient.with(port: port) { client in
      try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      return try await client.answer()
    }
  }

  @Test(arguments: [(0, false), (1, true), (1 << 20, false), ((1 << 20) + 1, true)])
  func theContentFollowsAndTheConnectionStays(length: Int, isLater: Bool) async throws {
    let handler = Handler(length: length, isLater: isLater)
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        // The second request arrives during the first answer.
        try await client.send(Self.get + Self.get)
        for _ in 1...2 {
          let answer = try await client.answer()
          #expect(answer.status == 200 && answer.header("Content-Length") == "\(length)")
          #expect(answer.body.readableBytes == length && Self.isCounting(answer.body))
          await handler.isReleased()
        }
        try await client.send("GET /after HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "GET /after ")
      }
    }
  }

  @Test func headGetsTheLengthAlone() async throws {
    let handler = Handler(length: 1000)
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send("HEAD /content HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer(hasBody: false).header("Content-Length") == "1000")
        try await client.send("GET /after HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "GET /after ")
      }
    }
    #expect(handler.furthest == 0)
  }

  @Test func aConnectionThatShallCloseIsClosedAfterTheContent() async throws {
    let handler = Handler(length: 300_000)
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send("GET /content HTTP/1.0\r\n\r\n")
        #expect(try await client.answer().body.readableBytes == 300_000)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  /// A file that became shorter.
  @Test func anEarlyEndClosesTheConnection() async throws {
    let handler = Handler(length: 400_000, end: 200_000)
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(Self.get)
        _ = try? await client.answer()
        #expect(try await client.end().rest.utf8.count < 400_000)
      }
      await handler.isReleased()
    }
  }

  /// What is not taken is not read, and others are answered.
  @Test func aClientThatDoesNotReadHoldsNobodyUp() async throws {
    let length = 256 << 20
    let handler = Handler(length: length)
    try await ServerHarness.with(handler: handler.reply) { server in
      try await WireClient.with(port: server.port, reads: false) { slow in
        try await slow.send(Self.get)
        var (before, now) = (-1, 0)
        while before < now {
          before = now
          for _ in 1...20 { #expect(try await Self.get("/other", port: server.port).status == 200) }
          now = handler.furthest
        }
        #expect(now < length)
        #expect(try await server.connectionCount >= 1)
      }
      await handler.isReleased()
    }
  }

  @Test func aStalledClientIsDropped() async throws {
    let handler = Handler(length: 64 << 20)
    var limits = HTTPLimits()
    limits.stalled = .seconds(1)
    try await ServerHarness.with(limits: limits, handler: handler.reply) { server in
      try await WireClient.with(port: server.port, reads: false) { client in
        try await client.send(Self.get)
        await handler.isReleased()
      }
    }
  }

  /// Unlike other requests, a transfer may take longer than the idle time.
  @Test func aPausedClientIsNotIdle() async throws {
    let handler = Handler(length: 16 << 20)
    var limits = HTTPLimits()
    limits.idle = .seconds(3)
    try await ServerHarness.with(limits: limits, handler: handler.reply) { server in
      try await WireClient.with(port: server.port, reads: false) { client in
        try await client.send(Self.get)
        // Another client reaches the idle time twice.
        for _ in 1...2 { try await WireClient.with(port: server.port) { _ = try await $0.end() } }
        try await client.startReading()
        #expect(try await client.answer().body.readableBytes == 16 << 20)
      }
    }
  }
}
