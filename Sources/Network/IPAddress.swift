import Glibc
import NIOCore

/// An IPv4 address. UPnP devices here use IPv4 only.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// In host byte order.
  package let bits: UInt32

  package init(bits: UInt32) { self.bits = bits }

  /// Parses dotted decimal. Returns nil for names, IPv6, octal, hexadecimal and shortened notations.
  public init?(_ literal: some StringProtocol) {
    // No address is longer. inet_pton() would stop at a NUL.
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

  /// Whether a host can have this address: not 0/8, multicast, 240/4 or broadcast.
  package var isHost: Bool { (1..<224).contains(bits >> 24) }

  /// 224/4
  package var isMulticast: Bool { bits >> 28 == 0xE }

  package func socketAddress(port: UInt16) -> SocketAddress {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = bits.bigEndian
    return SocketAddress(address)
  }

  /// Dotted decimal.
  public var description: String {
    stride(from: 24, through: 0, by: -8).map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
  }
}

/// An IPv4 network: an address and a prefix length (RFC 4632).
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
  /// An address of the network.
  public let address: IPAddress
  /// In bits, 0…32.
  public let prefixLength: Int

  /// Returns nil if the prefix length is out of range.
  public init?(_ address: IPAddress, prefixLength: Int) {
    guard (0...32).contains(prefixLength) else { return nil }
    self.address = address
    self.prefixLength = prefixLength
  }

  /// The network of one host.
  public init(_ host: IPAddress) {
    address = host
    prefixLength = 32
  }

  /// Parses `192.168.0.0/16`, or an address alone, which is the network of that one host.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(address)
      return
    }
    guard let length = Int(parts[1]), parts[1].first != "+" else { return nil }
    self.init(address, prefixLength: length)
  }

  /// The bits of the host part.
  private var hostMask: UInt32 { prefixLength == 0 ? .max : (1 << UInt32(32 - prefixLength)) - 1 }

  /// Whether the address is in this network.
  public func contains(_ other: IPAddress) -> Bool { (address.bits ^ other.bits) & ~hostMask == 0 }

  /// Whether a host in this network can have the address: it is neither the network's address nor its broadcast address.
  /// Networks of one or two addresses have neither (RFC 3021).
  package func containsHost(_ other: IPAddress) -> Bool {
    guard contains(other) else { return false }
    guard prefixLength < 31 else { return true }
    let host = other.bits & hostMask
    return host != 0 && host != hostMask
  }

  /// `ADDRESS/LENGTH`
  public var description: String { "\(address)/\(prefixLength)" }
}

extension IPAddress {
  private static let loopback = CIDR("127.0.0.0/8")
  /// Self-assigned without a DHCP server (RFC 3927).
  private static let linkLocal = CIDR("169.254.0.0/16")
  /// Not routed outside a site: private (RFC 1918), shared (RFC 6598), link-local, loopback.
  private static let local =
    ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"].compactMap { CIDR($0) }
    + [linkLocal, loopback].compactMap { $0 }

  /// 127.0.0.0/8
  package var isLoopbackIPv4: Bool { Self.loopback?.contains(self) ?? false }

  /// 169.254.0.0/16
  var isLinkLocalIPv4: Bool { Self.linkLocal?.contains(self) ?? false }

  /// Whether the address is not routed outside a site.
  package var isLocalIPv4: Bool { Self.local.contains { $0.contains(self) } }
}

extension NetworkInterface {
  /// The address with its prefix length; nil if either is invalid.
  package var network: CIDR? { IPAddress(address).flatMap { CIDR($0, prefixLength: prefixLength) } }

  /// Whether the other interface is on the same subnet.
  func sharesSubnet(with other: NetworkInterface) -> Bool {
    guard let network, let address = IPAddress(other.address) else { return false }
    return prefixLength == other.prefixLength && network.contains(address)
  }
}
