import CLinux
import Glibc
import Logging
import NIOCore
import NIOPosix

/// Tells which network interfaces are in use and what changes, as the kernel tells it by netlink.
///
/// Lives on its event loop, and is to be called there only.
package final class InterfaceMonitor {
  /// How long until a netlink socket that broke is opened again; it breaks when messages were lost. Twice as long each
  /// time that did not help.
  private static let shortestDelay = TimeAmount.milliseconds(100)
  private static let longestDelay = TimeAmount.seconds(30)

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let onChange: (InterfaceChange) -> Void
  private var reconciler: InterfaceReconciler
  private var channel: (any Channel)?
  private var delay = InterfaceMonitor.shortestDelay
  private var isStopped = false

  /// - Parameter onChange: called for every change, on the event loop; the interfaces that are there at the start appear.
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

  /// Begins to listen. The interfaces that are there now are told soon after.
  /// - Throws: if there is no netlink socket to be had: without one nothing can be known.
  package func start() throws(IOError) {
    let socket = try Self.openSocket()
    let handler = NIOLoopBound(
      NetlinkHandler { [weak self] in self?.receive(NetlinkMessage.read($0)) }, eventLoop: eventLoop)
    let bootstrap = NIOPipeBootstrap(group: eventLoop)
      // The kernel fills up to 32 KiB at once and cuts what does not fit.
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32768))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
      }
    bootstrap.takingOwnershipOfDescriptor(inputOutput: socket).assumeIsolated().whenComplete { [weak self] in
      self?.open($0)
    }
  }

  /// Ends it; nothing is told any more.
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

  /// After an error on the socket, such as ENOBUFS when the kernel had more to say than it could hold.
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
    if reconciler.isComplete { delay = Self.shortestDelay }
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

  /// Opens a netlink socket subscribed to links and IPv4 addresses.
  private static func openSocket() throws(IOError) -> CInt {
    let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(AF_NETLINK, type, NETLINK_ROUTE)
    guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket(AF_NETLINK)") }
    // Port 0: the kernel chooses one.
    let address = sockaddr_nl(
      nl_family: UInt16(AF_NETLINK), nl_pad: 0, nl_pid: 0, nl_groups: UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR))
    let result = withUnsafeBytes(of: address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { bind(socket, $0.baseAddress, socklen_t(bytes.count)) }
    }
    guard result == 0 else {
      let error = IOError(errnoCode: errno, reason: "bind(AF_NETLINK)")
      close(socket)
      throw error
    }
    return socket
  }
}

/// The end of the netlink channel: each read is one datagram.
private final class NetlinkHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let onRead: (ByteBuffer) -> Void

  init(onRead: @escaping (ByteBuffer) -> Void) {
    self.onRead = onRead
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { onRead(unwrapInboundIn(data)) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
