import Glibc
import NIOCore

/// An IPv4 address: no port, no name. The device stack listens and sends over IPv4 only.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// In host byte order.
  let bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// Reads dotted decimal and nothing else: names, IPv6, octal, hexadecimal and shortened notations are nil.
  public init?(_ literal: some StringProtocol) {
    // Longer than any address; and C would stop at a NUL where Swift reads on.
    guard literal.utf8.count <= 15, !literal.utf8.contains(0) else { return nil }
    var address = in_addr()
    guard inet_pton(AF_INET, String(literal), &address) == 1 else { return nil }
    bits = UInt32(bigEndian: address.s_addr)
  }

  /// The address part of a socket address; nil if that is not IPv4.
  public init?(_ address: SocketAddress) {
    guard case .v4(let address) = address else { return nil }
    bits = UInt32(bigEndian: address.address.sin_addr.s_addr)
  }

  /// Whether one host can have this address: not 0/8, multicast, 240/4 or broadcast.
  package var isHost: Bool { (1..<224).contains(bits >> 24) }

  package func socketAddress(port: UInt16) -> SocketAddress {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = bits.bigEndian
    return SocketAddress(address)
  }

  public var description: String {
    stride(from: 24, through: 0, by: -8).map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
  }
}
