extension IPAddress {
  private static let loopback = CIDR("127.0.0.0/8")
  /// What an interface gives itself where nobody answers (RFC 3927).
  private static let linkLocal = CIDR("169.254.0.0/16")
  /// What means nothing outside a site: private (RFC 1918), shared (RFC 6598), link-local, loopback.
  private static let local =
    ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"].compactMap { CIDR($0) }
    + [linkLocal, loopback].compactMap { $0 }

  /// 127.0.0.0/8
  package var isLoopbackIPv4: Bool { Self.loopback?.contains(self) ?? false }

  /// 169.254.0.0/16
  var isLinkLocalIPv4: Bool { Self.linkLocal?.contains(self) ?? false }

  /// Whether it is an IPv4 address that is only of use within a site.
  package var isLocalIPv4: Bool { Self.local.contains { $0.contains(self) } }
}

extension NetworkInterface {
  /// The address with its prefix; nil if it is none.
  package var network: CIDR? { IPAddress(address).flatMap { CIDR($0, prefixLength: prefixLength) } }

  /// Whether the other is on the same subnet.
  func sharesSubnet(with other: NetworkInterface) -> Bool {
    guard let network, let address = IPAddress(other.address) else { return false }
    return prefixLength == other.prefixLength && network.contains(address)
  }
}
