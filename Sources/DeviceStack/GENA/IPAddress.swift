import Glibc
import NIOCore

/// An IPv4 or IPv6 address by its bits alone: no port, no zone, no name.
///
/// IPv4 is kept as IPv4-mapped IPv6 (RFC 4291 §2.5.5.2), so that one asker is one value whichever socket it came in on.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  let bits: UInt128

  private static let mapped: UInt128 = 0xFFFF_0000_0000

  init(bits: UInt128) { self.bits = bits }

  init(v4 address: UInt32) { bits = Self.mapped | UInt128(address) }

  /// Reads dotted decimal or IPv6 notation and nothing else: names, zones, octal, hexadecimal and shortened IPv4 are nil.
  public init?(_ literal: some StringProtocol) {
    // Longer than any address; and C would stop at a NUL where Swift reads on.
    guard literal.utf8.count <= 45, !literal.utf8.contains(0) else { return nil }
    let text = String(literal)
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self.init(v4: UInt32(bigEndian: v4.s_addr))
    } else if inet_pton(AF_INET6, text, &v6) == 1 {
      self.init(v6)
    } else {
      return nil
    }
  }

  /// The address part of a socket address; nil for a Unix socket.
  public init?(_ address: SocketAddress) {
    switch address {
    case .v4(let v4): self.init(v4: UInt32(bigEndian: v4.address.sin_addr.s_addr))
    case .v6(let v6): self.init(v6.address.sin6_addr)
    case .unixDomainSocket: return nil
    }
  }

  private init(_ address: in6_addr) {
    bits = withUnsafeBytes(of: address) { bytes in bytes.reduce(0) { $0 << 8 | UInt128($1) } }
  }

  var isIPv4: Bool { bits >> 32 == Self.mapped >> 32 }

  /// fe80::/10: means something on one link only, so that connecting needs the interface too.
  var isLinkLocalIPv6: Bool { bits >> 118 == 0xFE80 >> 6 }

  /// Whether this can be the address of one host at all: not unspecified, multicast, or IPv4's 0/8, 240/4 and broadcast.
  var isHost: Bool {
    guard isIPv4 else { return bits > 0 && bits >> 120 != 0xFF }
    return (1..<224).contains(UInt32(truncatingIfNeeded: bits) >> 24)
  }

  /// - Parameter scope: the interface's index for a link-local IPv6 address; unused otherwise.
  func socketAddress(port: UInt16, scope: UInt32) -> SocketAddress {
    if isIPv4 {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: bits).bigEndian
      return SocketAddress(address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.storeBytes(of: bits.bigEndian, as: UInt128.self) }
    address.sin6_scope_id = isLinkLocalIPv6 ? scope : 0
    return SocketAddress(address)
  }

  public var description: String { socketAddress(port: 0, scope: 0).ipAddress ?? "" }
}
