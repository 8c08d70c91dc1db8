import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

@testable import DeviceStack

/// An HTTP server on loopback that echoes requests.
final class ServerHarness: Sendable {
  static let product = "Test/1 UPnP/1.1 Test/1"

  let port: Int
  private let eventLoop: any EventLoop
  private let server: NIOLoopBound<HTTPServer>
  private let isStopped = Atomic(false)

  /// Starts a server, runs the body and stops the server.
  static func with<Result: Sendable>(
    limits: HTTPLimits = HTTPLimits(), hostPolicy: HostPolicy = HostPolicy(), acceptsLocalAddress: Bool = true,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPReply = { echo($0) },
    _ body: (ServerHarness) async throws -> Result
  ) async throws -> Result {
    let harness = try await ServerHarness(
      limits: limits, hostPolicy: hostPolicy, acceptsLocalAddress: acceptsLocalAddress, handler: handler)
    do {
      let result = try await body(harness)
      try await harness.stop()
      return result
    } catch {
      try? await harness.stop()
      throw error
    }
  }

  private init(
    limits: HTTPLimits, hostPolicy: HostPolicy, acceptsLocalAddress: Bool,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) async throws {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
    self.eventLoop = eventLoop
    (server, port) = try await eventLoop.flatSubmit {
      var logger = Logger(label: "http")
      logger.logLevel = .error
      let server = HTTPServer(
        eventLoop: eventLoop, product: Self.product, limits: limits, hostPolicy: hostPolicy, logger: logger,
        handler: handler)
      server.acceptsLocalAddress = { _ in acceptsLocalAddress }
      let bound = NIOLoopBound(server, eventLoop: eventLoop)
      return server.start(port: 0).map { (bound, $0) }
    }.get()
  }

  private func stop() async throws {
    isStopped.store(true, ordering: .relaxed)
    try await eventLoop.flatSubmit { [server] in server.value.stop() }.get()
  }

  var connectionCount: Int {
    get async throws { try await eventLoop.submit { [server] in server.value.connectionCount }.get() }
  }

  func trust(_ policy: HostPolicy) async throws {
    try await eventLoop.submit { [server] in server.value.hostPolicy = policy }.get()
  }

  /// Calls a function in every turn of the loop until the server stops.
  func eachTurn(_ body: @escaping @Sendable () -> Void) async throws {
    try await eventLoop.submit { [self] in again(body) }.get()
  }

  private func again(_ body: @escaping @Sendable () -> Void) {
    body()
    guard !isStopped.load(ordering: .relaxed) else { return }
    // Without a delay, the task would run in this turn.
    eventLoop.scheduleTask(in: .microseconds(50)) { [self] in again(body) }
  }

  /// Responds with the parsed method, target and body.
  static func echo(_ request: HTTPRequest, afterFlush: (() -> Void)? = nil) -> HTTPReply {
    HTTPReply(echoed(request), afterFlush: afterFlush)
  }

  static func echoed(_ request: HTTPRequest) -> HTTPResponse {
    let text = "\(request.method.rawValue) \(request.uri) \(String(buffer: request.body))"
    return HTTPResponse(.ok, body: ByteBuffer(string: text))
  }
}
