import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

/// Requests that the server refuses with an error response before it closes the connection, in literal wire text over
/// loopback.
@Suite(.timeLimit(.minutes(1)))
struct HTTPRefusalTests {
  /// Low limits, which short requests reach.
  private static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    limits.body = 1000
    return limits
  }()

  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  private static let manyHeaders = (0..<10_000).map { "X-\($0): y\r\n" }.joined()

  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
  private static let post = "POST / HTTP/1.1\r\nHost: a\r\n"

  /// Requests that are sent in one piece.
  private static let cases: [(name: String, text: String, status: Int)] = [
    // Lengths: negative, empty, too large, overflowing, contradictory, and those for smuggling requests past proxies.
    ("negative length", post + "Content-Length: -1\r\n\r\n", 400),
    ("signed length", post + "Content-Length: +1\r\n\r\na", 400),
    ("hexadecimal length", post + "Content-Length: 0x1\r\n\r\na", 400),
    ("length in two parts", post + "Content-Length: 1 1\r\n\r\na", 400),
    ("length list", post + "Content-Length: 1, 1\r\n\r\na", 400),
    ("empty length", post + "Content-Length:\r\n\r\n", 400),
    ("two lengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
    ("the same length twice", post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
    ("length and chunks", post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("chunks and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n0\r\n\r\n", 400),
    ("unknown coding", post + "Transfer-Encoding: gzip\r\n\r\n", 400),
    ("coding after chunked", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 400),
    ("not quite chunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
    ("blank before the colon", post + "Content-Length : 1\r\n\r\na", 400),
    ("no length", post + "\r\n", 411),
    ("too long", post + "Content-Length: 1001\r\n\r\n", 413),
    ("beyond Int", post + "Content-Length: 9223372036854775808\r\n\r\n", 413),
    ("beyond UInt64", post + "Content-Length: 99999999999999999999999\r\n\r\n", 400),
    ("too long in chunks", post + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + long(1001), 413),
    ("chunk of rubbish", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    ("chunk beyond any number", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 400),
    // Heads.
    ("long target", "GET /\(long(8192)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    ("very long target", "GET /\(long(30_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    ("target without end", "GET /\(long(300_000))", 414),
    ("long header", get + "X: \(long(16384))\r\n\r\n", 431),
    ("header without end", get + "X: \(long(300_000))", 431),
    ("blanks without end", get + "X:" + String(repeating: " ", count: 300_000), 431),
    ("line ends without end", String(repeating: "\r\n", count: 100_000), 431),
    ("10 000 headers", get + manyHeaders + "\r\n", 431),
    ("300 headers", get + (0..<300).map { "X\($0):\r\n" }.joined() + "\r\n", 431),
    ("trailers without end", post + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + manyHeaders, 431),
    ("two hosts", get + "Host: a\r\nHost: b\r\n\r\n", 400),
    ("line without a colon", get + "nonsense\r\n\r\n", 400),
    ("no name", get + ": x\r\n\r\n", 400),
    ("NUL in a header", get + "X: a\u{0}b\r\n\r\n", 400),
    ("blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    // Line ends without CR (RFC 9112 §2.2).
    ("LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    ("LF after every line", "GET / HTTP/1.1\nHost: a\n\n", 400),
    ("LF after a header", get + "Host: a\n\r\n", 400),
    ("LF at the end of the head", get + "Host: a\r\n\n", 400),
    ("LF without a version", "GET /\n\n", 400),
    // Methods and protocols.
    ("M-POST", "M-POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nMAN: \"x\"; ns=01\r\n\r\n", 501),
    ("unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ("HTTP/3", "GET / HTTP/3.0\r\n\r\n", 505),
    ("HTTP/0.9", "GET /\r\n\r\n", 505),
    ("rubbish", "\u{1}\u{2}\u{3}\u{4}\r\n\r\n", 400),
    ("NULs", String(repeating: "\u{0}", count: 100), 400),
  ]

  @Test(arguments: cases.indices)
  func refuses(index: Int) async throws {
    let (name, text, status) = Self.cases[index]
    try await ServerHarness.with(limits: Self.limits) { server in
      try await WireClient.with(port: server.port) { client in
        client.sendWithoutWaiting(ByteBuffer(string: text))
        let answer = try await client.answer()
        #expect(answer.status == status, "\(name)")
        #expect(answer.header("Connection") == "close", "\(name)")
        #expect(try await client.end().rest == "", "\(name)")
      }
    }
  }

  @Test func tlsIsRefused() async throws {
    // The beginning of a TLS ClientHello.
    let hello: [UInt8] =
      [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + Array(repeating: 0xA5, count: 506)
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(ByteBuffer(bytes: hello))
        #expect(try await client.answer().status == 400)
        #expect(try await client.end().rest == "")
      }
    }
  }

  @Test func randomBytesNeverGoUnansweredOrCrash() async throws {
    var generator = SystemRandomNumberGenerator()
    try await ServerHarness.with(limits: Self.limits) { server in
      for _ in 0..<200 {
        var bytes = (0..<Int.random(in: 1...400, using: &generator)).map { _ in UInt8.random(in: 0...255) }
        if Bool.random() { bytes = Array((Self.post + "Content-Length: 3\r\n").utf8) + bytes }
        let sent = bytes
        try await WireClient.with(port: server.port) { client in
          try await client.send(ByteBuffer(bytes: sent))
          try await client.closeOutput()
          let rest = try await client.end().rest
          // Line ends alone are not a request.
          #expect(rest.hasPrefix("HTTP/1.1 ") || sent.allSatisfy { $0 == 10 || $0 == 13 }, "\(sent)")
        }
      }
    }
  }

  @Test func theRefusalReachesAClientThatIsStillSending() async throws {
    var limits = HTTPLimits()
    limits.linger = .seconds(60)
    try await ServerHarness.with(limits: limits) { server in
      try await WireClient.with(port: server.port, reads: false) { client in
        try await client.send(Self.post + "Content-Length: 100000000\r\n\r\n")
        for _ in 0..<100 { try await client.send(ByteBuffer(repeating: 0x61, count: 1 << 16)) }
        try await client.startReading()
        #expect(try await client.answer().status == 413)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  /// The invalid line end follows a valid request, in its own packet.
  @Test(arguments: [
    ["GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\nHost: a\n\n"],
    ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1", "\n\n"],
  ])
  func aBareLineFeedIsABadRequestWhereverItComes(pieces: [String]) async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        for piece in pieces { try await client.send(piece) }
        #expect(try await client.answer().status == 200)
        #expect(try await client.answer().status == 400)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  /// CR and LF in separate packets form one line end: the error is in the version.
  @Test func aLineEndInTwoPiecesIsOne() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        for piece in ["GET /\r", "\n\r\n"] { try await client.send(piece) }
        #expect(try await client.answer().status == 505)
      }
    }
  }

  @Test func inputAfterARefusalIsIgnored() async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(
          "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n"
        )
        #expect(try await client.answer().status == 200)
        #expect(try await client.answer().status == 411)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  @Test(arguments: ["G", "GET / HTTP/1.1\r\nHost:", Self.post + "Content-Length: 3\r\n\r\nab"])
  func aRequestThatDoesNotArriveInTimeIsRefused(begun: String) async throws {
    var limits = HTTPLimits()
    limits.arrival = .milliseconds(50)
    try await ServerHarness.with(limits: limits) { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(begun)
        #expect(try await client.answer().status == 408)
        #expect(try await client.end() == (.finished, ""))
      }
    }
  }

  @Test func anIdleConnectionIsClosedWithoutAnAnswer() async throws {
    var limits = HTTPLimits()
    limits.idle = .milliseconds(50)
    try await ServerHarness.with(limits: limits) { server in
      try await WireClient.with(port: server.port) { client in
        let end = try await client.end()
        #expect(end == (.finished, ""))
      }
    }
  }

  // MARK: Host and Origin

  /// RFC 9112 §3.2.
  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.0\r\n\r\n", 200), ("GET / HTTP/1.1\r\nHost:\r\n\r\n", 200),
    ("GET http://10.0.0.1/ HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: http://a/\r\n\r\n", 400), ("GET / HTTP/1.0\r\nHost: a@b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: [fe80::1%25eth0]:80\r\n\r\n", 200),
  ])
  func aRequestNeedsAValidHost(request: String, status: Int) async throws {
    try await Self.expect(status, for: request)
  }

  private static func expect(_ status: Int, for request: String) async throws {
    try await ServerHarness.with { server in
      try await WireClient.with(port: server.port) { client in
        try await client.send(request)
        #expect(try await client.answer().status == status)
      }
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
    ("GET / HTTP/1.1\r\nHost: 10.0.0.1:80\r\n\r\n", 200),
    // An absolute target overrides the Host header (RFC 9112 §3.2.2).
    ("GET http://evil.example/ HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n", 403),
    ("GET http://10.0.0.1/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nHost: 10.0.0.1\r\nContent-Length: 0\r\n\r\n", 200),
    ("POST / HTTP/1.1\r\nHost: 10.0.0.1\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n", 403),
    ("POST / HTTP/1.1\r\nHost: 10.0.0.1\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n", 403),
    ("SUBSCRIBE / HTTP/1.1\r\nHost: 10.0.0.1\r\nOrigin: http://evil.example\r\n\r\n", 403),
    ("POST / HTTP/1.1\r\nHost: 10.0.0.1:8\r\nOrigin: http://10.0.0.1:8\r\nContent-Length: 0\r\n\r\n", 200),
    ("GET / HTTP/1.1\r\nHost: 10.0.0.1\r\nOrigin: http://evil.example\r\n\r\n", 200),
  ])
  func foreignHostsAndPagesAreRefused(request: String, status: Int) async throws {
    try await Self.expect(status, for: request)
  }
}
