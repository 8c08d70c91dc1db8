/// Heads of files with 44.1 kHz, stereo and 16 bits, whose samples have a chosen size.
package enum SizedHead {
  private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  package static func wav(_ form: Int, _ samples: Int) -> [UInt8] { WAVHead.file("RIFF", form, [], samples: samples) }

  package static func rf64(_ samples: UInt64) -> [UInt8] {
    let sizes: [[UInt8]] = [Array("ds64".utf8), little(28, 4), little(samples, 8), little(samples, 8), little(0, 12)]
    return WAVHead.file("RF64", 0xFFFF_FFFF, sizes.flatMap(\.self), samples: 0xFFFF_FFFF)
  }

  package static func au(_ size: UInt64) -> [UInt8] {
    let parts: [[UInt8]] = [
      Array(".snd".utf8), big(24, 4), big(size, 4), big(3, 4), big(44_100, 4), big(2, 4), [1, 2, 3, 4],
    ]
    return parts.flatMap(\.self)
  }

  private static let format: [UInt8] = [1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]

  package static func wave64(_ size: UInt64) -> [UInt8] {
    let rest: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
    let parts: [[UInt8]] = [
      Array("riff".utf8), riff, little(.max, 8), Array("wave".utf8), rest, Array("fmt ".utf8), rest, little(40, 8),
      format, Array("data".utf8), rest, little(size, 8), [1, 2, 3, 4],
    ]
    return parts.flatMap(\.self)
  }

  package static func caf(_ size: UInt64) -> [UInt8] {
    let parts: [[UInt8]] = [
      Array("caff".utf8), [0, 1, 0, 0], Array("desc".utf8), big(32, 8), big(44_100.0.bitPattern, 8),
      Array("lpcm".utf8), big(0, 4), big(4, 4), big(1, 4), big(2, 4), big(16, 4), Array("data".utf8), big(size, 8),
      big(0, 4), [1, 2, 3, 4],
    ]
    return parts.flatMap(\.self)
  }

  package static func aiff(_ size: UInt64) -> [UInt8] {
    let parts: [[UInt8]] = [
      Array("FORM".utf8), big(size, 4), Array("AIFF".utf8), Array("COMM".utf8), big(18, 4), big(2, 2), big(size / 4, 4),
      big(16, 2), big(16_383 + 15, 2), big(44_100 << 48, 8), Array("SSND".utf8), big(size, 4), big(0, 8),
    ]
    return parts.flatMap(\.self)
  }
}
