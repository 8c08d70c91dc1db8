import CLinux
import Glibc
import Logging
import NIOCore
import NIOPosix

/// Watches the network interfaces through netlink and reports those in use.
///
/// Used on its event loop only.
package final class InterfaceMonitor {
  /// Delay before a failed netlink socket is reopened; doubled after each failure. Sockets fail when messages are lost.
  private static let shortestDelay = TimeAmount.milliseconds(100)
  private static let longestDelay = TimeAmount.seconds(30)

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let onChange: (InterfaceChange) -> Void
  private var reconciler: InterfaceReconciler
  private var channel: (any Channel)?
  private var delay = InterfaceMonitor.shortestDelay
  private var isStopped = false

  /// Called once, when all interfaces that exist at the start have been reported.
  package var onInventory: (() -> Void)?

  /// - Parameter onChange: called on the event loop for every change, and for every interface that exists at the start.
  package init(
    eventLoop: any EventLoop, policy: InterfacePolicy, logger: Logger, onChange: @escaping (InterfaceChange) -> Void
  ) {
    self.eventLoop = eventLoop
    self.logger = logger
    self.onChange = onChange
    reconciler = InterfaceReconciler(policy: policy)
  }

  /// The interfaces in use, in the order of their indices.
  package var current: [NetworkInterface] { reconciler.current }

  /// Opens the netlink socket. The existing interfaces are reported soon after.
  /// - Throws: if the socket cannot be opened.
  package func start() throws(IOError) {
    let socket = try NetlinkSocket.open(groups: RTMGRP_LINK | RTMGRP_IPV4_IFADDR)
    let handler = NIOLoopBound(
      NetlinkHandler { [weak self] in self?.receive(NetlinkMessage.read($0)) }, eventLoop: eventLoop)
    let bootstrap = NIOPipeBootstrap(group: eventLoop)
      // The kernel writes up to 32 KiB at once and truncates longer messages.
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32768))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
      }
    bootstrap.takingOwnershipOfDescriptor(inputOutput: socket).assumeIsolated().whenComplete { [weak self] in
      self?.open($0)
    }
  }

  /// Closes the socket. Later changes are not reported.
  package func stop() {
    isStopped = true
    channel?.close(promise: nil)
    channel = nil
  }

  private func open(_ result: Result<any Channel, any Error>) {
    switch result {
    case .success(let channel) where isStopped: channel.close(promise: nil)
    case .success(let channel):
      self.channel = channel
      channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.restart() }
      perform(reconciler.resync())
    case .failure(let error):
      logger.warning("netlink: \(error)")
      restart()
    }
  }

  /// Reopens the socket after an error, such as ENOBUFS when the kernel's buffer overflowed.
  private func restart() {
    channel = nil
    guard !isStopped else { return }
    eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
      guard let self, !isStopped else { return }
      delay = min(delay * 2, Self.longestDelay)
      do throws(IOError) {
        try start()
      } catch {
        logger.warning("netlink: \(error)")
        restart()
      }
    }
  }

  private func receive(_ messages: [NetlinkMessage]) {
    perform(reconciler.receive(messages))
    guard reconciler.isComplete else { return }
    delay = Self.shortestDelay
    onInventory?()
    onInventory = nil
  }

  private func perform(_ actions: [InterfaceReconciler.Action]) {
    for action in actions {
      switch action {
      case .request(let request): channel?.writeAndFlush(request.bytes, promise: nil)
      case .change(let change):
        guard !isStopped else { return }
        report(change)
        onChange(change)
      case .reopen: channel?.close(promise: nil)
      }
    }
  }

  private func report(_ change: InterfaceChange) {
    switch change {
    case .appeared(let interface): logger.info("\(interface.name) is up with \(interface.address)")
    case .vanished(let interface, _): logger.info("\(interface.name) with \(interface.address) is gone")
    }
  }

}

/// Last handler of the netlink channel. Each read is one datagram.
private final class NetlinkHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let onRead: (ByteBuffer) -> Void

  init(onRead: @escaping (ByteBuffer) -> Void) {
    self.onRead = onRead
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { onRead(unwrapInboundIn(data)) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension InterfaceMonitor {
  /// Whether an interface in use has this address.
  package func isInUse(_ address: SocketAddress) -> Bool {
    current.contains { $0.address == address.ipAddress }
  }

  /// The prefix length of a local address's subnet; nil if no interface in use has the address.
  package func prefixLength(of address: IPAddress) -> Int? {
    current.first { IPAddress($0.address) == address }?.prefixLength
  }
}
