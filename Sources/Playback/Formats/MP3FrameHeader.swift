/// The four-byte header of a frame of MPEG audio, layer III (ISO/IEC 11172-3 §2.4.1.3, ISO/IEC 13818-3).
struct MP3FrameHeader: Sendable, Equatable {
  /// Samples per second.
  let rate: Int
  let samplesPerFrame: Int
  /// Offset of the Xing tag in a frame that has one.
  let tagOffset: Int

  /// Nil if the bytes are not a frame header.
  init?(_ bytes: some Collection<UInt8>) {
    let header = Array(bytes.prefix(4))
    guard header.count == 4, Self.recognizes(header), header[2] >> 2 & 3 < 3, header[2] >> 4 < 15 else { return nil }
    let version = header[1] >> 3 & 3
    let isMono = header[3] >> 6 == 3
    rate = [44_100, 48_000, 32_000][Int(header[2] >> 2 & 3)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    samplesPerFrame = version == 3 ? 1152 : 576
    tagOffset = version == 3 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
  }

  static func recognizes(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & 0xE6 == 0xE2 && bytes[1] >> 3 & 3 != 1
  }
}

/// The Xing tag: the first frame of many MP3 files, which has no sound and declares the number of frames that follow.
///
/// Source: “Mp3 Info Tag rev 1 specifications” by LAME's authors.
struct XingTag: Sendable, Equatable {
  /// Size of the frame up to the last field that is read, in bytes.
  static let frameSize = 36 + 8 + 4 + 4 + 100 + 4 + 24
  private static let marks = ["Xing", "Info"]

  let header: MP3FrameHeader
  /// Number of frames that follow.
  let frames: Int
  /// Size of all frames including this one in bytes, if declared.
  let bytes: Int?
  /// Samples that the encoder added around the sound, if declared.
  let encoder: Encoder?

  struct Encoder: Sendable, Equatable {
    let delay: Int
    let padding: Int
  }

  /// Nil if the frame has no such tag, or a tag without the number of frames.
  init?(_ frame: [UInt8]) {
    guard frame.count >= Self.frameSize, let header = MP3FrameHeader(frame) else { return nil }
    let start = header.tagOffset
    guard Self.isMark(frame[start..<start + 4]) else { return nil }
    let fields = frame[start + 7]
    guard fields & 1 != 0 else { return nil }
    func number(_ place: Int, _ size: Int) -> Int { frame[place..<place + size].reduce(0) { $0 << 8 | Int($1) } }
    self.header = header
    frames = number(start + 8, 4)
    let size = fields & 2 != 0 ? number(start + 12, 4) : 0
    bytes = size > 0 ? size : nil
    let name = start + 12 + (fields & 2 != 0 ? 4 : 0) + (fields & 4 != 0 ? 100 : 0) + (fields & 8 != 0 ? 4 : 0)
    // libavformat writes its own name.
    let isKnown = ["LAM", "Lav"].contains { frame[name..<name + 3].elementsEqual($0.utf8) }
    let (delay, padding) = (number(name + 21, 3) >> 12, number(name + 21, 3) & 0xFFF)
    encoder = isKnown && (delay > 0 || padding > 0) ? Encoder(delay: delay, padding: padding) : nil
  }

  static func isMark(_ bytes: some Collection<UInt8>) -> Bool { marks.contains { bytes.elementsEqual($0.utf8) } }
}
