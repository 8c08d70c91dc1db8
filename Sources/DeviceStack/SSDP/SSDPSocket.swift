import Glibc
import NIOCore

/// Opens the sockets of one interface and sends from them.
///
/// Each interface has two: one bound to the multicast group, which hears what is sent to the group on that interface, and
/// one bound to the interface's own address, which hears unicast searches and sends everything. Both share port 1900
/// with other software, and since the kernel gives a unicast datagram to the most closely bound socket, another program's
/// wildcard socket does not take the searches that are meant for us.
enum SSDPSocket {
  /// IP_MULTICAST_ALL, which the Glibc module does not show.
  private static let multicastAll: CInt = 49

  /// The socket that hears multicasts on one interface.
  static func openListener(_ interface: NetworkInterface) throws(IOError) -> CInt {
    try open { (socket) throws(IOError) in
      // Else it also hears groups that others have joined on other interfaces (ip(7)).
      try set(socket, IPPROTO_IP, multicastAll, CInt(0))
      // From 6.7 on the kernel gives a multicast to any one of the sockets that share a port by SO_REUSEPORT, membership
      // or not; sockets of different devices do not count as sharing. Kernels before 5.7 refuse this without CAP_NET_RAW.
      bindToDevice(socket, interface.name)
      try bind(socket, SSDPWriter.group, port: SSDPWriter.port)
      try set(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, request(interface, group: SSDPWriter.group))
    }
  }

  /// Leaves the group and joins it at once, which the kernel tells the network; a membership that it has it keeps to itself.
  static func rejoin(_ socket: CInt, _ interface: NetworkInterface) throws(IOError) {
    let request = request(interface, group: SSDPWriter.group)
    try set(socket, IPPROTO_IP, IP_DROP_MEMBERSHIP, request)
    try set(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, request)
  }

  /// The socket that sends, and hears unicasts.
  /// - Parameter port: 1900, or 0 if another program will not share that: the searches go to it then.
  static func openSender(_ interface: NetworkInterface, port: Int, ttl: UInt8) throws(IOError) -> CInt {
    try open { (socket) throws(IOError) in
      try set(socket, IPPROTO_IP, IP_MULTICAST_IF, request(interface, group: "0.0.0.0"))
      try set(socket, IPPROTO_IP, IP_MULTICAST_TTL, CInt(ttl))
      // Control points on this machine want to hear us too.
      try set(socket, IPPROTO_IP, IP_MULTICAST_LOOP, CInt(1))
      try bind(socket, interface.address, port: port)
    }
  }

  /// Sends one datagram; does not block.
  static func send(_ text: String, from socket: CInt, to address: SocketAddress) throws(IOError) {
    var text = text
    let sent = text.withUTF8 { bytes in
      address.withSockAddr { target, size in
        sendto(socket, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL), target, socklen_t(size))
      }
    }
    guard sent >= 0 else { throw IOError(errnoCode: errno, reason: "sendto") }
  }

  private static func open(_ configure: (CInt) throws(IOError) -> Void) throws(IOError) -> CInt {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(AF_INET, type, 0)
    guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
    do {
      // With SO_REUSEPORT alone a socket that has only SO_REUSEADDR is in the way, and the other way round.
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
