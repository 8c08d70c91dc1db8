import NIOCore

/// The interfaces in use, for those who ask whether an address is one of ours.
final class InterfaceTable {
  private var interfaces: [NetworkInterface] = []

  func apply(_ change: InterfaceChange) {
    switch change {
    case .appeared(let interface): interfaces.append(interface)
    case .vanished(let interface, _): interfaces.removeAll { $0 == interface }
    }
  }

  /// Whether a connection to this address came in on an interface in use.
  func contains(_ address: SocketAddress) -> Bool {
    interfaces.contains { $0.address == address.ipAddress }
  }

  /// Of the subnet of an address of ours.
  func prefixLength(of address: IPAddress) -> Int? {
    interfaces.first { $0.address == address.description }?.prefixLength
  }
}
