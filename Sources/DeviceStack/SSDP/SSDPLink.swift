import Glibc
import Logging
import NIOCore
import NIOPosix
import UPnP

/// The SSDP sockets of one interface. Used on the event loop only.
final class SSDPLink {
  /// A received datagram.
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
  /// Our own descriptor of the sending socket, -1 if closed. The channels only read: NIO closes a datagram channel on
  /// an unknown send error, which a missing route or a firewall can cause.
  private var sender: CInt = -1
  /// Our own descriptor of the multicast socket, for joining the group again; -1 if closed.
  private var listener: CInt = -1
  private var channels: [SearchRequest.Delivery: any Channel] = [:]
  private var isClosed = false
  private var lastError: IOError?

  /// - Parameter onLoss: called when a socket fails. The owner then calls `open` again.
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

  /// Opens the sockets that are not open.
  /// - Returns: whether both sockets are open now. If not, try again later.
  func open(ttl: UInt8) -> Bool {
    guard !isClosed else { return true }
    if channels[.unicast] == nil { openSender(ttl: ttl) }
    if channels[.multicast] == nil { openListener() }
    return channels.count == 2
  }

  private func openSender(ttl: UInt8) {
    do throws(IOError) {
      let socket = try MulticastSocket.openSender(interface, port: SSDPWriter.port, ttl: ttl)
      Self.close(&sender)
      sender = Self.duplicate(socket)
      listen(socket, .unicast)
    } catch {
      report(error)
      // Another program holds port 1900 without sharing it. Announcements can leave from any port.
      if sender < 0 { sender = (try? MulticastSocket.openSender(interface, port: 0, ttl: ttl)) ?? -1 }
    }
  }

  private func openListener() {
    do throws(IOError) {
      let socket = try MulticastSocket.openListener(interface, group: SSDPWriter.group, port: SSDPWriter.port)
      Self.close(&listener)
      listener = Self.duplicate(socket)
      listen(socket, .multicast)
    } catch {
      report(error)
    }
  }

  /// Sends a datagram without blocking. Errors are only logged: announcements are repeated anyway.
  func send(_ text: String, to address: SocketAddress) {
    do {
      try MulticastSocket.send(text, from: sender, to: address)
    } catch {
      logger.debug("SSDP on \(interface.name): \(error)")
    }
  }

  /// Leaves the multicast group and joins it again.
  func rejoin() {
    guard listener >= 0 else { return }
    do {
      try MulticastSocket.rejoin(listener, interface, group: SSDPWriter.group)
    } catch {
      // Closing makes the owner reopen the socket, which joins the group.
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

  /// Reads from a socket. The new channel owns it.
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

  /// Logs an error once, not at every attempt.
  private func report(_ error: IOError) {
    guard error.errnoCode != lastError?.errnoCode else { return }
    lastError = error
    logger.warning("SSDP on \(interface.name) cannot receive searches: \(error)")
  }
}
