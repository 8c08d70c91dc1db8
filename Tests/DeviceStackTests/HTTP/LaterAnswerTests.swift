import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

/// Asynchronous answers: responses that are not available when the request has been read.
@Suite(.timeLimit(.minutes(1))) struct LaterAnswerTests {
  /// Answers requests to `/later…` when `/now` is requested, and all others at once. The deferred answer of `/later-known` is
  /// known at once.
  ///
  /// Unchecked Sendable, because only the server's handler uses it, on the server's loop.
  private final class Handler: @unchecked Sendable {
    private var waiting: [(HTTPRequest, Deferred<HTTPResponse>)] = []
    private let asked = AsyncStream.makeStream(of: Void.self)

    func answer(_ request: HTTPRequest) -> HTTPReply {
      guard request.uri.hasPrefix("/later") else {
        if request.uri == "/now" {
          let answered = waiting
          waiting = []
          for (request, answer) in answered { answer.complete(with: ServerHarness.echoed(request)) }
        }
        return ServerHarness.echo(request)
      }
      let answer = Deferred<HTTPResponse>()
      if request.uri == "/later-known" {
        answer.complete(with: ServerHarness.echoed(request))
        return .later(answer)
      }
      waiting.append((request, answer))
      asked.continuation.yield()
      return .later(answer)
    }

    /// Waits for a request to `/later…`.
    func isAsked() async { for await _ in asked.stream { return } }
  }

  /// Runs a server with two clients.
  private func run(
    limits: HTTPLimits = HTTPLimits(),
    _ body: (ServerHarness, Handler, WireClient, _ sayNow: () async throws -> Void) async throws -> Void
  ) async throws {
    let handler = Handler()
    let answer: @Sendable (HTTPRequest) -> HTTPReply = { handler.answer($0) }
    try await ServerHarness.with(limits: limits, handler: answer) { server in
      try await WireClient.with(port: server.port) { client in
        try await WireClient.with(port: server.port) { other in
          try await body(server, handler, client) {
            try await other.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(String(buffer: try await other.answer().body) == "GET /now ")
          }
        }
      }
    }
  }

  @Test func othersAreAnsweredMeanwhile() async throws {
    try await run { _, handler, client, sayNow in
      try await client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      await handler.isAsked()
      try await sayNow()
      #expect(String(buffer: try await client.answer().body) == "GET /later ")
      try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(String(buffer: try await client.answer().body) == "GET /a ")
    }
  }

  @Test func anAnswerMayBeKnownAtOnce() async throws {
    try await run { _, _, client, _ in
      for path in ["/later-known", "/a", "/later-known"] {
        try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "GET \(path) ")
      }
    }
  }

  @Test func requestsBehindADeferredAnswerWait() async throws {
    try await run { _, handler, client, sayNow in
      try await client.send(
        "GET /later1 HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\nGET /later2 HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      await handler.isAsked()
      try await client.send("GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      try await sayNow()
      #expect(String(buffer: try await client.answer().body) == "GET /later1 ")
      #expect(String(buffer: try await client.answer().body) == "GET /b ")
      await handler.isAsked()
      try await sayNow()
      #expect(String(buffer: try await client.answer().body) == "GET /later2 ")
      #expect(String(buffer: try await client.answer().body) == "GET /c ")
      #expect(try await client.end() == (.finished, ""))
    }
  }

  @Test func aClientThatClosesItsOutputIsAnswered() async throws {
    try await run { _, handler, client, sayNow in
      try await client.send("GET /later HTTP/1.0\r\n\r\n")
      try await client.closeOutput()
      await handler.isAsked()
      try await sayNow()
      #expect(String(buffer: try await client.answer().body) == "GET /later ")
      #expect(try await client.end() == (.finished, ""))
    }
  }

  @Test func aDeferredAnswerToAClosedConnectionIsDropped() async throws {
    try await run { server, handler, _, sayNow in
      try await WireClient.with(port: server.port) { gone in
        try await gone.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
        await handler.isAsked()
      }
      try await sayNow()
      try await sayNow()
    }
  }

  /// A client that waits for an answer is not idle, so idle ones are closed first.
  @Test func aClientThatWaitsIsNotClosedToMakeRoom() async throws {
    var limits = HTTPLimits()
    limits.connections = 3
    try await run(limits: limits) { server, handler, client, sayNow in
      try await client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      await handler.isAsked()
      for _ in 0..<4 {
        try await WireClient.with(port: server.port) { another in
          try await another.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(try await another.answer().status == 200)
        }
      }
      try await WireClient.with(port: server.port) { another in
        try await another.send("GET /now HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await another.answer().status == 200)
      }
      #expect(String(buffer: try await client.answer().body) == "GET /later ")
    }
  }
}
