extension PCM {
  var wav: [UInt8] {
    let size = frames * bytesPerFrame
    var bytes = Array("RIFF".utf8)
    bytes.append(littleEndian: UInt32(36 + size))
    bytes += Array("WAVEfmt ".utf8)
    bytes.append(littleEndian: UInt32(16))
    // PCM.
    bytes.append(littleEndian: UInt16(1))
    bytes.append(littleEndian: UInt16(channels))
    bytes.append(littleEndian: UInt32(rate))
    bytes.append(littleEndian: UInt32(rate * bytesPerFrame))
    bytes.append(littleEndian: UInt16(bytesPerFrame))
    bytes.append(littleEndian: UInt16(bits))
    bytes += Array("data".utf8)
    bytes.append(littleEndian: UInt32(size))
    return bytes + samples(.littleEndian)
  }
}

extension GeneratedMedia {
  /// A WAV file of 16 bits at 44.1 kHz in two channels.
  /// - Parameter mimeType: one of the names of WAV that the device lists.
  static func wav(seconds: Double, mimeType: String = "audio/wav") -> GeneratedMedia {
    GeneratedMedia(name: "tone.wav", bytes: PCM(seconds: seconds).wav, mimeType: mimeType, duration: seconds)
  }
}
