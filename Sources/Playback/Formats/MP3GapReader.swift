/// Finds what an MP3 file declares about its encoder's delay and padding: in the information that LAME and others put into
/// a first frame without sound, after Xing's table of contents; else in iTunes' comment in ID3v2.
///
/// Sources: “Mp3 Info Tag rev 1 specifications” by LAME's authors; ID3v2.3 and 2.4, sections 3 and 4.
struct MP3GapReader: HeadReading {
  /// What a decoder adds in front of the sound, by the same authors: 528 samples of its filters, and one.
  private static let decoderDelay = 529
  /// From the frame's beginning to the end of the fields that are read.
  private static let frameSize = 36 + 8 + 4 + 4 + 100 + 4 + 24
  private static let tagHeaderSize = 10

  private(set) var gap: EncoderGap?
  /// Xing's, or the one of Fraunhofer's encoder.
  private(set) var hasTable = false
  private var comment: ITunesGap?
  private var state = State.start

  private enum State {
    /// A tag, or the first frame.
    case start
    /// A field of a tag that ends there.
    case field(version: UInt8, end: Int)
    case comment(version: UInt8, end: Int)
    case frame
  }

  static func recognizes(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("ID3".utf8)) || isLayerIII(head)
  }

  private static func isLayerIII(_ frame: [UInt8]) -> Bool { frame[0] == 0xFF && frame[1] & 0xE6 == 0xE2 }

  let firstSize = tagHeaderSize

  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    switch state {
    case .start: return start(bytes, at: offset)
    case .field(let version, let end): return field(bytes, at: offset, version: version, end: end)
    case .comment(let version, let end):
      if let text = Self.noteInComment(bytes) { comment = comment ?? ITunesGap(text) }
      state = .field(version: version, end: end)
      return nextField(at: offset + bytes.count, end: end)
    case .frame:
      readFrame(bytes)
      return .done
    }
  }

  private mutating func start(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    guard bytes.starts(with: Array("ID3".utf8)) else {
      state = .frame
      return .read(Self.frameSize, at: offset)
    }
    let end = offset + Self.tagHeaderSize + Self.syncSafe(bytes[6..<10])
    // With its bytes changed around (0x80), or with a longer header (0x40), it is passed over whole.
    if bytes[3] == 3 || bytes[3] == 4, bytes[5] & 0xC0 == 0 {
      state = .field(version: bytes[3], end: end)
      return nextField(at: offset + Self.tagHeaderSize, end: end)
    }
    return .read(Self.tagHeaderSize, at: end)
  }

  private mutating func nextField(at offset: Int, end: Int) -> HeadStep {
    if offset + Self.tagHeaderSize <= end { return .read(Self.tagHeaderSize, at: offset) }
    state = .start
    return .read(Self.tagHeaderSize, at: end)
  }

  private mutating func field(_ bytes: [UInt8], at offset: Int, version: UInt8, end: Int) -> HeadStep {
    let size = version == 4 ? Self.syncSafe(bytes[4..<8]) : bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
    let isComment = bytes.starts(with: Array("COMM".utf8)) && size <= 1024 && size > 0
    // Zeros fill up the tag.
    guard bytes[0] != 0, offset + bytes.count + size <= end else { return nextField(at: end, end: end) }
    guard isComment, comment == nil else { return nextField(at: offset + bytes.count + size, end: end) }
    state = .comment(version: version, end: end)
    return .read(size, at: offset + bytes.count)
  }

  /// The text of iTunes' comment; nil for other comments. In UTF-16, too, letters and digits are ASCII with zeros between.
  private static func noteInComment(_ bytes: [UInt8]) -> String? {
    let text = bytes.dropFirst(4).filter { $0 != 0 }
    guard let name = text.firstRange(of: ITunesGap.name) else { return nil }
    return String(decoding: text[name.upperBound...].filter { $0 < 0x80 }, as: UTF8.self)
  }

  private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }

  private mutating func readFrame(_ bytes: [UInt8]) {
    guard bytes.count == Self.frameSize, Self.isLayerIII(bytes), bytes[2] >> 2 & 3 < 3 else { return }
    let version = bytes[1] >> 3 & 3
    let isMono = bytes[3] >> 6 == 3
    let rate = [44_100, 48_000, 32_000][Int(bytes[2] >> 2 & 3)] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    gap = comment.flatMap { EncoderGap(delay: $0.delay + Self.decoderDelay, length: $0.length, rate: rate) }

    hasTable = bytes[36..<40].elementsEqual("VBRI".utf8)
    let start = version == 3 ? (isMono ? 21 : 36) : (isMono ? 13 : 21)
    let tag = bytes[start..<start + 4]
    guard tag.elementsEqual("Xing".utf8) || tag.elementsEqual("Info".utf8) else { return }
    let fields = bytes[start + 7]
    guard fields & 1 != 0 else { return }
    hasTable = true
    let frames = bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) }
    let encoder = start + 12 + (fields & 2 != 0 ? 4 : 0) + (fields & 4 != 0 ? 100 : 0) + (fields & 8 != 0 ? 4 : 0)
    // LAME, and libavformat, which signs with a name of its own.
    let name = bytes[encoder..<encoder + 3]
    guard name.elementsEqual("LAM".utf8) || name.elementsEqual("Lav".utf8) else { return }
    let delay = Int(bytes[encoder + 21]) << 4 | Int(bytes[encoder + 22] >> 4)
    let padding = Int(bytes[encoder + 22] & 0x0F) << 8 | Int(bytes[encoder + 23])
    guard delay > 0 || padding > 0 else { return }
    gap = EncoderGap(
      delay: delay + Self.decoderDelay, length: frames * (version == 3 ? 1152 : 576) - delay - padding, rate: rate)
  }
}
