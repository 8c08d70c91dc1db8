/// Writes FLAC streams (RFC 9639) of verbatim subframes, so that a file is as large as one of real music.
enum FLAC {
  private static let blockSize = 4096
  private static let headerCRC = CRC<UInt8>(polynomial: 0x07)
  private static let frameCRC = CRC<UInt16>(polynomial: 0x8005)
  /// Rates with a code in the frame header; others are in STREAMINFO alone.
  private static let rateCodes = [
    88_200: 1, 176_400: 2, 192_000: 3, 8000: 4, 16_000: 5, 22_050: 6, 24_000: 7, 32_000: 8, 44_100: 9, 48_000: 10,
    96_000: 11,
  ]

  /// A stream with a seek point per second.
  static func stream(_ pcm: PCM) -> [UInt8] {
    var audio: [UInt8] = []
    var points: [UInt8] = []
    var nextPoint = 0
    for (number, start) in stride(from: 0, to: pcm.frames, by: blockSize).enumerated() {
      let range = start..<min(start + blockSize, pcm.frames)
      if start >= nextPoint {
        nextPoint += pcm.rate
        points.append(bigEndian: UInt64(start))
        points.append(bigEndian: UInt64(audio.count))
        points.append(bigEndian: UInt16(range.count))
      }
      audio += frame(pcm, number: number, range)
    }
    return Array("fLaC".utf8) + block(0, streamInfo(pcm)) + block(3, points, isLast: true) + audio
  }

  private static func block(_ type: UInt8, _ content: [UInt8], isLast: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(content.count))
    bytes[0] = type | (isLast ? 0x80 : 0)
    return bytes + content
  }

  /// STREAMINFO (§8.2). Frame sizes and MD5 sum are 0, which means unknown.
  private static func streamInfo(_ pcm: PCM) -> [UInt8] {
    var writer = BitWriter(.mostSignificantFirst)
    writer.write(blockSize, bits: 16)
    writer.write(blockSize, bits: 16)
    writer.write(0, bits: 48)
    writer.write(pcm.rate, bits: 20)
    writer.write(pcm.channels - 1, bits: 3)
    writer.write(pcm.bits - 1, bits: 5)
    writer.write(pcm.frames, bits: 36)
    return writer.bytes + [UInt8](repeating: 0, count: 16)
  }

  /// A frame (§9).
  private static func frame(_ pcm: PCM, number: Int, _ range: Range<Int>) -> [UInt8] {
    let isFull = range.count == blockSize
    var header = BitWriter(.mostSignificantFirst)
    header.write(0xFFF8, bits: 16)
    header.write(isFull ? 12 : 7, bits: 4)
    header.write(rateCodes[pcm.rate] ?? 0, bits: 4)
    header.write(pcm.channels - 1, bits: 4)
    header.write(pcm.bits == 24 ? 6 : 4, bits: 3)
    header.write(0, bits: 1)
    var bytes = header.bytes + coded(number)
    if !isFull { bytes.append(bigEndian: UInt16(range.count - 1)) }
    bytes.append(headerCRC(bytes))
    let subframe = [2] + pcm.samples(range, channels: 1, .bigEndian)
    for _ in 0..<pcm.channels { bytes += subframe }
    bytes.append(bigEndian: frameCRC(bytes))
    return bytes
  }

  /// The number of a frame in the coding of UTF-8 (§9.1.5), up to 65 535.
  private static func coded(_ number: Int) -> [UInt8] {
    switch number {
    case ..<0x80: [UInt8(number)]
    case ..<0x800: [0xC0 | UInt8(number >> 6), 0x80 | UInt8(number & 0x3F)]
    default: [0xE0 | UInt8(number >> 12), 0x80 | UInt8(number >> 6 & 0x3F), 0x80 | UInt8(number & 0x3F)]
    }
  }
}
