/// An IPv4 address as a number.
struct IPv4Address: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// In host byte order.
  var value: UInt32

  init(value: UInt32) { self.value = value }

  /// The four bytes in network order.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 4 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A dotted quad in decimal; nothing else is an address.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8($0) : nil }
    guard parts.count == 4, bytes.count == 4 else { return nil }
    self.init(bytes: bytes)
  }

  var description: String {
    stride(from: 24, through: 0, by: -8).map { String(value >> UInt32($0) & 0xFF) }.joined(separator: ".")
  }

  static func < (a: IPv4Address, b: IPv4Address) -> Bool { a.value < b.value }

  /// The network part, the rest zero.
  func network(prefixLength: Int) -> IPv4Address {
    IPv4Address(value: prefixLength <= 0 ? 0 : value & (UInt32.max << UInt32(32 - min(prefixLength, 32))))
  }

  /// 127.0.0.0/8
  var isLoopback: Bool { value >> 24 == 127 }

  /// 169.254.0.0/16 (RFC 3927)
  var isLinkLocal: Bool { value >> 16 == 0xA9FE }

  /// Whether it means nothing outside a site: private (RFC 1918), shared (RFC 6598), link-local or loopback.
  var isLocal: Bool {
    isLoopback || isLinkLocal || value >> 24 == 10 || value >> 20 == 0xAC1 || value >> 16 == 0xC0A8
      || value >> 22 == 0x191
  }
}
