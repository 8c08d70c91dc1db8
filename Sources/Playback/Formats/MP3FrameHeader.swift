/// The four bytes that begin a frame of MPEG audio, layer III (ISO/IEC 11172-3 section 2.4.1.3, ISO/IEC 13818-3).
struct MP3FrameHeader: Sendable, Equatable {
  /// Samples a second.
  let rate: Int
  let samplesPerFrame: Int
  /// Whether the size of the frames follows from no table: what is between two headers is a frame.
  let isFreeFormat: Bool
  /// Where Xing's tag begins in a frame that has one.
  let tagOffset: Int

  /// Nil if the bytes are no such header.
  init?(_ bytes: some Collection<UInt8>) {
    let header = Array(bytes.prefix(4))
    guard header.count == 4, Self.recognizes(header), header[2] >> 2 & 3 < 3, header[2] >> 4 < 15 else { return nil }
    let version = header[1] >> 3 & 3
    let isMono = header[3] >> 6 == 3
    rate = [44_100, 48_000, 32_000][Int(header[2] >> 2 & 3)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    samplesPerFrame = version == 3 ? 1152 : 576
    isFreeFormat = header[2] >> 4 == 0
    tagOffset = version == 3 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2 && bytes[1] >> 3 & 3 != 1
  }
}
