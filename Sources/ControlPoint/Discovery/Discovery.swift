import Logging
import NIOCore
import NIOPosix
import UPnP

/// Finds devices on all interfaces: searches, hears announcements, and keeps the table. Used on the event loop only.
final class Discovery {
  /// Delays after which a search is repeated, since datagrams get lost (UDA 1.1 §1.3.2).
  private static let repetitions: [TimeAmount] = [.milliseconds(300), .milliseconds(1200)]
  /// Interval of further searches while each one finds more devices, because many answers get lost on a large network. A
  /// little longer than devices take to answer.
  private static let furtherInterval = TimeAmount.milliseconds(1300)
  private static let maximumFurther = 10
  /// MX in seconds: devices spread their answers over this time, so that they do not collide.
  private static let maximumWait = 1
  /// Interval between repeated searches, for devices whose announcements are lost.
  private static let searchInterval = TimeAmount.minutes(10)
  private static let reopenDelay = TimeAmount.seconds(2)
  private static let inventoryTimeout = TimeAmount.seconds(2)
  /// Minimum pause between checks for expired devices. Each check scans the whole table.
  private static let expiryInterval = TimeAmount.seconds(1)

  private let eventLoop: any EventLoop
  private let policy: AddressPolicy
  private let product: String
  private let logger: Logger
  private var monitor: InterfaceMonitor?
  private let interfaces: InterfacePolicy
  private var links: [NetworkInterface: DiscoveryLink] = [:]
  private var table: DeviceTable
  private var listeners: [Int: (target: SearchTarget, sink: DeviceChanges.Sink)] = [:]
  private var lastListener = 0
  private var expiry: (at: NIODeadline, task: Scheduled<Void>)?
  private var isStopped = false
  /// Called with each change of any device.
  var onDeviceChange: ((DeviceTable.Change) -> Void)?
  var onInterfaceChange: (() -> Void)?

  init(
    eventLoop: any EventLoop, interfaces: InterfacePolicy, policy: AddressPolicy, product: String,
    maximumDevices: Int, logger: Logger
  ) {
    table = DeviceTable(limits: .init(devices: maximumDevices))
    self.eventLoop = eventLoop
    self.interfaces = interfaces
    self.policy = policy
    self.product = product
    self.logger = logger
  }

  /// The networks that this machine is on.
  var networks: [CIDR] { links.keys.compactMap(\.network) }

  /// Starts to watch the interfaces.
  /// - Returns: completes when the sockets of the existing interfaces are open, or after two seconds.
  func start() throws(IOError) -> EventLoopFuture<Void> {
    let monitor = InterfaceMonitor(eventLoop: eventLoop, policy: interfaces, logger: logger) { [weak self] change in
      self?.interfaceChanged(change)
    }
    self.monitor = monitor
    let isReady = eventLoop.makePromise(of: Void.self)
    monitor.onInventory = { isReady.succeed() }
    eventLoop.scheduleTask(in: Self.inventoryTimeout) { isReady.succeed() }
    do {
      try monitor.start()
    } catch {
      isReady.succeed()
      throw error
    }
    searchLater()
    return isReady.futureResult
  }

  func stop() {
    isStopped = true
    monitor?.stop()
    monitor = nil
    expiry?.task.cancel()
    for link in links.values { link.close() }
    links = [:]
    for listener in listeners.values { listener.sink.finish() }
    listeners = [:]
  }

  /// Reports the known devices, then all changes, and searches for the target. Ends the sequence after `stop`.
  /// - Returns: a number for `remove`.
  func add(_ target: SearchTarget, _ sink: DeviceChanges.Sink) -> Int {
    sink.send(table.devices.map { .seen($0) })
    lastListener += 1
    guard !isStopped else {
      sink.finish()
      return lastListener
    }
    listeners[lastListener] = (target, sink)
    search(for: target)
    return lastListener
  }

  func remove(_ listener: Int) { listeners[listener] = nil }

  // MARK: Searches

  private func search(for target: SearchTarget) {
    sendSearch(target, on: Array(links.values))
    for delay in Self.repetitions { later(delay) { $0.sendSearch(target, on: Array($0.links.values)) } }
    later(Self.repetitions.last ?? .zero) { $0.searchFurther(for: target, Self.maximumFurther) }
  }

  private func searchFurther(for target: SearchTarget, _ count: Int) {
    let before = table.devices.count
    later(Self.furtherInterval) { discovery in
      guard count > 0, discovery.table.devices.count > before else { return }
      discovery.sendSearch(target, on: Array(discovery.links.values))
      discovery.searchFurther(for: target, count - 1)
    }
  }

