import NIOCore

extension InterfaceMonitor {
  /// Whether a connection to this address came in on an interface in use.
  package func isInUse(_ address: SocketAddress) -> Bool {
    current.contains { $0.address == address.ipAddress }
  }

  /// Of the subnet of an address of ours; nil for one that is not, or no longer, ours.
  package func prefixLength(of address: IPAddress) -> Int? {
    current.first { IPAddress($0.address) == address }?.prefixLength
  }
}
