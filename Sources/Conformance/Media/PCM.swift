/// A quiet tone as samples.
struct PCM: Sendable {
  var rate: Int
  /// 16 or 24.
  var bits = 16
  var channels = 2
  var frames: Int

  /// 0.1 % of full scale.
  private var amplitude: Int { 1 << (bits - 11) }
  /// Frames of a triangle wave; its frequency is a hundredth of the rate.
  static let period = 100

  /// The value of a frame in all channels.
  func sample(_ frame: Int) -> Int {
    let phase = frame % Self.period
    return amplitude - abs(phase - Self.period / 2) * 4 * amplitude / Self.period
  }

  /// The samples of some frames, interleaved, in big endian.
  func bigEndian(_ range: Range<Int>, channels: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count * channels * bits / 8)
    for frame in range {
      let sample = sample(frame)
      for _ in 0..<channels {
        for shift in stride(from: bits - 8, through: 0, by: -8) {
          bytes.append(UInt8(truncatingIfNeeded: sample >> shift))
        }
      }
    }
    return bytes
  }

  /// `audio/L16` and `audio/L24`: interleaved, big endian (RFC 2586, RFC 3190).
  var linear: [UInt8] { bigEndian(0..<frames, channels: channels) }

  /// A file of the Audio Interchange File Format 1.3.
  var aiff: [UInt8] {
    var common: [UInt8] = []
    common.append(bigEndian: UInt16(channels))
    common.append(bigEndian: UInt32(frames))
    common.append(bigEndian: UInt16(bits))
    // The rate as an 80-bit floating point number: exponent, then the significand with its leading one.
    let shift = UInt64(rate).leadingZeroBitCount
    common.append(bigEndian: UInt16(16383 + 63 - shift))
    common.append(bigEndian: UInt64(rate) << UInt64(shift))

    // Offset and block size.
    let sound = [UInt8](repeating: 0, count: 8) + linear
    let form = Array("AIFF".utf8) + Self.chunk("COMM", common) + Self.chunk("SSND", sound)
    return Self.chunk("FORM", form)
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var bytes = Array(name.utf8)
    bytes.append(bigEndian: UInt32(content.count))
    bytes += content
    if content.count % 2 == 1 { bytes.append(0) }
    return bytes
  }
}
