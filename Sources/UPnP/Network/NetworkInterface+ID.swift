extension NetworkInterface {
  /// What makes it another interface to others on the network: the link and our address on it. The name does not, nor
  /// does the length of the prefix.
  public struct ID: Sendable, Hashable {
    public var index: Int
    public var address: String

    public init(index: Int, address: String) {
      self.index = index
      self.address = address
    }
  }

  public var id: ID { ID(index: index, address: address) }
}
