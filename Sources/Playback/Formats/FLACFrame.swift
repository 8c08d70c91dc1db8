/// Parses FLAC frame headers (RFC 9639 section 9.1).
package enum FLACFrame {
  /// Maximum size of a frame header in bytes.
  package static let longestHeader = 16

  /// Finds the first frame whose header is complete, matches the file's layout and has the right checksum.
  /// - Parameters:
  ///   - offset: offset of the bytes in the file.
  ///   - samples: the range that the frame's first sample must be in.
  static func first(
    in bytes: [UInt8], at offset: Int, of layout: FLACLayout, among samples: Range<Int>
  ) -> FLACPlace? {
    var index = 0
    while index + longestHeader <= bytes.count {
      if bytes[index] == 0xFF, bytes[index + 1] & 0xFE == 0xF8,
        let sample = firstSample(bytes[index..<index + longestHeader], of: layout), samples.contains(sample)
      {
        return FLACPlace(sample: sample, offset: offset + index)
      }
      index += 1
    }
    return nil
  }

  /// Number of the frame's first sample; nil if the bytes are not a frame header, or one of another file.
  /// - Parameter header: `longestHeader` bytes.
  package static func firstSample(_ header: ArraySlice<UInt8>, of layout: FLACLayout) -> Int? {
    var rest = header.dropFirst()
    func next() -> Int { rest.popFirst().map { Int($0) } ?? 0 }
    let (sync, sizes, format) = (next(), next(), next())
    guard let (number, length) = codedNumber(rest) else { return nil }
    rest.removeFirst(length)
    let (blockCode, rateCode) = (sizes >> 4, sizes & 0x0F)
    guard format & 1 == 0, blockCode != 0, fits(rateCode: rateCode, format: format, layout) else { return nil }
    if blockCode == 6 || blockCode == 7 { rest.removeFirst(blockCode - 5) }
    if rateCode >= 12 { rest.removeFirst(rateCode == 12 ? 1 : 2) }
    guard let sum = rest.first, crc8(header[..<rest.startIndex]) == sum else { return nil }
    return sync & 1 == 0 ? number * layout.blockSize : number
  }

  private static let rates = [
    0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]
  private static let depths = [0, 8, 12, -1, 16, 20, 24, 32]

  private static func fits(rateCode: Int, format: Int, _ layout: FLACLayout) -> Bool {
    // Codes beyond the table announce a rate in a separate field; 15 is forbidden.
    let rate = rates.indices.contains(rateCode) ? rates[rateCode] : rateCode == 15 ? -1 : 0
    let channels = format >> 4 < 8 ? format >> 4 + 1 : format >> 4 <= 10 ? 2 : -1
    let depth = depths[format >> 1 & 7]
    return (rate == 0 || rate == layout.rate) && channels == layout.channels && (depth == 0 || depth == layout.depth)
  }

  /// Decodes a number in UTF-8 form, extended to 36 bits. Returns it with its size in bytes.
  private static func codedNumber(_ bytes: ArraySlice<UInt8>) -> (Int, length: Int)? {
    guard let first = bytes.first else { return nil }
    let length = (~first).leadingZeroBitCount
    guard length != 1, length <= 7, bytes.count > length else { return nil }
    if length == 0 { return (Int(first), 1) }
    var number = Int(first & UInt8(0x7F) >> UInt8(length))
    for byte in bytes.dropFirst().prefix(length - 1) {
      guard byte & 0xC0 == 0x80 else { return nil }
      number = number << 6 | Int(byte & 0x3F)
    }
    return (number, length)
  }

  /// CRC-8 with the polynomial x⁸ + x² + x + 1 and initial value 0.
  static func crc8(_ bytes: some Sequence<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
  }
}
