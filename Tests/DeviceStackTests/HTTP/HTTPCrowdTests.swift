import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import DeviceStack

/// Many clients, and clients that request too much.
@Suite(.timeLimit(.minutes(1)))
struct HTTPCrowdTests {
  private func limits(connections: Int) -> HTTPLimits {
    var limits = HTTPLimits()
    limits.connections = connections
    return limits
  }

  @Test func halfOpenConnectionsDoNotShutOutAnHonestClient() async throws {
    try await ServerHarness.with(limits: limits(connections: 8)) { server in
      var crowd: [WireClient] = []
      for _ in 0..<30 {
        let client = try await WireClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHo")
        crowd.append(client)
      }
      try await WireClient.with(port: server.port) { client in
        try await client.send("GET /honest HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "GET /honest ")
      }
      // The oldest connections were closed.
      for client in crowd.prefix(20) { _ = try await client.end() }
      let count = try await server.connectionCount
      #expect(count <= 8)
    }
  }

  @Test func theLongestIdleConnectionGoesFirst() async throws {
    try await ServerHarness.with(limits: limits(connections: 3)) { server in
      let busy = try await halfOpen(server)
      let first = try await WireClient(port: server.port)
      let second = try await WireClient(port: server.port)
      for client in [second, first, second] {
        try await client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.answer().status == 200)
      }
      try await WireClient.with(port: server.port) { third in
        try await third.send("GET /third HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await third.answer().body) == "GET /third ")
        #expect(try await first.end() == (.finished, ""))
        try await second.send("GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await second.answer().body) == "GET /second ")
        try await busy.send("b")
        #expect(String(buffer: try await busy.answer().body) == "POST /half b")
      }
    }
  }

  /// Regression: among connections with a half-received request, the new one was the only idle one and closed first.
  @Test func aNewConnectionIsNotClosedInFavourOfHalfOpenOnes() async throws {
    var limits = self.limits(connections: 4)
    limits.firstRequest = .seconds(60)
    try await ServerHarness.with(limits: limits) { server in
      var crowd: [WireClient] = []
      for _ in 0..<3 { crowd.append(try await halfOpen(server)) }
      try await WireClient.with(port: server.port) { client in
        for _ in 0..<2 { crowd.append(try await halfOpen(server)) }
        try await client.send("GET /honest HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "GET /honest ")
      }
      for client in crowd.prefix(2) { _ = try await client.end() }
    }
  }

  /// A client that has sent the beginning of a request, which the server has read.
  private func halfOpen(_ server: ServerHarness) async throws -> WireClient {
    let client = try await WireClient(port: server.port)
    try await client.send("POST /half HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
    #expect(try await client.answer(hasBody: false).status == 100)
    return client
  }

  /// Answers are 64 times as long as their requests: without backpressure they would fill the memory.
  @Test func aClientThatAsksWithoutReadingIsMadeToWait() async throws {
    let count = 6000
    let requests = ByteBuffer(
      string: String(repeating: "GET /\(String(repeating: "x", count: 100)) HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
    let body = ByteBuffer(repeating: 0x61, count: 8192)
    let answered = Answered()
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { request in
      if request.uri != "/honest" { answered.add() }
      return HTTPReply(HTTPResponse(.ok, body: body))
    }
    try await ServerHarness.with(handler: handler) { server in
      try await WireClient.with(port: server.port, reads: false) { greedy in
        greedy.sendWithoutWaiting(requests)
        // The greedy client's requests are answered until the socket buffers are full, and then no more.
        var before = -1
        var now = 0
        while now != before || now == 0 {
          before = now
          try await WireClient.with(port: server.port) { honest in
            for _ in 0..<50 {
              try await honest.send("GET /honest HTTP/1.1\r\nHost: a\r\n\r\n")
              #expect(try await honest.answer().status == 200)
            }
          }
          now = answered.count
        }
        #expect(now < count / 2)
        // Once the client reads, it gets all answers.
        try await greedy.startReading()
        for _ in 0..<count { _ = try await greedy.answer() }
        #expect(answered.count == count)
      }
    }
  }

  /// Regression: all requests received from one client were answered in one go, so that a hundred such clients delayed
  /// each other.
  @Test func aPipeliningClientDoesNotStarveOthers() async throws {
    let count = 6000
    let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    let requests = ByteBuffer(string: String(repeating: request, count: count))
    let answered = Answered()
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { request in
      answered.add()
      return ServerHarness.echo(request)
    }
    try await ServerHarness.with(handler: handler) { server in
      try await server.eachTurn { answered.nextTurn() }
      try await WireClient.with(port: server.port) { client in
        client.sendWithoutWaiting(requests)
        for _ in 0..<count { _ = try await client.answer() }
      }
    }
    // At most 16 KiB are read at once. Regression: it was 64 kB.
    #expect(answered.most < 16_384 / request.utf8.count)
  }

  private final class Answered: Sendable {
    private let number = Mutex((all: 0, before: 0, most: 0))
    func add() { number.withLock { $0.all += 1 } }
    func nextTurn() { number.withLock { $0 = ($0.all, $0.all, max($0.most, $0.all - $0.before)) } }
    var count: Int { number.withLock(\.all) }
    /// The highest number of answers in one turn of the loop.
    var most: Int { number.withLock(\.most) }
  }
}
