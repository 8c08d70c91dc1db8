import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

/// The HTTP server over loopback, tested with literal wire text.
@Suite(.timeLimit(.minutes(1)))
struct HTTPServerTests {
  /// Sends one request on a new connection.
  private func ask(
    _ text: String, limits: HTTPLimits = HTTPLimits(), hostPolicy: HostPolicy = HostPolicy(),
    handler: @escaping @Sendable (HTTPRequest) -> HTTPReply = { ServerHarness.echo($0) }
  ) async throws -> WireClient.Answer {
    try await ServerHarness.with(limits: limits, hostPolicy: hostPolicy, handler: handler) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(text)
        return try await client.answer()
      }
    }
  }

  // MARK: Answers

  /// A host that was accepted once is remembered, but only with its policy and only that host.
  @Test func acceptedHostIsCheckedAgainAfterTheRulesChange() async throws {
    let statuses = try await ServerHarness.with(hostPolicy: HostPolicy(names: ["a.example"])) { server in
      try await WireClient.with(port: server.port) { client in
        var statuses: [Int] = []
        for host in ["a.example", "a.example", "b.example", "a.example"] {
          try await client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
          statuses.append(try await client.answer().status)
        }
        try await server.trust(HostPolicy(names: ["b.example"]))
        for host in ["a.example", "b.example"] {
          try await client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
          statuses.append(try await client.answer().status)
        }
        return statuses
      }
    }
    #expect(statuses == [200, 200, 403, 200, 403, 200])
  }

  @Test func everyAnswerHasTheRequiredHeaders() async throws {
    let answers = [
      try await ask("GET /a HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n"),
      try await ask("rubbish\r\n\r\n"),
      try await ask("GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
    ]
    #expect(answers.map(\.status) == [200, 400, 403])
    for answer in answers {
      #expect(answer.header("Server") == ServerHarness.product)
      #expect(answer.header("Content-Length") == String(answer.body.readableBytes))
      #expect(answer.header("Transfer-Encoding") == nil)
      #expect(try #require(answer.header("Date")).hasSuffix(" GMT"))
    }
    #expect(String(buffer: answers[0].body) == "GET /a ")
  }

  @Test func theHandlerReceivesBothAddresses() async throws {
    let answer = try await ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") { request in
      let text = "\(request.remote.ipAddress ?? "") \(request.local.ipAddress ?? "") \(request.local.port ?? 0 > 0)"
      return HTTPReply(HTTPResponse.xml(ByteBuffer(string: text)))
    }
    #expect(String(buffer: answer.body) == "127.0.0.1 127.0.0.1 true")
    #expect(answer.header("Content-Type") == "text/xml; charset=\"utf-8\"")
  }

  @Test func headHasTheLengthAndNoBody() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(
          "HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\nGET /d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let head = try await client.answer(hasBody: false)
        #expect(head.status == 200)
        #expect(head.header("Content-Length") == "10")
        // The next bytes are the next answer, not a body.
        #expect(String(buffer: try await client.answer().body) == "GET /d ")
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  // MARK: Connections

  @Test(
    arguments: [
      ("HTTP/1.1", "", true, nil), ("HTTP/1.1", "Connection: close\r\n", false, "close"),
      ("HTTP/1.1", "Connection: Keep-Alive\r\n", true, nil), ("HTTP/1.0", "", false, "close"),
      ("HTTP/1.0", "Connection: Keep-Alive\r\n", true, "keep-alive"),
      // Browsers and Java offer an upgrade to h2c; the parser stops there and would never answer a second request.
      ("HTTP/1.1", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n", false, "close"),
      ("HTTP/1.1", "Upgrade: h2c\r\n", false, "close"),
    ] as [(String, String, Bool, String?)])
  func connectionsStayOpenAsAgreed(version: String, headers: String, stays: Bool, connection: String?) async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send("GET /1 \(version)\r\nHost: localhost\r\n\(headers)\r\n")
        let first = try await client.answer()
        #expect(first.status == 200)
        #expect(first.header("Connection") == connection)
        if stays {
          try await client.send("GET /2 \(version)\r\nHost: localhost\r\n\(headers)\r\n")
          #expect(String(buffer: try await client.answer().body) == "GET /2 ")
        } else {
          #expect(try await client.end() == (.finished, ""))
        }
      }
    }
  }

  @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        let requests = (0..<50).map {
          $0 % 2 == 0
            ? "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n"
            : "POST /\($0) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
        }
        try await client.send(requests.joined())
        for number in 0..<50 {
          let expected = number % 2 == 0 ? "GET /\(number) " : "POST /\(number) ab"
          #expect(String(buffer: try await client.answer().body) == expected)
        }
      }
    }
  }

  @Test func aRequestMayComeByteByByte() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        for byte in "\r\nPOST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc".utf8 {
          try await client.send(ByteBuffer(bytes: [byte]))
        }
        #expect(String(buffer: try await client.answer().body) == "POST /x abc")
      }
    }
  }

  @Test func aClientThatEndsItsSideStillGetsAWholeAnswer() async throws {
    let large = ByteBuffer(repeating: 0x61, count: 20 << 20)
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { _ in HTTPReply(HTTPResponse(.ok, body: large)) }
    try await ServerHarness.with(handler: handler) { server in
      try await WireClient.with(port: server.port, reads: false) { client in
        try await client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        try await client.closeOutput()
        try await client.startReading()
        #expect(try await client.answer().body.readableBytes == 20 << 20)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  @Test func afterFlushIsCalledAfterTheAnswer() async throws {
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { request in
      ServerHarness.echo(request, afterFlush: { continuation.yield(request.uri) })
    }
    try await ServerHarness.with(handler: handler) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send("SUBSCRIBE /1 HTTP/1.1\r\nHost: a\r\n\r\nUNSUBSCRIBE /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(buffer: try await client.answer().body) == "SUBSCRIBE /1 ")
        #expect(String(buffer: try await client.answer().body) == "UNSUBSCRIBE /2 ")
      }
    }
    continuation.finish()
    #expect(await events.reduce(into: []) { $0.append($1) } == ["/1", "/2"])
  }

  @Test func aConnectionToAnAddressThatIsNotOursIsClosedAtOnce() async throws {
    try await ServerHarness.with(acceptsLocalAddress: false) { server in
      try await WireClient.with(port: server.port) { client in
        let end = try await client.end()
        let count = try await server.connectionCount
        #expect(end.rest == "")
        #expect(count == 0)
      }
    }
  }

  // MARK: Bodies

  @Test(arguments: [
    ("Content-Length: 5\r\n\r\nhello", "hello"),
    ("Content-Length: 0\r\n\r\n", ""),
    ("Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n", "hello"),
    ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", "hello"),
    ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
  ])
  func bodiesAreRead(rest: String, body: String) async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        for _ in 1...2 {
          try await client.send("POST /x HTTP/1.1\r\nHost: a\r\n\(rest)")
          #expect(String(buffer: try await client.answer().body) == "POST /x \(body)")
        }
      }
    }
  }

  @Test func expect100ContinueIsAnswered() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        for _ in 1...2 {
          try await client.send("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 5\r\n\r\n")
          let interim = try await client.answer(hasBody: false)
          #expect(interim.head == ["HTTP/1.1 100 Continue"])
          try await client.send("hello")
          let answer = try await client.answer()
          #expect(answer.status == 200)
          #expect(String(buffer: answer.body) == "POST /x hello")
        }
      }
    }
  }

  @Test func aTooLongBodyIsRefusedInsteadOf100Continue() async throws {
    let answer = try await ask("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1048577\r\n\r\n")
    #expect(answer.status == 413)
  }

  @Test func aBodyOfMaximumLengthIsAccepted() async throws {
    let body = String(repeating: "x", count: 1 << 20)
    let answer = try await ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(1 << 20)\r\n\r\n\(body)") { request in
      HTTPReply(HTTPResponse(.ok, body: ByteBuffer(string: "\(request.body.readableBytes)")))
    }
    #expect(String(buffer: answer.body) == "1048576")
  }
}
