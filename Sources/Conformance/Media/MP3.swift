/// Writes MPEG-1 audio, layer III: digital silence with a constant bit rate of 128 kbit/s, 44.1 kHz, stereo.
enum MP3 {
  static let rate = 44_100
  static let frameLength = 1152
  /// Bytes per second.
  private static let byteRate = 16_000

  static func stream(frames: Int) -> [UInt8] {
    (0..<frames).flatMap { number in
      // Padding keeps the average at the bit rate.
      let end = (number + 1) * frameLength * byteRate / rate
      let size = end - number * frameLength * byteRate / rate
      let isPadded = size > frameLength * byteRate / rate
      // Sync word, MPEG-1, layer III, no CRC; then the index of 128 kbit/s, the index of 44.1 kHz, and padding.
      let header: [UInt8] = [0xFF, 0xFB, 0x90 | (isPadded ? 2 : 0), 0]
      // Side information of zeros has no coded spectrum.
      return header + [UInt8](repeating: 0, count: size - header.count)
    }
  }
}
