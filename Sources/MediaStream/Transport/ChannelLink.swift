import Glibc
import NIOCore
import NIOPosix
import PlaybackModel

enum ChannelLinks {
  /// Connects to the server of an address, with TLS if it is secure.
  /// - Parameter completion: called on the event loop.
  static func open(
    _ url: StreamURL, proxy: StreamURL?, timeout: Duration, on eventLoop: any EventLoop,
    _ completion: @escaping (Result<ChannelLink, StreamFailure>) -> Void
  ) {
    let opened =
      url.address.isSecure
      ? openSecure(url.address, proxy, TimeAmount(timeout), eventLoop)
      : openPlain(proxy?.address ?? url.address, TimeAmount(timeout), eventLoop)
    opened.assumeIsolated().whenComplete { result in
      completion(result.mapError { StreamFailure(connecting: $0) })
    }
  }

  private static func openPlain(
    _ server: HTTPAddress, _ timeout: TimeAmount, _ eventLoop: any EventLoop
  ) -> EventLoopFuture<ChannelLink> {
    let bootstrap = bootstrap(eventLoop)
      .connectTimeout(timeout)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(
        ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: TCP_WINDOW_CLAMP)),
        value: StreamBuffer.window)
    let connected: EventLoopFuture<any Channel>
    if let address = try? SocketAddress(ipAddress: server.host, port: server.port) {
      connected = bootstrap.connect(to: address)
    } else {
      let resolver = AddressResolver(eventLoop: eventLoop)
      connected = bootstrap.resolver(resolver).connect(host: server.host, port: server.port)
    }
    return connected.map { ChannelLink($0) }
  }

  private static func openSecure(
    _ server: HTTPAddress, _ proxy: StreamURL?, _ timeout: TimeAmount, _ eventLoop: any EventLoop
  ) -> EventLoopFuture<ChannelLink> {
    let server = TLSTunnel.Server(
      host: server.host, port: UInt16(clamping: server.port), name: server.host, proxy: proxy?.textWithUserInfo)
    return TLSTunnel.open(to: server, timeout: timeout, on: eventLoop).flatMap { tunnel in
      bootstrap(eventLoop).withConnectedSocket(tunnel.descriptor).map { ChannelLink($0, tunnel: tunnel) }
    }
  }

  private static func bootstrap(_ eventLoop: any EventLoop) -> ClientBootstrap {
    ClientBootstrap(group: eventLoop)
      .channelOption(.autoRead, value: false)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: StreamConnection.readSize))
  }
}

/// A connection that moves the bytes of one exchange. Used on its event loop, except for `init`.
final class ChannelLink: Sendable {
  private let channel: any Channel
  private let tunnel: TLSTunnel?

  init(_ channel: any Channel, tunnel: TLSTunnel? = nil) {
    self.channel = channel
    self.tunnel = tunnel
  }

  /// Sends the request. Events go to the receiver.
  func start(_ receiver: Receiver, sending text: String) {
    do {
      try channel.pipeline.syncOperations.addHandler(LinkHandler(receiver, tunnel))
      channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    } catch {
      channel.close(promise: nil)
      receiver.ended(isClean: false)
    }
  }

  /// Requests more bytes: the receiver is called once.
  func read() { channel.read() }

  func close() {
    channel.close(promise: nil)
    tunnel?.cancel()
  }
}

private final class LinkHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let receiver: Receiver
  private let tunnel: TLSTunnel?
  private var hasFailed = false

  init(_ receiver: Receiver, _ tunnel: TLSTunnel?) {
    self.receiver = receiver
    self.tunnel = tunnel
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    receiver.received(unwrapInboundIn(data))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hasFailed = true
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    receiver.ended(isClean: !hasFailed && tunnel?.isBroken != true)
  }
}

extension StreamFailure {
  /// Converts an error of `ClientBootstrap.connect`.
  init(connecting error: any Error) {
    switch error {
    case let error as StreamFailure: self = error
    case let error as NIOConnectionError:
      let failures = error.connectionErrors.map { StreamFailure(connecting: $0.error) }
      // If the addresses fail differently, a refusal is more telling than an unreachable host.
      let reasons: [StreamFailure] = [.refused, .timedOut, .unreachable]
      self = reasons.first { failures.contains($0) } ?? (error.dnsAError == nil ? .timedOut : .unknownHost)
    case is AddressResolver.UnknownHost: self = .unknownHost
    case let error as IOError where error.errnoCode == ECONNREFUSED: self = .refused
    case let error as IOError where error.errnoCode == ETIMEDOUT: self = .timedOut
    case ChannelError.connectTimeout: self = .timedOut
    default: self = .unreachable
    }
  }
}
