import CLinux
import Glibc
import NIOCore
import NIOPosix
import Network

/// A received datagram.
struct Datagram {
  var bytes: ByteBuffer
  var sender: Endpoint
  /// When the kernel received it.
  var arrival: NIODeadline
}

/// A UDP socket that reads with NIO and sends itself. Used on its event loop only.
///
/// NIO closes a datagram channel on an unknown send error, which a missing route or a firewall can cause.
final class DatagramSocket {
  /// Bytes of the kernel's buffer: a second of high-resolution sound.
  private static let receiveBuffer: CInt = 1 << 20

  /// Where the socket is bound.
  let local: Endpoint?
  private let onDatagram: (Datagram) -> Void
  private let onLoss: () -> Void
  /// Our own descriptor, -1 if closed.
  private var descriptor: CInt
  private var channel: (any Channel)?

  /// - Parameters:
  ///   - socket: a bound socket. It is owned from now on.
  ///   - onLoss: called once if the socket fails.
  init(
    _ socket: CInt, eventLoop: any EventLoop, onDatagram: @escaping (Datagram) -> Void, onLoss: @escaping () -> Void
  ) {
    self.onDatagram = onDatagram
    self.onLoss = onLoss
    descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    local = Self.local(of: socket)
    var size = Self.receiveBuffer
    // The system may cap the size.
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    // Start to take receive times.
    var time = timespec()
    _ = swiftlet_receive_time(socket, &time)
    read(from: socket, on: eventLoop)
  }

  /// Sends one datagram without blocking. A datagram that cannot be sent counts as lost on the way.
  func send(_ bytes: ByteBuffer, to target: Endpoint) {
    guard descriptor >= 0 else { return }
    _ = try? MulticastSocket.send(bytes, from: descriptor, to: target.socketAddress)
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    channel?.close(promise: nil)
    channel = nil
  }

  private func read(from socket: CInt, on eventLoop: any EventLoop) {
    let handler = NIOLoopBound(DatagramHandler { [weak self] in self?.receive($0) }, eventLoop: eventLoop)
    DatagramBootstrap(group: eventLoop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65536))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
      }
      .withBoundSocket(socket).assumeIsolated().whenComplete { [weak self] result in
        switch result {
        case .success(let channel):
          guard let self, descriptor >= 0 else {
            channel.close(promise: nil)
            return
          }
          self.channel = channel
          channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.lose() }
        case .failure: self?.lose()
        }
      }
  }

  private func lose() {
    guard descriptor >= 0 else { return }
    close()
    onLoss()
  }

  private func receive(_ envelope: AddressedEnvelope<ByteBuffer>) {
    guard descriptor >= 0, let sender = Endpoint(envelope.remoteAddress) else { return }
    // NIO's buffer is much larger than the datagram, which may be held for a while.
    let bytes = ByteBuffer(bytes: envelope.data.readableBytesView)
    onDatagram(Datagram(bytes: bytes, sender: sender, arrival: arrival))
  }

  /// When the last datagram was received. NIO reads one at a time and hands it out at once, so it is the present one.
  private var arrival: NIODeadline {
    let now = NIODeadline.now()
    var received = timespec()
    guard swiftlet_receive_time(descriptor, &received) == 0 else { return now }
    var present = timespec()
    clock_gettime(CLOCK_REALTIME, &present)
    let age = (present.tv_sec - received.tv_sec) * 1_000_000_000 + present.tv_nsec - received.tv_nsec
    // The real-time clock may have been set.
    return (0...1_000_000_000).contains(age) ? now - .nanoseconds(Int64(age)) : now
  }

  private static func local(of socket: CInt) -> Endpoint? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    return result == 0 ? Endpoint(SocketAddress(address)) : nil
  }
}
