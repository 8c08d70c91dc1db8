/// Sizes that stand for an unknown size, as programs write them that send a stream while they make it: the largest
/// numbers of 31, 32, 63 and 64 bits, or somewhat less.
package enum UnknownSize {
  private static let ranges = [0x7FFF_0000...0x8000_FFFF, 0xFFFF_0000...0xFFFF_FFFF, 1 << 50...Int.max]

  package static func contains(_ size: Int) -> Bool { size < 0 || ranges.contains { $0.contains(size) } }
}
