/// Ids of tracks, folders, albums, people, genres, years and playlists: positive numbers, hexadecimal in texts.
///
/// They are hashes of paths and names, so that a new index has the same ids: addresses with them are kept in queues of speakers.
package enum LibraryID {
  package static func text(_ id: Int64) -> String { String(id, radix: 16) }

  /// - Returns: nil for anything but the text form of a positive number.
  package static func parse(_ text: some StringProtocol) -> Int64? {
    guard let id = Int64(text, radix: 16), id > 0, Self.text(id) == text else { return nil }
    return id
  }

  /// A hash of 56 bits: of 500,000 tracks, two share one with a probability of one in a million.
  /// - Parameter kind: distinguishes things with equal texts.
  static func hash(_ kind: String, _ text: String) -> Int64 {
    // FNV-1a, then the finalizer of MurmurHash3: the hash must never change.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    kind.utf8.forEach(add)
    add(0)
    text.utf8.forEach(add)
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    hash ^= hash >> 33
    return max(Int64(hash >> 8), 1)
  }
}
