/// The settings of an ALAC stream, which MP4 files and GStreamer's `codec_data` contain.
///
/// Source: `ALACSpecificConfig` in “ALACMagicCookieDescription.txt” of Apple's ALAC project.
package struct ALACCookie: Sendable, Equatable {
  /// Bits of a sample. Decoders output 20 and 24 bits in 32.
  package let bitDepth: Int

  /// Nil if the bytes are not the settings of an ALAC stream.
  /// - Parameter bytes: the settings, with or without the header of the MP4 box.
  package init?(_ bytes: [UInt8]) {
    // Box: size, type, version with flags.
    let header = bytes.count >= 12 && bytes[4..<8].elementsEqual("alac".utf8) ? 12 : 0
    // Settings: frame length in 4 bytes, version, bit depth, and 18 more bytes.
    guard bytes.count >= header + 24, [16, 20, 24, 32].contains(bytes[header + 5]) else { return nil }
    bitDepth = Int(bytes[header + 5])
  }
}
