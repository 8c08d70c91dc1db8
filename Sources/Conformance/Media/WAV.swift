extension PCM {
  /// A WAV file.
  var wav: [UInt8] {
    let frameSize = channels * bits / 8
    let size = frames * frameSize
    var bytes = Array("RIFF".utf8)
    bytes.append(littleEndian: UInt32(36 + size))
    bytes += Array("WAVEfmt ".utf8)
    bytes.append(littleEndian: UInt32(16))
    // PCM.
    bytes.append(littleEndian: UInt16(1))
    bytes.append(littleEndian: UInt16(channels))
    bytes.append(littleEndian: UInt32(rate))
    bytes.append(littleEndian: UInt32(rate * frameSize))
    bytes.append(littleEndian: UInt16(frameSize))
    bytes.append(littleEndian: UInt16(bits))
    bytes += Array("data".utf8)
    bytes.append(littleEndian: UInt32(size))
    return bytes + littleEndian(size)
  }

  /// The first bytes of the tone, which repeats, in little endian.
  private func littleEndian(_ size: Int) -> [UInt8] {
    let width = bits / 8
    let samples = bigEndian(0..<Self.period, channels: channels)
    let period = stride(from: 0, to: samples.count, by: width).flatMap { samples[$0..<$0 + width].reversed() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + period.count)
    bytes += period
    while bytes.count < size { bytes += bytes.prefix(size - bytes.count) }
    return Array(bytes.prefix(size))
  }
}

extension GeneratedMedia {
  /// A WAV file of 16 bits at 44.1 kHz in two channels.
  /// - Parameter mimeType: one of the names of WAV that the device lists.
  static func wav(seconds: Double, mimeType: String = "audio/wav") -> GeneratedMedia {
    let pcm = PCM(rate: 44_100, frames: Int((seconds * 44_100).rounded()))
    return GeneratedMedia(name: "tone.wav", bytes: pcm.wav, mimeType: mimeType, duration: seconds)
  }
}
