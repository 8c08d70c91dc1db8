extension NetworkInterface {
  /// A network as its first address and the length of the prefix.
  struct Subnet: Sendable, Hashable {
    var network: IPv4Address
    var prefixLength: Int
  }

  /// Nil if the address is none.
  var subnet: Subnet? {
    IPv4Address(address).map {
      Subnet(network: $0.network(prefixLength: prefixLength), prefixLength: prefixLength)
    }
  }

  /// Whether an address is on this interface's subnet.
  func reaches(_ other: IPv4Address) -> Bool { other.network(prefixLength: prefixLength) == subnet?.network }
}
