/// The first frame of many MP3 files, which holds no sound but says how much of it follows.
///
/// Source: “Mp3 Info Tag rev 1 specifications” by LAME's authors.
struct XingTag: Sendable, Equatable {
  /// Bytes from the beginning of the frame to the end of the fields that are read.
  static let frameSize = 36 + 8 + 4 + 4 + 100 + 4 + 24
  private static let marks = ["Xing", "Info"]

  let header: MP3FrameHeader
  /// How many frames follow.
  let frames: Int
  /// Bytes of all frames with this one, if it says so.
  let bytes: Int?
  /// Samples that the encoder has put around the sound, if it says so.
  let encoder: Encoder?

  struct Encoder: Sendable, Equatable {
    let delay: Int
    let padding: Int
  }

  /// Nil if the frame has no such tag, or one without the number of frames.
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
    // libavformat signs with a name of its own.
    let isKnown = ["LAM", "Lav"].contains { frame[name..<name + 3].elementsEqual($0.utf8) }
    let (delay, padding) = (number(name + 21, 3) >> 12, number(name + 21, 3) & 0xFFF)
    encoder = isKnown && (delay > 0 || padding > 0) ? Encoder(delay: delay, padding: padding) : nil
  }

  static func isMark(_ bytes: some Collection<UInt8>) -> Bool { marks.contains { bytes.elementsEqual($0.utf8) } }
}
