/// Reads the encoder delay and padding that an MP3 file declares: from the tag that LAME and others write to a first
/// frame without sound, else from iTunes' comment in ID3v2.
///
/// The tag is hidden from GStreamer's parser where it does not describe the whole stream: in stations' streams, and in
/// concatenated files.
///
/// Sources: “Mp3 Info Tag rev 1 specifications” by LAME's authors; ID3v2.3 and 2.4, sections 3 and 4.
struct MP3HeadReader: HeadReading {
  /// Samples that a decoder adds before the sound, according to LAME's authors: 528 from its filters, plus one.
  static let decoderDelay = 529
  private static let tagHeaderSize = 10
  private static let markSize = 4
  /// Offset of Fraunhofer's tag in a frame.
  private static let fraunhoferOffset = 36

  private(set) var facts = HeadFacts(isWithoutIndex: true)
  private var comment: ITunesGap?
  private var state = State.start

  private enum State {
    /// An ID3v2 tag, or the first frame.
    case start
    /// A field of an ID3v2 tag that ends at `end`.
    case field(version: UInt8, end: Int)
    case comment(version: UInt8, end: Int)
    case frame
    /// The bytes where a tag's mark may be, in a station's first frame, which begins at `frame`.
    case marks(frame: Int, MP3FrameHeader)
  }

  static func recognizes(_ head: [UInt8]) -> Bool {
    head.starts(with: Array("ID3".utf8)) || (head[0] == 0xFF && head[1] & 0xE6 == 0xE2)
  }

  let firstSize = tagHeaderSize

  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    switch state {
    case .start: return start(bytes, at: offset, of: source)
    case .field(let version, let end): return field(bytes, at: offset, version: version, end: end)
    case .comment(let version, let end):
      if let text = Self.gapText(inComment: bytes) { comment = comment ?? ITunesGap(text) }
      state = .field(version: version, end: end)
      return nextField(at: offset + bytes.count, end: end)
    case .frame: return readFrame(bytes, at: offset, of: source)
    case .marks(let frame, let header): return hideMark(bytes, at: offset, frame: frame, header)
    }
  }

  private mutating func start(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    guard bytes.starts(with: Array("ID3".utf8)) else {
      guard source.isEndless else {
        state = .frame
        return .read(XingTag.frameSize, at: offset)
      }
      guard let header = MP3FrameHeader(bytes) else { return .done }
      state = .marks(frame: offset, header)
      return .read(Self.markSize, at: offset + header.tagOffset)
    }
    let end = offset + Self.tagHeaderSize + Self.syncSafe(bytes[6..<10])
    // Tags with unsynchronisation (0x80) or an extended header (0x40) are skipped.
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
    // Zeros are padding at the end of the tag.
    guard bytes[0] != 0, offset + bytes.count + size <= end else { return nextField(at: end, end: end) }
    guard isComment, comment == nil else { return nextField(at: offset + bytes.count + size, end: end) }
    state = .comment(version: version, end: end)
    return .read(size, at: offset + bytes.count)
  }

  /// The text of iTunes' comment; nil for other comments. In UTF-16, too, letters and digits are ASCII with zero bytes
  /// between.
  private static func gapText(inComment bytes: [UInt8]) -> String? {
    let text = bytes.dropFirst(4).filter { $0 != 0 }
    guard let name = text.firstRange(of: ITunesGap.name) else { return nil }
    return String(decoding: text[name.upperBound...].filter { $0 < 0x80 }, as: UTF8.self)
  }

  private static func syncSafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }

  private mutating func readFrame(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    guard let header = MP3FrameHeader(bytes) else { return .done }
    facts.gap = comment.flatMap {
      EncoderGap(delay: $0.delay + Self.decoderDelay, length: $0.length, rate: header.rate)
    }
    facts.hasTable = bytes[Self.fraunhoferOffset..<Self.fraunhoferOffset + 4].elementsEqual("VBRI".utf8)
    guard let tag = XingTag(bytes) else { return .done }
    let lastOfMark = offset + header.tagOffset + Self.markSize - 1
    let parts = MP3Parts(first: tag, at: offset, size: source.size, isHidden: lastOfMark >= source.changeableFrom)
    facts.parts = parts
    if let parts {
      facts.gap = parts.gap
      return .change(at: lastOfMark, to: 0, then: .done)
    }
    facts.hasTable = true
    if let encoder = tag.encoder {
      let length = tag.frames * header.samplesPerFrame - encoder.delay - encoder.padding
      facts.gap = EncoderGap(delay: encoder.delay + Self.decoderDelay, length: length, rate: header.rate)
    }
    return .done
  }

  /// Hides the tag in a station's first frame: it declares only the length of the first item.
  private mutating func hideMark(_ bytes: [UInt8], at offset: Int, frame: Int, _ header: MP3FrameHeader) -> HeadStep {
    let isFraunhofer = bytes.elementsEqual("VBRI".utf8) && offset == frame + Self.fraunhoferOffset
    if isFraunhofer || XingTag.isMark(bytes) { return .change(at: offset + bytes.count - 1, to: 0, then: .done) }
    guard offset < frame + Self.fraunhoferOffset else { return .done }
    return .read(Self.markSize, at: frame + Self.fraunhoferOffset)
  }
}
