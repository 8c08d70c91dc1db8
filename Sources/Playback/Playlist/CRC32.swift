/// The checksum of IEEE 802.3 and zip, polynomial 0xEDB88320.
enum CRC32 {
  /// Eight tables in one: the n-th is for a byte that n others follow (“slicing by 8”, Kounavis and Berry 2005). A list of
  /// thousands of tracks is summed at every start.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = (0..<256).map { index in
      (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }
    for index in 256..<8 * 256 {
      let value = tables[index - 256]
      tables.append(value >> 8 ^ tables[Int(value & 0xFF)])
    }
    return tables
  }()

  /// - Parameter sum: of the bytes before these.
  static func of(_ bytes: UnsafeRawBufferPointer, after sum: UInt32 = 0) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      /// Of the lowest byte of a number; the table's index is within its length.
      func entry(_ table: Int, _ number: UInt32) -> UInt32 { tables[table << 8 | Int(number & 0xFF)] }
      var value = ~sum
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let low = UInt32(truncatingIfNeeded: word) ^ value
        let high = UInt32(truncatingIfNeeded: word >> 32)
        value = entry(7, low) ^ entry(6, low >> 8) ^ entry(5, low >> 16) ^ entry(4, low >> 24)
        value ^= entry(3, high) ^ entry(2, high >> 8) ^ entry(1, high >> 16) ^ entry(0, high >> 24)
        offset += 8
      }
      for byte in bytes[offset...] { value = value >> 8 ^ entry(0, value ^ UInt32(byte)) }
      return ~value
    }
  }
}