  private func searchLater() {
    later(Self.searchInterval) { discovery in
      for target in discovery.targets { discovery.search(for: target) }
      discovery.searchLater()
    }
  }

  private var targets: Set<SearchTarget> { Set(listeners.values.map(\.target)) }

  private func sendSearch(_ target: SearchTarget, on links: [DiscoveryLink]) {
    guard let group = IPAddress(SSDPWriter.group) else { return }
    for link in links { link.send(message(target, to: group), to: group.socketAddress(port: UInt16(SSDPWriter.port))) }
  }

  /// Asks one host, which answers at once (UDA 1.1 §1.3.2). Devices of UPnP 1.0 need not answer.
  func search(for target: SearchTarget, at host: IPAddress) {
    for delay in [.zero] + Self.repetitions {
      later(delay) { discovery in
        for link in discovery.links.values {
          link.send(discovery.message(target, to: host), to: host.socketAddress(port: UInt16(SSDPWriter.port)))
        }
      }
    }
  }

  private func message(_ target: SearchTarget, to host: IPAddress) -> String {
    """
    M-SEARCH * HTTP/1.1\r
    HOST: \(host):\(SSDPWriter.port)\r
    MAN: "ssdp:discover"\r
    MX: \(Self.maximumWait)\r
    ST: \(target.text)\r
    USER-AGENT: \(product)\r
    \r

    """
  }

  // MARK: Interfaces and datagrams

  private func interfaceChanged(_ change: InterfaceChange) {
    defer { onInterfaceChange?() }
    switch change {
    case .appeared(let interface): open(interface)
    case .vanished(let interface, _):
      links.removeValue(forKey: interface)?.close()
      let networks = networks
      perform(
        table.remove { url in
          // A host that the caller allows explicitly may be behind any interface.
          guard let address = url.address else { return true }
          return interface.network?.contains(address) == true && !networks.contains { $0.contains(address) }
        })
    }
  }

  private func open(_ interface: NetworkInterface) {
    guard !isStopped else { return }
    let link = DiscoveryLink(
      interface, eventLoop: eventLoop, logger: logger,
      onDatagram: { [weak self] in self?.receive($0, from: $1) },
      onLoss: { [weak self] in self?.reopen(interface) })
    // Stored first: a socket may fail at once, and `onLoss` then removes the link.
    links[interface] = link
    do {
      try link.open()
    } catch {
      link.close()
      logger.warning("Cannot search on \(interface.name): \(error)")
      reopen(interface)
      return
    }
    for target in targets {
      sendSearch(target, on: [link])
      for delay in Self.repetitions { later(delay) { $0.sendSearch(target, on: [link]) } }
    }
  }

  private func reopen(_ interface: NetworkInterface) {
    links[interface] = nil
    later(Self.reopenDelay) { discovery in
      guard discovery.monitor?.current.contains(interface) == true, discovery.links[interface] == nil else { return }
      discovery.open(interface)
    }
  }

  private func receive(_ datagram: ByteBuffer, from sender: SocketAddress) {
    guard let message = SSDPMessage(datagram.readableBytesView), var notice = SSDPNotice(message) else { return }
    if let location = notice.location, !policy.allows(location, networks: networks) {
      logger.debug("\(notice.udn) at \(sender) has a LOCATION on another network: \(location)")
      notice.location = nil
    }
    let now = NIODeadline.now()
    perform(table.receive(notice, at: now))
    if notice.location != nil { arm(at: now + notice.maxAge) }
  }

  private func perform(_ changes: [DeviceTable.Change]) {
    guard !changes.isEmpty else { return }
    if let onDeviceChange { changes.forEach(onDeviceChange) }
    for listener in listeners.values { listener.sink.send(changes) }
  }

  /// Schedules the check for expired devices at the deadline, but at least a second from now. An earlier check stays.
  private func arm(at deadline: NIODeadline) {
    let deadline = max(deadline, NIODeadline.now() + Self.expiryInterval)
    guard !isStopped, expiry.map({ deadline < $0.at }) ?? true else { return }
    expiry?.task.cancel()
    let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      guard let self else { return }
      expiry = nil
      perform(table.expire(at: .now()))
      if let next = table.deadline { arm(at: next) }
    }
    expiry = (deadline, task)
  }

  private func later(_ delay: TimeAmount, _ body: @escaping (Discovery) -> Void) {
    eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
      guard let self, !isStopped else { return }
      body(self)
    }
  }
}
