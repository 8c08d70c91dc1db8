import Glibc
import Logging
import NIOCore
import NIOPosix
import UPnP

/// The sockets of one interface: one that searches and receives the answers, one that hears announcements. Used on the
/// event loop only.
final class DiscoveryLink {
  /// Size of the kernel's receive buffer in bytes: hundreds of devices answer a search at once.
  private static let receiveBuffer = 4 << 20

  let interface: NetworkInterface

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let onDatagram: (ByteBuffer, SocketAddress) -> Void
  private let onLoss: () -> Void
  /// Our own descriptor of the searching socket, -1 if closed. NIO's channel only reads: it closes on a send error,
  /// which a missing route can cause.
  private var sender: CInt = -1
  private var channels: [any Channel] = []
  private var isClosed = false

  /// - Parameters:
  ///   - onDatagram: called with each datagram and its sender.
  ///   - onLoss: called once when a socket failed. The owner then makes another link.
  init(
    _ interface: NetworkInterface, eventLoop: any EventLoop, logger: Logger,
    onDatagram: @escaping (ByteBuffer, SocketAddress) -> Void, onLoss: @escaping () -> Void
  ) {
    self.interface = interface
    self.eventLoop = eventLoop
    self.logger = logger
    self.onDatagram = onDatagram
    self.onLoss = onLoss
  }

  /// - Throws: if a socket cannot be opened.
  func open() throws(IOError) {
    let socket = try MulticastSocket.openSender(interface, port: 0, ttl: 4)
    var size = CInt(Self.receiveBuffer)
    // The system may cap the size.
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    sender = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    guard sender >= 0 else {
      let error = IOError(errnoCode: errno, reason: "fcntl")
      Glibc.close(socket)
      throw error
    }
    receive(from: socket)
    receive(from: try MulticastSocket.openListener(interface, group: SSDPWriter.group, port: SSDPWriter.port))
  }

  /// Sends one datagram without blocking. Errors are only logged: searches are repeated.
  func send(_ text: String, to address: SocketAddress) {
    guard sender >= 0 else { return }
    do {
      try MulticastSocket.send(text, from: sender, to: address)
    } catch {
      logger.debug("Search on \(interface.name): \(error)")
    }
  }

  func close() {
    isClosed = true
    if sender >= 0 { Glibc.close(sender) }
    sender = -1
    for channel in channels { channel.close(promise: nil) }
    channels = []
  }

  /// The new channel owns the socket.
  private func receive(from socket: CInt) {
    let handler = NIOLoopBound(
      DatagramHandler { [weak self] in self?.onDatagram($0.data, $0.remoteAddress) }, eventLoop: eventLoop)
    DatagramBootstrap(group: eventLoop)
      .channelOption(.datagramVectorReadMessageCount, value: 32)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 * 4096))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
      }
      .withBoundSocket(socket).assumeIsolated().whenComplete { [weak self] result in
        switch result {
        case .success(let channel):
          guard let self, !isClosed else {
            channel.close(promise: nil)
            return
          }
          channels.append(channel)
          channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.lose() }
        case .failure: self?.lose()
        }
      }
  }

  private func lose() {
    guard !isClosed else { return }
    close()
    onLoss()
  }
}
