/// A network interface that is up, with an IPv4 address of its own.
public struct NetworkInterface: Sendable, Hashable {
  /// The kernel's index: stays the same while the interface exists.
  public var index: Int
  public var name: String
  /// Dotted quad.
  public var address: String
  /// Of the address's subnet, 0…32.
  public var prefixLength: Int

  public init(index: Int, name: String, address: String, prefixLength: Int) {
    self.index = index
    self.name = name
    self.address = address
    self.prefixLength = prefixLength
  }
}
