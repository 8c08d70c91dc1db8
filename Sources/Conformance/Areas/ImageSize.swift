/// The size of a PNG or JPEG image, in pixels.
struct ImageSize: Hashable {
  var width: Int
  var height: Int

  /// Nil for other formats and for damaged files.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 24 {
      width = Self.number(bytes[16..<20])
      height = Self.number(bytes[20..<24])
      return
    }
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var position = 2
    while position + 9 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // SOF0 to SOF15, without DHT, JPG and DAC.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        height = Self.number(bytes[(position + 5)..<(position + 7)])
        width = Self.number(bytes[(position + 7)..<(position + 9)])
        return
      }
      position += 2 + max(Self.number(bytes[(position + 2)..<(position + 4)]), 2)
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
