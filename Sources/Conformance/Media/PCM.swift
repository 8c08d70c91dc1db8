/// A quiet tone as samples: about -40 dB.
struct PCM: Sendable {
  enum Order {
    case bigEndian, littleEndian
  }

  let rate: Int
  /// 16 or 24.
  let bits: Int
  let channels: Int
  let frames: Int

  init(rate: Int = 44_100, bits: Int = 16, channels: Int = 2, frames: Int) {
    self.rate = rate
    self.bits = bits
    self.channels = channels
    self.frames = frames
  }

  init(seconds: Double, rate: Int = 44_100, bits: Int = 16, channels: Int = 2) {
    self.init(rate: rate, bits: bits, channels: channels, frames: Int((seconds * Double(rate)).rounded()))
  }

  /// In seconds.
  var duration: Double { Double(frames) / Double(rate) }

  var bytesPerFrame: Int { channels * bits / 8 }

  /// Frames of a triangle wave; its frequency is a hundredth of the rate.
  private static let period = 100

  /// The value of a frame in all channels.
  func sample(_ frame: Int) -> Int {
    let amplitude = 1 << (bits - 8)
    let phase = frame % Self.period
    return amplitude - abs(phase - Self.period / 2) * 4 * amplitude / Self.period
  }

  /// The samples of some frames, interleaved.
  func samples(_ range: Range<Int>, channels: Int, _ order: Order) -> [UInt8] {
    let width = bits / 8
    var period: [UInt8] = []
    for frame in 0..<Self.period {
      let sample = sample(range.lowerBound + frame)
      let bigEndian = (0..<width).map { UInt8(truncatingIfNeeded: sample >> (8 * (width - 1 - $0))) }
      for _ in 0..<channels { period += order == .bigEndian ? bigEndian : bigEndian.reversed() }
    }
    let count = range.count * channels * width
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    bytes += period.prefix(count)
    while bytes.count < count { bytes += bytes.prefix(count - bytes.count) }
    return bytes
  }

  /// All samples, interleaved.
  func samples(_ order: Order) -> [UInt8] { samples(0..<frames, channels: channels, order) }

  /// `audio/L16` and `audio/L24`: interleaved, big endian (RFC 2586, RFC 3190).
  var linear: [UInt8] { samples(.bigEndian) }

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
