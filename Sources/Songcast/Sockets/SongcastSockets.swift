import Glibc
import NIOCore
import Network

/// The sockets of a group on all interfaces: one that receives and one that sends on each. Used on its event loop only.
final class GroupSockets {
  private let group: Endpoint
  private let ttl: UInt8
  private let eventLoop: any EventLoop
  private let onDatagram: (Datagram) -> Void
  private let onLoss: () -> Void
  private var sockets: [NetworkInterface.ID: (listener: DatagramSocket, sender: DatagramSocket)] = [:]

  /// - Parameters:
  ///   - onDatagram: called with all that others send.
  ///   - onLoss: called when a socket has failed. `use` opens it again.
  init(
    _ group: Endpoint, ttl: UInt8, eventLoop: any EventLoop, onDatagram: @escaping (Datagram) -> Void,
    onLoss: @escaping () -> Void
  ) {
    self.group = group
    self.ttl = ttl
    self.eventLoop = eventLoop
    self.onDatagram = onDatagram
    self.onLoss = onLoss
  }

  /// The addresses and ports that are sent from.
  var locals: [Endpoint] { sockets.values.compactMap(\.sender.local) }

  /// Opens sockets on new interfaces, and closes those of interfaces that are gone.
  /// - Returns: whether there are sockets on all of them.
  @discardableResult
  func use(_ interfaces: [NetworkInterface]) -> Bool {
    let ids = Set(interfaces.map(\.id))
    for (id, pair) in sockets where !ids.contains(id) {
      pair.listener.close()
      pair.sender.close()
      sockets[id] = nil
    }
    for interface in interfaces where sockets[interface.id] == nil { open(interface) }
    return sockets.count == ids.count
  }

  func send(_ bytes: ByteBuffer) {
    for pair in sockets.values { pair.sender.send(bytes, to: group) }
  }

  func close() { use([]) }

  private func open(_ interface: NetworkInterface) {
    guard let sender = try? MulticastSocket.openSender(interface, port: 0, ttl: ttl) else { return }
    guard
      let listener = try? MulticastSocket.openListener(
        interface, group: group.address.description, port: Int(group.port))
    else {
      Glibc.close(sender)
      return
    }
    sockets[interface.id] = (make(listener, interface.id), make(sender, interface.id))
  }

  private func make(_ socket: CInt, _ id: NetworkInterface.ID) -> DatagramSocket {
    DatagramSocket(
      socket, eventLoop: eventLoop, onDatagram: { [weak self] in self?.receive($0) },
      onLoss: { [weak self] in self?.lose(id) })
  }

  private func receive(_ datagram: Datagram) {
    // The sockets hear each other.
    if !sockets.values.contains(where: { $0.sender.local == datagram.sender }) { onDatagram(datagram) }
  }

  private func lose(_ id: NetworkInterface.ID) {
    guard let pair = sockets.removeValue(forKey: id) else { return }
    pair.listener.close()
    pair.sender.close()
    onLoss()
  }
}

/// The sockets of one stream.
enum StreamSockets {
  /// Hops of a group's datagrams.
  private static let ttl: UInt8 = 2

  case unicast(DatagramSocket)
  case group(GroupSockets)

  /// Opens the sockets of a stream.
  /// - Parameters:
  ///   - group: nil for unicast.
  ///   - port: of a unicast stream, if it is free; 0 for any.
  ///   - onDatagram: called with all that others send.
  ///   - onLoss: called when a socket has failed.
  /// - Returns: nil if the socket of a unicast stream cannot be opened.
  static func open(
    _ group: Endpoint?, port: UInt16, on interfaces: [NetworkInterface], eventLoop: any EventLoop,
    onDatagram: @escaping (Datagram) -> Void, onLoss: @escaping () -> Void
  ) -> StreamSockets? {
    guard let group else {
      guard let socket = (try? openUnicast(port: port)) ?? (try? openUnicast()) else { return nil }
      return .unicast(DatagramSocket(socket, eventLoop: eventLoop, onDatagram: onDatagram, onLoss: onLoss))
    }
    let sockets = GroupSockets(group, ttl: ttl, eventLoop: eventLoop, onDatagram: onDatagram, onLoss: onLoss)
    sockets.use(interfaces)
    return .group(sockets)
  }

  /// Opens the socket of a unicast stream.
  /// - Parameter port: 0 for any.
  static func openUnicast(port: UInt16 = 0) throws(IOError) -> CInt {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(AF_INET, type, 0)
    guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    let address = IPAddress(bits: 0).socketAddress(port: port)
    let result = address.withSockAddr { bind(socket, $0, socklen_t($1)) }
    guard result == 0 else {
      let error = IOError(errnoCode: errno, reason: "bind \(port)")
      Glibc.close(socket)
      throw error
    }
    return socket
  }

  /// Where the stream's receiver or sender sends from.
  var local: Endpoint? {
    switch self {
    case .unicast(let socket): socket.local
    case .group(let sockets): sockets.locals.first
    }
  }

  /// Sends to one receiver or sender, or to the group, which is the only target of a group's sockets.
  func send(_ bytes: ByteBuffer, to target: Endpoint) {
    switch self {
    case .unicast(let socket): socket.send(bytes, to: target)
    case .group(let sockets): sockets.send(bytes)
    }
  }

  func close() {
    switch self {
    case .unicast(let socket): socket.close()
    case .group(let sockets): sockets.close()
    }
  }
}
