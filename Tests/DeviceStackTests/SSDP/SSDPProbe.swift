import Glibc
import NIOCore
import NIOPosix
import NetworkTesting
import Synchronization

/// A test control point: receives multicasts on one interface and searches from its own port.
final class SSDPProbe: Sendable {
  /// A received datagram.
  struct Datagram: Sendable {
    var text: String
    var sender: SocketAddress
    var time: NIODeadline

    /// The value of a header field; nil if it is missing.
    func field(_ name: String) -> String? {
      text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }.map {
        $0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }.description
      }
    }

    var nts: String? { field("NTS") }
    /// The host of LOCATION, without port and path.
    var locationHost: String? {
      field("LOCATION")?.split(separator: "/").first { $0.contains(".") }?.split(separator: ":").first.map(String.init)
    }
  }

  private final class Ear: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    let heard = Mutex<[Datagram]>([])

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let envelope = unwrapInboundIn(data)
      let datagram = Datagram(
        text: String(buffer: envelope.data), sender: envelope.remoteAddress, time: .now())
      heard.withLock { $0.append(datagram) }
    }
  }

  private let ear = Ear()
  private let listener: any Channel
  private let searcher: any Channel

  /// - Parameters:
  ///   - loop: An event loop in the control point's namespace.
  ///   - device: The name of the interface.
  init(on loop: any EventLoop, device: String) async throws {
    let sockets = try await loop.submit {
      let index = CInt(if_nametoindex(device))
      guard index > 0 else { throw IOError(errnoCode: errno, reason: device) }
      return (
        try Self.socket("239.255.255.250", 1900, IP_ADD_MEMBERSHIP, index),
        try Self.socket("0.0.0.0", 0, IP_MULTICAST_IF, index)
      )
    }.get()
    let bootstrap = DatagramBootstrap(group: loop).channelInitializer { [ear] in $0.pipeline.addHandler(ear) }
    listener = try await bootstrap.withBoundSocket(sockets.0).get()
    searcher = try await bootstrap.withBoundSocket(sockets.1).get()
  }

  func close() async throws {
    try await listener.close()
    try await searcher.close()
  }

  /// Sends a datagram from the control point's own port.
  func send(_ bytes: some Sequence<UInt8>, to address: String = "239.255.255.250") async throws {
    let envelope = AddressedEnvelope(
      remoteAddress: try SocketAddress(ipAddress: address, port: 1900), data: ByteBuffer(bytes: bytes))
    try await searcher.writeAndFlush(envelope)
  }

  func search(_ target: String, mx: String? = "1", to address: String = "239.255.255.250") async throws {
    let field = mx.map { "MX: \($0)\r\n" } ?? ""
    try await send(
      "M-SEARCH * HTTP/1.1\r\nHOST: \(address):1900\r\nMAN: \"ssdp:discover\"\r\n\(field)ST: \(target)\r\n\r\n".utf8,
      to: address)
  }

  var heard: [Datagram] { ear.heard.withLock { $0 } }
  var answers: [Datagram] { heard.filter { $0.text.hasPrefix("HTTP/1.1 200 OK\r\n") } }
  func notifications(_ nts: String) -> [Datagram] {
    heard.filter { $0.text.hasPrefix("NOTIFY * HTTP/1.1\r\n") && $0.nts == nts }
  }

  func forget() { ear.heard.withLock { $0 = [] } }

  /// Waits until the received datagrams satisfy the condition.
  func wait(until condition: (SSDPProbe) -> Bool) async throws {
    try await waitUntil(every: .milliseconds(5)) {
      condition(self)
    } state: {
      heard.map(\.text).joined()
    }
  }

  private static func socket(_ address: String, _ port: Int, _ option: CInt, _ index: CInt) throws -> CInt {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    func set<Value>(_ level: CInt, _ option: CInt, _ value: Value) throws {
      let result = withUnsafeBytes(of: value) { setsockopt(socket, level, option, $0.baseAddress, socklen_t($0.count)) }
      guard result == 0 else { throw IOError(errnoCode: errno, reason: "setsockopt \(option)") }
    }
    try set(SOL_SOCKET, SO_REUSEADDR, CInt(1))
    try set(CInt(IPPROTO_IP), 49, CInt(0))
    let result = try SocketAddress(ipAddress: address, port: port).withSockAddr { bind(socket, $0, socklen_t($1)) }
    guard result == 0 else { throw IOError(errnoCode: errno, reason: "bind \(address)") }
    var request = ip_mreqn()
    inet_pton(AF_INET, "239.255.255.250", &request.imr_multiaddr)
    request.imr_ifindex = index
    try set(CInt(IPPROTO_IP), option, request)
    return socket
  }
}
