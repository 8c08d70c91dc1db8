/// A network interface that is up, with an IPv4 address of its own.
public struct NetworkInterface: Sendable, Hashable {
  /// The kernel's index. Constant while the interface exists.
  public var index: Int
  /// The kernel's name, such as `eth0`.
  public var name: String
  /// The IPv4 address in dotted decimal.
  public var address: String
  /// The prefix length of the subnet, 0…32.
  public var prefixLength: Int

  package init(index: Int, name: String, address: String, prefixLength: Int) {
    self.index = index
    self.name = name
    self.address = address
    self.prefixLength = prefixLength
  }
}

extension NetworkInterface {
  /// Identifies the interface to others on the network: the link and the address on it. Name and prefix length do not count.
  package struct ID: Sendable, Hashable {
    package var index: Int
    package var address: String

    package init(index: Int, address: String) {
      self.index = index
      self.address = address
    }
  }

  package var id: ID { ID(index: index, address: address) }
}

/// A change in the set of interfaces in use.
public enum InterfaceChange: Sendable, Hashable {
  /// The interface is up and has an address.
  case appeared(NetworkInterface)
  /// The interface or its address is gone. `canSend` is true if byebyes can still be sent from the address.
  case vanished(NetworkInterface, canSend: Bool)
}
