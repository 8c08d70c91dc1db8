import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import DeviceStack

/// The timeouts of a connection, and when it sends its answers, tested with simulated time.
struct HTTPConnectionTests {
  private let eventLoop = EmbeddedEventLoop()
  private let channel: EmbeddedChannel
  private let server: HTTPServer

  init() throws {
    server = HTTPServer(
      eventLoop: eventLoop, product: "Test", logger: Logger(label: "http"), handler: { ServerHarness.echo($0) })
    channel = try Self.connect(to: server, on: eventLoop)
  }

  private static func connect(to server: HTTPServer, on eventLoop: EmbeddedEventLoop) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel(loop: eventLoop)
    channel.localAddress = try SocketAddress(ipAddress: "192.0.2.1", port: 80)
    channel.remoteAddress = try SocketAddress(ipAddress: "192.0.2.2", port: 40000)
    try server.initialize(channel)
    try channel.connect(to: try SocketAddress(ipAddress: "192.0.2.2", port: 40000)).wait()
    return channel
  }

  private func send(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
    eventLoop.run()
  }

  private func statusLines() throws -> [String] { try Self.statusLines(of: channel) }

  /// The status lines sent since the last call.
  private static func statusLines(of channel: EmbeddedChannel) throws -> [String] {
    var text = ""
    while let part = try channel.readOutbound(as: IOData.self) {
      if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
    }
    return text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/") }.map(String.init)
  }

  @Test func aConnectionInUseIsNeverIdle() throws {
    for _ in 1...10 {
      eventLoop.advanceTime(by: .seconds(59))
      try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try statusLines() == ["HTTP/1.1 200 OK"])
    }
    eventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    eventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    #expect(try statusLines() == [])
    #expect(server.connectionCount == 0)
  }

  @Test func aRequestHasTenSecondsHoweverItDrips() throws {
    try send("GET / HTTP/1.1\r\nHost: a\r\n")
    for _ in 1...9 {
      eventLoop.advanceTime(by: .seconds(1))
      try send("X: y\r\n")
      #expect(try statusLines() == [])
    }
    eventLoop.advanceTime(by: .seconds(1))
    #expect(try statusLines() == ["HTTP/1.1 408 Request Timeout"])
    eventLoop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }

  @Test func eachRequestHasItsOwnTenSeconds() throws {
    for _ in 1...5 {
      try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
      eventLoop.advanceTime(by: .seconds(9))
      try send("x")
      #expect(try statusLines() == ["HTTP/1.1 200 OK"])
    }
  }

  @Test func aLongHeaderIsNoLongTargetBehindAnotherRequest() throws {
    // The request line arrives with the end of the previous request, and the header later.
    try send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nX: ")
    #expect(try statusLines() == ["HTTP/1.1 200 OK"])
    for _ in 1...10 { try send(String(repeating: "x", count: 1000)) }
    try send("\r\n\r\n")
    #expect(try statusLines() == ["HTTP/1.1 200 OK"])
    try send("GET /\(String(repeating: "x", count: 10_000))")
    #expect(try statusLines() == ["HTTP/1.1 414 URI Too Long"])
  }

  @Test func aRequestThatIsAnsweredIsNoLongerWaitedFor() throws {
    try send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
    try send("x")
    #expect(try statusLines() == ["HTTP/1.1 200 OK"])
    eventLoop.advanceTime(by: .seconds(11))
    #expect(try statusLines() == [])
    #expect(channel.isActive)
  }

  @Test func answersToRequestsOfOneTurnAreSentAtItsEnd() throws {
    let other = try Self.connect(to: server, on: eventLoop)
    for channel in [channel, other] {
      try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    }
    for channel in [channel, other] { #expect(try Self.statusLines(of: channel) == []) }
    eventLoop.run()
    for channel in [channel, other] { #expect(try Self.statusLines(of: channel) == ["HTTP/1.1 200 OK"]) }
  }

  @Test func aConnectionThatClosesBeforeTheEndOfTheTurnDoesNotStopTheOtherAnswers() throws {
    let other = try Self.connect(to: server, on: eventLoop)
    for channel in [channel, other] {
      try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    }
    channel.close(promise: nil)
    eventLoop.run()
    #expect(try Self.statusLines(of: other) == ["HTTP/1.1 200 OK"])
  }

  @Test func aConnectionThatMakesRoomForAnotherStillGetsItsAnswer() throws {
    var limits = HTTPLimits()
    limits.connections = 1
    let server = HTTPServer(
      eventLoop: eventLoop, product: "Test", limits: limits, logger: Logger(label: "http"),
      handler: { ServerHarness.echo($0) })
    let first = try Self.connect(to: server, on: eventLoop)
    try first.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    _ = try Self.connect(to: server, on: eventLoop)
    eventLoop.run()
    #expect(!first.isActive)
    #expect(try Self.statusLines(of: first) == ["HTTP/1.1 200 OK"])
  }
}
