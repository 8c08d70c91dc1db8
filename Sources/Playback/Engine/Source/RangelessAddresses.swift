/// The addresses whose servers have been asked for a part, and sent the whole: those are read from the beginning.
///
/// A server that has no ranges need not say so (RFC 9110 §14.3).
struct RangelessAddresses {
  /// So many are remembered; after that, each costs a question more.
  static let limit = 64
  private var addresses: [String] = []

  func contains(_ address: String) -> Bool { addresses.contains(address) }

  /// - Returns: false if it is there already.
  mutating func insert(_ address: String) -> Bool {
    guard !contains(address) else { return false }
    if addresses.count == Self.limit { addresses.removeFirst() }
    addresses.append(address)
    return true
  }
}
