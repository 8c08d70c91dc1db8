/// An IPv4 network: an address and the number of its leading bits that count (RFC 4632).
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
  public let address: IPAddress
  /// 0…32
  public let prefixLength: Int

  /// Nil if the length is out of range.
  public init?(_ address: IPAddress, prefixLength: Int) {
    guard (0...32).contains(prefixLength) else { return nil }
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Reads `192.168.0.0/16`, or an address alone, which is the network of that one host.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(address, prefixLength: 32)
      return
    }
    guard let length = Int(parts[1]), parts[1].first != "+" else { return nil }
    self.init(address, prefixLength: length)
  }

  /// The bits that tell the hosts of this network apart.
  private var hostMask: UInt32 { prefixLength == 0 ? .max : (1 << UInt32(32 - prefixLength)) - 1 }

  public func contains(_ other: IPAddress) -> Bool { (address.bits ^ other.bits) & ~hostMask == 0 }

  /// Whether a host of this network can have the address: it is in the network, and neither the network's own nor its
  /// broadcast address. Networks of one or two addresses have neither (RFC 3021).
  package func containsHost(_ other: IPAddress) -> Bool {
    guard contains(other) else { return false }
    guard prefixLength < 31 else { return true }
    let host = other.bits & hostMask
    return host != 0 && host != hostMask
  }

  public var description: String { "\(address)/\(prefixLength)" }
}
