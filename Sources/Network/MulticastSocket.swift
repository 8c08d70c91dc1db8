import Glibc
import NIOCore

/// Opens the two sockets of a multicast protocol on an interface and sends from them.
///
/// The listener is bound to the multicast group and receives its multicasts on that interface. The sender is bound to
/// the interface's address, receives unicasts and sends everything. Both share their port with other programs. The kernel
/// delivers a unicast datagram to the most specifically bound socket, so another program's wildcard socket does not take
/// ours.
package enum MulticastSocket {
  /// IP_MULTICAST_ALL, which the Glibc module does not export.
  private static let multicastAll: CInt = 49

  /// Opens the socket that receives the multicasts of a group on one interface.
  package static func openListener(_ interface: NetworkInterface, group: String, port: Int) throws(IOError) -> CInt {
    try open { (socket) throws(IOError) in
      // Otherwise it also receives groups that others joined on other interfaces (ip(7)).
      try set(socket, IPPROTO_IP, multicastAll, CInt(0))
      // Since Linux 6.7 a multicast may go to any socket in a SO_REUSEPORT group, member of the multicast group or not.
      // Sockets bound to different devices are in different groups. Before 5.7 this needs CAP_NET_RAW.
      bindToDevice(socket, interface.name)
      try bind(socket, group, port: port)
      try set(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, request(interface, group: group))
    }
  }

  /// Leaves the group and joins it again. Only a new membership makes the kernel send an IGMP report.
  package static func rejoin(_ socket: CInt, _ interface: NetworkInterface, group: String) throws(IOError) {
    let request = request(interface, group: group)
    try set(socket, IPPROTO_IP, IP_DROP_MEMBERSHIP, request)
    try set(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, request)
  }

  /// Opens the socket that sends and receives unicasts.
  /// - Parameter port: 0 for any, such as when another program does not share the protocol's port. Unicasts to that port
  ///   reach that program then.
  package static func openSender(_ interface: NetworkInterface, port: Int, ttl: UInt8) throws(IOError) -> CInt {
    try open { (socket) throws(IOError) in
      try set(socket, IPPROTO_IP, IP_MULTICAST_IF, request(interface, group: "0.0.0.0"))
      try set(socket, IPPROTO_IP, IP_MULTICAST_TTL, CInt(ttl))
      // Programs on this machine receive the multicasts, too.
      try set(socket, IPPROTO_IP, IP_MULTICAST_LOOP, CInt(1))
      try bind(socket, interface.address, port: port)
    }
  }

  /// Sends one datagram without blocking.
  package static func send(_ text: String, from socket: CInt, to address: SocketAddress) throws(IOError) {
    var text = text
    try check(text.withUTF8 { transmit(UnsafeRawBufferPointer($0), from: socket, to: address) })
  }

  /// Sends one datagram without blocking.
  package static func send(_ bytes: ByteBuffer, from socket: CInt, to address: SocketAddress) throws(IOError) {
    try check(bytes.withUnsafeReadableBytes { transmit($0, from: socket, to: address) })
  }

  private static func transmit(_ bytes: UnsafeRawBufferPointer, from socket: CInt, to address: SocketAddress) -> Int {
    address.withSockAddr { target, size in
      sendto(socket, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL), target, socklen_t(size))
    }
  }

  private static func check(_ sent: Int) throws(IOError) {
    guard sent >= 0 else { throw IOError(errnoCode: errno, reason: "sendto") }
  }

  private static func open(_ configure: (CInt) throws(IOError) -> Void) throws(IOError) -> CInt {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(AF_INET, type, 0)
    guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    do {
      // Both: either option alone conflicts with a program that sets only the other one.
      try set(socket, SOL_SOCKET, SO_REUSEADDR, CInt(1))
      try set(socket, SOL_SOCKET, SO_REUSEPORT, CInt(1))
      try configure(socket)
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  private static func bindToDevice(_ socket: CInt, _ name: String) {
    _ = name.withCString { setsockopt(socket, SOL_SOCKET, SO_BINDTODEVICE, $0, socklen_t(strlen($0))) }
  }

  private static func set<Value>(_ socket: CInt, _ level: Int, _ option: CInt, _ value: Value) throws(IOError) {
    try set(socket, CInt(level), option, value)
  }

  private static func set<Value>(_ socket: CInt, _ level: CInt, _ option: CInt, _ value: Value) throws(IOError) {
    let result = withUnsafeBytes(of: value) {
      setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count))
    }
    guard result == 0 else { throw IOError(errnoCode: errno, reason: "setsockopt(\(level), \(option))") }
  }

  private static func bind(_ socket: CInt, _ address: String, port: Int) throws(IOError) {
    guard let address = try? SocketAddress(ipAddress: address, port: port) else {
      throw IOError(errnoCode: EAFNOSUPPORT, reason: "\(address)")
    }
    let result = address.withSockAddr { Glibc.bind(socket, $0, socklen_t($1)) }
    guard result == 0 else { throw IOError(errnoCode: errno, reason: "bind \(address)") }
  }

  private static func request(_ interface: NetworkInterface, group: String) -> ip_mreqn {
    var request = ip_mreqn()
    inet_pton(AF_INET, group, &request.imr_multiaddr)
    request.imr_ifindex = CInt(truncatingIfNeeded: interface.index)
    return request
  }
}

/// Last handler of a datagram channel.
package final class DatagramHandler: ChannelInboundHandler {
  package typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let onRead: (AddressedEnvelope<ByteBuffer>) -> Void

  /// - Parameter onRead: called on the event loop with each datagram and its sender.
  package init(onRead: @escaping (AddressedEnvelope<ByteBuffer>) -> Void) { self.onRead = onRead }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) { onRead(unwrapInboundIn(data)) }
}
