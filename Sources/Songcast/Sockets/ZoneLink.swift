import NIOCore
import Network

/// The zone group, which the sender and the receiver of this speaker share. Used on its event loop only.
package final class ZoneLink {
  static let ttl: UInt8 = 1

  /// The interfaces in use, for all that Songcast opens.
  private(set) var interfaces: [NetworkInterface] = []
  private var sockets: GroupSockets?
  private let eventLoop: any EventLoop
  private var observers: [(message: (OHZMessage) -> Void, network: ([CIDR]) -> Void)] = []
  private var retry: Scheduled<Void>?

  package init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  var networks: [CIDR] { interfaces.compactMap(\.network) }

  /// An interface appeared or vanished, as `InterfaceMonitor` reports it.
  package func use(_ change: InterfaceChange) {
    switch change {
    case .appeared(let interface):
      interfaces.removeAll { $0.id == interface.id }
      interfaces.append(interface)
    case .vanished(let interface, _): interfaces.removeAll { $0.id == interface.id }
    }
    open()
    for observer in observers { observer.network(networks) }
  }

  /// - Parameters:
  ///   - onMessage: called with the messages of others.
  ///   - onNetwork: called when interfaces have changed, with this machine's addresses.
  func observe(onMessage: @escaping (OHZMessage) -> Void, onNetwork: @escaping ([CIDR]) -> Void) {
    observers.append((onMessage, onNetwork))
  }

  func send(_ message: OHZMessage) { sockets?.send(message.encoded()) }

  package func close() {
    retry?.cancel()
    sockets?.close()
    sockets = nil
    interfaces = []
    observers = []
  }

  private func open() {
    let sockets =
      self.sockets
      ?? GroupSockets(
        SongcastURI.zones, ttl: Self.ttl, eventLoop: eventLoop,
        onDatagram: { [weak self] in self?.receive($0.bytes) }, onLoss: { [weak self] in self?.openLater() })
    self.sockets = sockets
    if !sockets.use(interfaces) { openLater() }
  }

  private func openLater() {
    retry?.cancel()
    retry = eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { [weak self] in self?.open() }
  }

  private func receive(_ bytes: ByteBuffer) {
    guard let message = try? OHZMessage(bytes) else { return }
    for observer in observers { observer.message(message) }
  }
}
