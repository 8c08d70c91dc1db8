/// Addresses whose servers answered a range request with the whole file, which HTTP allows (RFC 9110 §14.2). Such a
/// track is opened again and read from its beginning.
struct RangelessAddresses {
  /// Maximum number of addresses. Forgetting the oldest one costs one extra request.
  static let limit = 64
  private var addresses: [String] = []

  func contains(_ address: String) -> Bool { addresses.contains(address) }

  /// - Returns: false if the address was known already.
  mutating func insert(_ address: String) -> Bool {
    guard !contains(address) else { return false }
    if addresses.count == Self.limit { addresses.removeFirst() }
    addresses.append(address)
    return true
  }
}
