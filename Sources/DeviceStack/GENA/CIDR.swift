/// A network: an address and how many of its leading bits count (RFC 4632, RFC 4291 §2.3).
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
  public let address: IPAddress
  /// 0…32 for IPv4, 0…128 for IPv6.
  public let prefixLength: Int

  /// Nil if the length is not one for this kind of address.
  public init?(_ address: IPAddress, prefixLength: Int) {
    guard (0...(address.isIPv4 ? 32 : 128)).contains(prefixLength) else { return nil }
    self.address = address
    self.prefixLength = prefixLength
  }

  /// Reads `192.168.0.0/16`, `fd00::/8`, or an address alone, which is the network of that one host.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(address, prefixLength: address.isIPv4 ? 32 : 128)
      return
    }
    guard let length = Int(parts[1]), parts[1].first != "+" else { return nil }
    self.init(address, prefixLength: length)
  }

  /// The bits of the address that tell hosts of this network apart.
  private var hostMask: UInt128 {
    let length = address.isIPv4 ? 96 + prefixLength : prefixLength
    return length == 0 ? .max : (1 << UInt128(128 - length)) - 1
  }

  public func contains(_ other: IPAddress) -> Bool {
    address.isIPv4 == other.isIPv4 && (address.bits ^ other.bits) & ~hostMask == 0
  }

  /// Whether the address is one that a host of this network can have: in it, and neither its network nor its broadcast
  /// address. Networks of one or two addresses have neither (RFC 3021), nor has IPv6 a broadcast.
  func containsHost(_ other: IPAddress) -> Bool {
    guard contains(other) else { return false }
    guard other.isIPv4, prefixLength < 31 else { return true }
    let host = other.bits & hostMask
    return host != 0 && host != hostMask
  }

  public var description: String { "\(address)/\(prefixLength)" }
}
