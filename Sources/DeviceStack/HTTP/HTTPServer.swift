import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// The HTTP/1.1 server of a device host (UDA 1.1 §2, §3, §4): passes complete requests to a handler, within limits.
///
/// Used on its event loop only.
final class HTTPServer {
  /// Answers one request.
  typealias Handler = (HTTPRequest) -> HTTPReply

  let limits: HTTPLimits
  let eventLoop: any EventLoop
  let answerFlush: AnswerFlush
  private let product: String
  /// Which Host and Origin headers are accepted.
  var hostPolicy: HostPolicy {
    didSet { acceptedHost = nil }
  }
  /// The last Host header that was accepted. A client repeats it in every request.
  private var acceptedHost: String?
  /// The DATE header of the current second.
  private var date = (second: -1, text: "")
  private let logger: Logger
  private let handler: Handler
  private var listener: (any Channel)?
  private var connections: [ObjectIdentifier: HTTPConnection] = [:]
  private var isStopping = false
  /// Whether there was a burst of connections since `onBurstEnded` was called.
  private var hadBurst = false
  private var burstEnd: Scheduled<Void>?
  /// Called after a burst of connections, so that the application can return fragmented heap to the system.
  var onBurstEnded: (() -> Void)?
  /// Adds an explanation to the refusal of a complete request, unless it has a body.
  var onRefusal: (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }
  /// Whether to accept a connection to this local address; the socket listens on all of them.
  var acceptsLocalAddress: (SocketAddress) -> Bool = { _ in true }

  /// - Parameter product: the SERVER header (UDA 1.1 §2.1): `OS/version UPnP/1.1 product/version`.
  init(
    eventLoop: any EventLoop, product: String, limits: HTTPLimits = HTTPLimits(), hostPolicy: HostPolicy = HostPolicy(),
    logger: Logger, handler: @escaping Handler
  ) {
    self.eventLoop = eventLoop
    answerFlush = AnswerFlush(eventLoop: eventLoop)
    self.product = product
    self.limits = limits
    self.hostPolicy = hostPolicy
    self.logger = logger
    self.handler = handler
  }

  /// Listens on all addresses.
  /// - Parameter port: 0 for any free port.
  /// - Returns: the port. Fails with an `IOError` if it is taken.
  func start(port: Int) -> EventLoopFuture<Int> {
    let any: SocketAddress
    do {
      // Not by name: without a network the resolver returns an IPv6 address, and all local addresses look foreign.
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
      // Bounds the work per read, so that a pipelining client cannot starve others.
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
  func stop() -> EventLoopFuture<Void> {
    isStopping = true
    for connection in connections.values { connection.close() }
    guard let listener else { return eventLoop.makeSucceededVoidFuture() }
    return listener.close().recover { _ in }
  }

  /// Sets up an accepted connection.
  /// - Throws: for a local address that is not accepted, or while stopping; the channel is then closed.
  func initialize(_ channel: any Channel) throws {
    guard !isStopping, let local = channel.localAddress, acceptsLocalAddress(local) else {
      throw ChannelError.inappropriateOperationForState
    }
    // The connection's machine limits the head, and distinguishes a long target from a long header. The parser's limits
    // are for the trailers of a chunked body.
    var parserLimits = NIOHTTPDecoderLimitConfiguration()
    parserLimits.maxHeaderListSize = limits.head + (1 << 16)
    parserLimits.maxHeaderFieldCount = limits.fields
    let decoder = HTTPRequestDecoder(limitConfiguration: parserLimits)
    let connection = HTTPConnection(server: self)
    try channel.pipeline.syncOperations.addHandlers([
      HTTPResponseEncoder(), connection.byteHandler, ByteToMessageHandler(decoder), connection,
    ])
  }

  func opened(_ connection: HTTPConnection) {
    if connections.count >= limits.connections { makeRoom() }
    connections[ObjectIdentifier(connection)] = connection
    hadBurst = hadBurst || connections.count > limits.connections / 8
  }

  func closed(_ connection: HTTPConnection) {
    connections[ObjectIdentifier(connection)] = nil
    guard hadBurst, burstEnd == nil, connections.count <= limits.connections / 16 else { return }
    burstEnd = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in self?.endBurst() }
  }

  private func endBurst() {
    burstEnd = nil
    hadBurst = false
    onBurstEnded?()
  }

  /// The number of open connections.
  var connectionCount: Int { connections.count }

  /// Closes the connection that has been idle for longest or, if all are busy, the one with the oldest request.
  private func makeRoom() {
    let idle = connections.values.filter { !$0.isBusy }
    // Streams are spared: their owner limits them.
    let candidates = idle.isEmpty ? connections.values.filter { !$0.isStreaming } : idle
    let oldest = candidates.min { $0.idleSince < $1.idleSince }
    oldest?.close()
    logger.debug("Closed a connection to stay within \(limits.connections)")
  }

  /// accept() failed for lack of descriptors or memory. The client stays in the backlog, so the loop would retry at
  /// once, forever.
  fileprivate func acceptFailed() {
    if connections.isEmpty {
      _ = listener?.setOption(.autoRead, value: false)
      eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in
        _ = self?.listener?.setOption(.autoRead, value: true)
      }
    }
    // More than the next client needs: other parts of the program need descriptors, too.
    for _ in 0..<8 { makeRoom() }
  }

