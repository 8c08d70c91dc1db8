import NIOCore
import NIOHTTP1
import NIOPosix
import Testing
import UPnP

@testable import ControlPoint

/// The client against servers that misbehave, on loopback.
@Suite struct HTTPClientTests {
  /// Sends these bytes to each client, then ends the connection as requested.
  private static func server(_ answer: String, then ending: Ending = .close) async throws -> any Channel {
    try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answering(answer, ending))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  enum Ending: Sendable { case close, wait, repeatForever }

  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let answer: String
    private let ending: Ending

    init(_ answer: String, _ ending: Ending) { (self.answer, self.ending) = (answer, ending) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
      switch ending {
      case .close: written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
      case .wait: break
      case .repeatForever: repeatAnswer(context)
      }
    }

    private func repeatAnswer(_ context: ChannelHandlerContext) {
      let part = ByteBuffer(string: "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n")
      context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess { self.repeatAnswer(context) }
    }
  }

  private static func get(
    _ server: any Channel, maximumBody: Int = 1 << 20, timeout: TimeAmount = .seconds(30)
  ) async throws(ControlPointError) -> ClientResponse {
    let url = HTTPURL(host: "127.0.0.1", port: UInt16(server.localAddress?.port ?? 0), target: "/x")
    return try await HTTPClient(group: MultiThreadedEventLoopGroup.singleton, product: "Test/1")
      .send(ClientRequest(.GET, url, maximumBody: maximumBody, timeout: timeout))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", "HTTP/1.0 200 OK\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
  ])
  func readsAnAnswer(answer: String) async throws {
    let server = try await Self.server(answer)
    let response = try await Self.get(server)
    #expect(response.status == .ok)
    #expect(String(buffer: response.body) == "abc")
    try await server.close()
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", Ending.close),
    ("", .close),
  ])
  func reportsAnIncompleteAnswer(answer: String, ending: Ending) async throws {
    let server = try await Self.server(answer, then: ending)
    await #expect {
      try await Self.get(server)
    } throws: { error in
      if case .malformed = error as? ControlPointError { true } else { false }
    }
    try await server.close()
  }

  @Test func reportsWhatIsNoHTTP() async throws {
    let server = try await Self.server("SSH-2.0-OpenSSH_9.2\r\n", then: .wait)
    await #expect(throws: ControlPointError.malformed("The answer is not valid HTTP.")) { try await Self.get(server) }
    try await server.close()
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 200 OK\r\nX: ",
  ])
  func stopsReadingAnEndlessAnswer(answer: String) async throws {
    let server = try await Self.server(answer, then: .repeatForever)
    await #expect {
      try await Self.get(server, maximumBody: 1 << 16)
    } throws: { error in
      // A header that never ends is also refused by the parser.
      let error = error as? ControlPointError
      return error == .tooLarge || error == .malformed("The answer is not valid HTTP.")
    }
    try await server.close()
  }

  @Test func givesUpOnASilentServer() async throws {
    let server = try await Self.server("", then: .wait)
    await #expect(throws: ControlPointError.timeout) { try await Self.get(server, timeout: .milliseconds(50)) }
    try await server.close()
  }

  @Test func endsWithItsTask() async throws {
    let server = try await Self.server("", then: .wait)
    let task = Task { try await Self.get(server) }
    task.cancel()
    await #expect(throws: ControlPointError.cancelled) { try await task.value }
    try await server.close()
  }

  @Test func reportsARefusedConnection() async throws {
    let server = try await Self.server("")
    let port = UInt16(try #require(server.localAddress?.port))
    try await server.close()
    let client = HTTPClient(group: MultiThreadedEventLoopGroup.singleton, product: "Test/1")
    await #expect(throws: ControlPointError.unreachable("connection refused")) {
      try await client.send(ClientRequest(.GET, HTTPURL(host: "127.0.0.1", port: port)))
    }
  }
}
