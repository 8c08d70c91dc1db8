import Glibc
import Logging
import NIOCore
import NIOPosix

/// The sockets of one interface: sends what it is given and hands on what it hears. Lives on the event loop.
final class SSDPLink {
  /// A datagram that came in.
  struct Datagram {
    var bytes: ByteBuffer
    var sender: SocketAddress
    var delivery: SearchRequest.Delivery
  }

  let interface: NetworkInterface

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let onDatagram: (Datagram) -> Void
  private let onLoss: () -> Void
  /// Our own descriptor of the socket that sends. NIO closes a datagram channel at the first error in sending that it
  /// does not know, and a route that is not there yet or a firewall is reason enough; so the channels only read.
  private var sender: CInt = -1
  /// The same of the one that hears multicasts, to join the group again.
  private var listener: CInt = -1
  private var channels: [SearchRequest.Delivery: any Channel] = [:]
  private var isClosed = false
  private var lastError: IOError?

  /// - Parameter onLoss: called when a socket breaks, which is then to be opened again.
  init(
    _ interface: NetworkInterface, eventLoop: any EventLoop, logger: Logger,
    onDatagram: @escaping (Datagram) -> Void, onLoss: @escaping () -> Void
  ) {
    self.interface = interface
    self.eventLoop = eventLoop
    self.logger = logger
    self.onDatagram = onDatagram
    self.onLoss = onLoss
  }

  /// Opens what is not open, or not any more.
  /// - Returns: whether all of it is open now; if not, it is to be tried again some time.
  func open(ttl: UInt8) -> Bool {
    guard !isClosed else { return true }
    if channels[.unicast] == nil { openSender(ttl: ttl) }
    if channels[.multicast] == nil { openListener() }
    return channels.count == 2
  }

  private func openSender(ttl: UInt8) {
    do throws(IOError) {
      let socket = try SSDPSocket.openSender(interface, port: SSDPWriter.port, ttl: ttl)
      Self.close(&sender)
      sender = Self.duplicate(socket)
      listen(socket, .unicast)
    } catch {
      report(error)
      // Somebody keeps port 1900 to himself. What we announce needs no port of its own.
      if sender < 0 { sender = (try? SSDPSocket.openSender(interface, port: 0, ttl: ttl)) ?? -1 }
    }
  }

  private func openListener() {
    do throws(IOError) {
      let socket = try SSDPSocket.openListener(interface)
      Self.close(&listener)
      listener = Self.duplicate(socket)
      listen(socket, .multicast)
    } catch {
      report(error)
    }
  }

  /// Sends a datagram if that is possible now; one that is lost comes again with the next round.
  func send(_ text: String, to address: SocketAddress) {
    do {
      try SSDPSocket.send(text, from: sender, to: address)
    } catch {
      logger.debug("SSDP on \(interface.name): \(error)")
    }
  }

  /// Joins the group again.
  func rejoin() {
    guard listener >= 0 else { return }
    do {
      try SSDPSocket.rejoin(listener, interface)
    } catch {
      // Opened again, it joins.
      channels[.multicast]?.close(promise: nil)
    }
  }

  func close() {
    isClosed = true
    Self.close(&sender)
    Self.close(&listener)
    for channel in channels.values { channel.close(promise: nil) }
    channels = [:]
  }

  private static func duplicate(_ descriptor: CInt) -> CInt { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  private static func close(_ descriptor: inout CInt) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  /// Reads a socket, which belongs to the channel then.
  private func listen(_ socket: CInt, _ delivery: SearchRequest.Delivery) {
    let handler = NIOLoopBound(
      DatagramHandler { [weak self] in
        self?.onDatagram(Datagram(bytes: $0.data, sender: $0.remoteAddress, delivery: delivery))
      }, eventLoop: eventLoop)
    let bootstrap = DatagramBootstrap(group: eventLoop).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
    }
    bootstrap.withBoundSocket(socket).assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let channel) where isClosed: channel.close(promise: nil)
      case .success(let channel):
        channels[delivery] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in
          guard let self, !isClosed else { return }
          channels[delivery] = nil
          onLoss()
        }
      case .failure(let error): logger.warning("SSDP on \(interface.name): \(error)")
      }
    }
  }

  /// Says once what is wrong, not at every attempt.
  private func report(_ error: IOError) {
    guard error.errnoCode != lastError?.errnoCode else { return }
    lastError = error
    logger.warning("SSDP on \(interface.name) cannot hear searches: \(error)")
  }
}

/// The end of a datagram channel.
private final class DatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let onRead: (AddressedEnvelope<ByteBuffer>) -> Void

  init(onRead: @escaping (AddressedEnvelope<ByteBuffer>) -> Void) {
    self.onRead = onRead
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { onRead(unwrapInboundIn(data)) }
}