  func answer(_ request: HTTPRequest) -> HTTPReply {
    let reply = checked(request)
    guard case .now(let response, nil) = reply, response.body.readableBytes == 0, response.status.code >= 400 else {
      return reply
    }
    return HTTPReply(onRefusal(request, response))
  }

  private func checked(_ request: HTTPRequest) -> HTTPReply {
    let isAbsolute = request.uri.utf8.first != UInt8(ascii: "/")
    let isKnown = !isAbsolute && acceptedHost != nil && request.headers.first(name: "host") == acceptedHost
    guard isKnown || HostPolicy.isComplete(request) else { return HTTPReply(HTTPResponse(.badRequest)) }
    let host = request.host
    let isChange = request.method != .GET && request.method != .HEAD
    guard isKnown || hostPolicy.allows(host: host) else {
      logger.info(
        """
        Refused a request from \(request.remote.addressAndPort) with the foreign Host header \(Self.quoted(host)). \
        The setting hosts allows further names.
        """)
      return HTTPReply(HTTPResponse(.forbidden))
    }
    let origin = request.headers.first(name: "origin")
    guard !isChange || hostPolicy.allows(origin: origin, host: host) else {
      logger.info(
        """
        Refused a request from \(request.remote.addressAndPort) with the foreign Origin header \(Self.quoted(origin)). \
        Only pages of this server may send it.
        """)
      return HTTPReply(HTTPResponse(.forbidden))
    }
    if !isKnown, !isAbsolute { acceptedHost = host }
    return handler(request)
  }

  /// The beginning of a header for the log, escaped.
  private static func quoted(_ value: String?) -> String {
    let scalars = (value ?? "").unicodeScalars.prefix(100)
    return "\"\(scalars.map { $0.escaped(asASCII: true) }.joined())\""
  }

  /// Adds DATE and SERVER.
  func complete(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    let second = time(nil)
    if date.second != second { date = (second, HTTPDate.text(secondsSinceEpoch: second)) }
    response.headers.add(name: "DATE", value: date.text)
    response.headers.add(name: "SERVER", value: product)
    return response
  }
}

/// Reports accept() failures caused by resource exhaustion.
private final class AcceptFailures: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private weak var server: HTTPServer?

  init(server: HTTPServer) { self.server = server }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      server?.acceptFailed()
    }
    context.fireErrorCaught(error)
  }
}

extension SocketAddress {
  /// `ADDRESS:PORT`. NIO's own description names the protocol and the address twice.
  fileprivate var addressAndPort: String {
    let address = ipAddress ?? "unknown"
    return "\(address.contains(":") ? "[\(address)]" : address):\(port ?? 0)"
  }
}
