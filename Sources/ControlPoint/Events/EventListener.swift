import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// Receives the events of all subscriptions: one HTTP server for each local address that a device sends events to.
///
/// Used on its event loop only. Opens a server with the first subscription that needs it, and closes it with the last.
final class EventListener {
  /// The largest event. OpenHome's longest list of ids has 90 KB.
  static let maximumBody = 1 << 20
  private static let maximumConnections = 512
  /// Connections of one device, so that it cannot keep others from sending.
  private static let maximumConnectionsPerSender = 32

  /// The URL that a device sends the events of one subscription to. The path cannot be guessed.
  struct Route: Sendable, Hashable {
    var address: IPAddress
    var port: Int
    var path: String
    var url: String { "http://\(address):\(port)\(path)" }
  }

  /// Receives one event.
  /// - Returns: false if its SID is unknown.
  typealias Receiver = (NotifyRequest, ByteBuffer) -> Bool

  private struct Entry {
    var route: Route
    var sender: IPAddress
    var receiver: Receiver
  }

  private struct Server {
    var channel: EventLoopFuture<any Channel>
    /// The number of routes, and of subscriptions that are about to get one.
    var users: Int
  }

  private let eventLoop: any EventLoop
  private let logger: Logger
  private var servers: [IPAddress: Server] = [:]
  private var entries: [String: Entry] = [:]
  private var connections: [IPAddress: Int] = [:]

  init(eventLoop: any EventLoop, logger: Logger) {
    self.eventLoop = eventLoop
    self.logger = logger
  }

  /// Opens a route.
  /// - Parameters:
  ///   - local: this machine's address that the device reaches.
  ///   - sender: the device's address; others are refused.
  ///   - completion: gets nil if the server cannot be opened.
  func open(
    on local: IPAddress, from sender: IPAddress, receiver: @escaping Receiver, completion: @escaping (Route?) -> Void
  ) {
    let server = servers[local] ?? Server(channel: bind(local), users: 0)
    servers[local] = Server(channel: server.channel, users: server.users + 1)
    server.channel.assumeIsolated().whenComplete { [self] result in
      guard case .success(let channel) = result, let port = channel.localAddress?.port else {
        let reason = if case .failure(let error) = result { "\(error)" } else { "it has no port" }
        logger.warning("Cannot receive events on \(local): \(reason)")
        release(local)
        return completion(nil)
      }
      let route = Route(address: local, port: port, path: "/" + String(UInt128.random(in: .min ... .max), radix: 16))
      entries[route.path] = Entry(route: route, sender: sender, receiver: receiver)
      completion(route)
    }
  }

  func close(_ route: Route) {
    guard entries.removeValue(forKey: route.path) != nil else { return }
    release(route.address)
  }

  private func release(_ local: IPAddress) {
    guard let server = servers[local] else { return }
    guard server.users == 1 else {
      servers[local]?.users -= 1
      return
    }
    servers[local] = nil
    server.channel.whenSuccess { $0.close(promise: nil) }
  }

  private func bind(_ address: IPAddress) -> EventLoopFuture<any Channel> {
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    return ServerBootstrap(group: eventLoop)
      .serverChannelOption(.backlog, value: 256)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.initialize(channel) }
      }
      .bind(to: address.socketAddress(port: 0))
  }

  /// Sets up an accepted connection.
  /// - Throws: for a host that no subscription expects events from, and for too many connections. The channel is then closed.
  private func initialize(_ channel: any Channel) throws {
    guard let sender = channel.remoteAddress.flatMap({ IPAddress($0) }),
      entries.values.contains(where: { $0.sender == sender }),
      connections[sender, default: 0] < Self.maximumConnectionsPerSender,
      connections.values.reduce(0, +) < Self.maximumConnections
    else { throw ChannelError.inappropriateOperationForState }
    connections[sender, default: 0] += 1
    channel.closeFuture.assumeIsolated().whenComplete { [self] _ in
      let rest = (connections[sender] ?? 1) - 1
      connections[sender] = rest > 0 ? rest : nil
    }
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderListSize = 16 << 10
    limits.maxHeaderFieldCount = 100
    try channel.pipeline.syncOperations.addHandlers([
      HTTPResponseEncoder(), ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: limits)),
      HTTPServerProtocolErrorHandler(), EventConnection(self, sender: sender),
    ])
  }

  /// - Returns: the status to refuse the request with; nil if its head is acceptable.
  func refusal(of head: HTTPRequestHead, from sender: IPAddress) -> HTTPResponseStatus? {
    do throws(NotifyRequest.Refusal) {
      let request = try NotifyRequest(head)
      return entries[request.path]?.sender == sender ? nil : .preconditionFailed
    } catch {
      return error.status
    }
  }

  /// Passes a complete event on.
  /// - Returns: the status to answer with.
  func receive(_ head: HTTPRequestHead, _ body: ByteBuffer, from sender: IPAddress) -> HTTPResponseStatus {
    if let refusal = refusal(of: head, from: sender) { return refusal }
    guard let request = try? NotifyRequest(head), let entry = entries[request.path] else { return .preconditionFailed }
    return entry.receiver(request, body) ? .ok : .preconditionFailed
  }
}

/// A connection that a device sends events on.
private final class EventConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Time limit of one request, from the first byte to the last.
  private static let requestTimeout = TimeAmount.seconds(10)
  /// Time limit between two requests.
  private static let idleTimeout = TimeAmount.seconds(30)

  private let listener: EventListener
  private let sender: IPAddress
  private var head: HTTPRequestHead?
  private var body = ByteBuffer()
  private var refusal: HTTPResponseStatus?
  private var deadline: Scheduled<Void>?

  init(_ listener: EventListener, sender: IPAddress) {
    self.listener = listener
    self.sender = sender
  }

  func channelActive(context: ChannelHandlerContext) {
    arm(Self.requestTimeout, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      arm(Self.requestTimeout, context)
      self.head = head
      body = ByteBuffer()
      refusal = listener.refusal(of: head, from: sender)
      let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
      if length > EventListener.maximumBody { tooLarge(context) }
    case .body(var part):
      guard head != nil else { return }
      body.writeBuffer(&part)
      if body.readableBytes > EventListener.maximumBody { tooLarge(context) }
    case .end:
      guard let head else { return }
      self.head = nil
      let status = refusal ?? listener.receive(head, body, from: sender)
      body = ByteBuffer()
      answer(status, keepsAlive: head.isKeepAlive, context)
      arm(Self.idleTimeout, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func tooLarge(_ context: ChannelHandlerContext) {
    head = nil
    body = ByteBuffer()
    answer(.payloadTooLarge, keepsAlive: false, context)
  }

  private func answer(_ status: HTTPResponseStatus, keepsAlive: Bool, _ context: ChannelHandlerContext) {
    var headers: HTTPHeaders = ["CONTENT-LENGTH": "0"]
    if status == .methodNotAllowed { headers.add(name: "ALLOW", value: "NOTIFY") }
    if !keepsAlive { headers.add(name: "CONNECTION", value: "close") }
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !keepsAlive { written.assumeIsolated().whenComplete { _ in context.close(promise: nil) } }
  }

  private func arm(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
