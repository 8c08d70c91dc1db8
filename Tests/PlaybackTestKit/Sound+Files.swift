/// PCM files of the samples, with the common variants of headers.
extension Sound {
  package var wav: [UInt8] { riff(format: waveFormat(tag: isFloat ? 3 : 1)) }

  /// A WAV file with the longer header (WAVE_FORMAT_EXTENSIBLE).
  /// - Parameter mask: the channel mask; 0 for none.
  package func extensibleWAV(mask: Int) -> [UInt8] {
    let identifier: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let more = little(22, 2) + little(depth, 2) + little(mask, 4) + little(isFloat ? 3 : 1, 2) + identifier
    return riff(format: waveFormat(tag: 0xFFFE) + more)
  }

  private func waveFormat(tag: Int) -> [UInt8] {
    little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * bytesPerFrame, 4)
      + little(bytesPerFrame, 2) + little(depth, 2)
  }

  private func riff(format: [UInt8]) -> [UInt8] {
    let body = Array("WAVEfmt ".utf8) + little(format.count, 4) + format + Array("data".utf8) + little(samples.count, 4)
    return Array("RIFF".utf8) + little(body.count + samples.count, 4) + body + samples
  }

  /// An AIFF or AIFF-C file of the samples.
  /// - Parameter compression: AIFF-C's compression type. Samples are little-endian for `sowt` and big-endian for all
  ///   others.
  package func aiff(_ compression: String? = nil) -> [UInt8] {
    let exponent = Int.bitWidth - 1 - rate.leadingZeroBitCount
    var common = big(channels, 2) + big(frames, 4) + big(depth, 2)
    // The rate is an 80-bit floating-point number.
    common += big(16_383 + exponent, 2) + big(rate << (31 - exponent), 4) + big(0, 4)
    if let compression { common += Array(compression.utf8) + [0, 0] }
    let sound = big(0, 8) + (compression == "sowt" ? samples : bigEndianSamples)
    var body = Array((compression == nil ? "AIFF" : "AIFC").utf8)
    if compression != nil { body += Array("FVER".utf8) + big(4, 4) + big(0xA280_5140, 4) }
    body += Array("COMM".utf8) + big(common.count, 4) + common
    body += Array("SSND".utf8) + big(sound.count, 4) + sound
    return Array("FORM".utf8) + big(body.count, 4) + body
  }

  /// The samples in big-endian order.
  package var bigEndianSamples: [UInt8] {
    var swapped = samples
    let width = depth / 8
    for start in stride(from: 0, to: swapped.count, by: width) { swapped[start..<start + width].reverse() }
    return swapped
  }

  private func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func big(_ value: Int, _ bytes: Int) -> [UInt8] { little(value, bytes).reversed() }
}
