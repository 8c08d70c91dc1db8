import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// The HTTP/1.1 server of a device host (UDA 1.1 §2, §3, §4): whole requests in, whole answers out, within limits.
///
/// Lives on its event loop.
public final class HTTPServer {
  /// Gives the answer to one request.
  public typealias Handler = (HTTPRequest) -> HTTPReply

  public let limits: HTTPLimits
  let eventLoop: any EventLoop
  private let product: String
  /// Whom Host and Origin headers may mean.
  public var hostPolicy: HostPolicy
  private let logger: Logger
  private let handler: Handler
  private var listener: (any Channel)?
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var isStopping = false
  /// There have been many connections at once since `onCrowdGone` was called.
  private var wasCrowded = false
  private var crowdEnd: Scheduled<Void>?
  /// Called a moment after many connections at once have become few: what they held lay between what others hold, and an
  /// allocator may not have given it back.
  public var onCrowdGone: (() -> Void)?
  /// Whether a connection to this address of ours is taken; the socket listens on all of them.
  public var acceptsLocalAddress: (SocketAddress) -> Bool = { _ in true }

  /// - Parameter product: the SERVER header (UDA 1.1 §2.1): `OS/version UPnP/1.1 product/version`.
  public init(
    eventLoop: any EventLoop, product: String, limits: HTTPLimits = HTTPLimits(), hostPolicy: HostPolicy = HostPolicy(),
    logger: Logger, handler: @escaping Handler
  ) {
    self.eventLoop = eventLoop
    self.product = product
    self.limits = limits
    self.hostPolicy = hostPolicy
    self.logger = logger
    self.handler = handler
  }

  /// Listens on all addresses.
  /// - Parameter port: 0 for any that is free.
  /// - Returns: the port.
  public func start(port: Int) -> EventLoopFuture<Int> {
    let any: SocketAddress
    do {
      // Not by name: while there is no network the resolver makes an IPv6 address of it, and all of ours look foreign.
      any = try SocketAddress(ipAddress: "0.0.0.0", port: port)
    } catch {
      return eventLoop.makeFailedFuture(error)
    }
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    return ServerBootstrap(group: eventLoop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptFailures(server: bound.value))
        }
      }
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // What is read at once is answered at once: others have their turn after this much of one who asks without waiting.
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try bound.value.initialize(channel) }
      }
      .bind(to: any)
      .map { channel in
        bound.value.listener = channel
        return channel.localAddress?.port ?? port
      }
  }

  /// Closes the listening socket and every connection.
  public func stop() -> EventLoopFuture<Void> {
    isStopping = true
    for connection in connections.values { connection.close() }
    guard let listener else { return eventLoop.makeSucceededVoidFuture() }
    return listener.close().recover { _ in }
  }

  /// Sets up a connection that was accepted.
  /// - Throws: where it is not to be taken.
  func initialize(_ channel: any Channel) throws {
    guard !isStopping, let local = channel.localAddress, acceptsLocalAddress(local) else {
      throw ChannelError.inappropriateOperationForState
    }
    let headGuard = HeadGuard(limits: limits)
    // The head guard and the assembler see to the head, and know a long target from a long header; what comes after a
    // chunked body is for the parser alone to hold back.
    var parserLimits = NIOHTTPDecoderLimitConfiguration()
    parserLimits.maxHeaderListSize = limits.head + (1 << 16)
    parserLimits.maxHeaderFieldCount = limits.fields
    let decoder = HTTPRequestDecoder(limitConfiguration: parserLimits)
    try channel.pipeline.syncOperations.addHandlers([
      HTTPResponseEncoder(), headGuard, ByteToMessageHandler(decoder),
      HTTPConnection(server: self, headGuard: headGuard),
    ])
  }

  func opened(_ connection: HTTPConnection) {
    if connections.count >= limits.connections { makeRoom() }
    connections[ObjectIdentifier(connection)] = connection
    wasCrowded = wasCrowded || connections.count > limits.connections / 8
  }

  func closed(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    guard wasCrowded, crowdEnd == nil, connections.count <= limits.connections / 16 else { return }
    crowdEnd = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in self?.crowdIsGone() }
  }

  private func crowdIsGone() {
    crowdEnd = nil
    wasCrowded = false
    onCrowdGone?()
  }

  /// The number of open connections.
  public var connectionCount: Int { connections.count }

  /// The longest idle connection goes; where every one is in the midst of a request, the one that took longest.
  private func makeRoom() {
    let idle = connections.values.filter { !$0.isBusy }
    let oldest = (idle.isEmpty ? Array(connections.values) : idle).min { $0.idleSince < $1.idleSince }
    oldest?.close()
    logger.debug("Closed a connection to stay within \(limits.connections)")
  }

  /// There is no descriptor left, or no memory. Those who wait stay in the queue, and the loop would come back to them at
  /// once, over and over.
  func couldNotAccept() {
    if connections.isEmpty {
      _ = listener?.setOption(.autoRead, value: false)
      eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in
        _ = self?.listener?.setOption(.autoRead, value: true)
      }
    }
    // A few more than the next one needs: others want descriptors, too.
    for _ in 0..<8 { makeRoom() }
  }

  func answer(_ request: HTTPRequest) -> HTTPReply {
    let host = request.host
    let isChange = request.method != .GET && request.method != .HEAD
    guard hostPolicy.allows(host: host),
      !isChange || hostPolicy.allows(origin: request.headers.first(name: "origin"), host: host)
    else {
      logger.info("Refused a request of \(request.remote) for a foreign host or from a foreign page")
      return HTTPReply(HTTPResponse(.forbidden))
    }
    return handler(request)
  }

  /// Adds what every answer carries.
  func complete(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.replaceOrAdd(name: "DATE", value: HTTPDate.now())
    response.headers.replaceOrAdd(name: "SERVER", value: product)
    response.headers.replaceOrAdd(name: "Content-Length", value: String(response.body.readableBytes))
    return response
  }
}
