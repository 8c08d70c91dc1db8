/// Hides the size of the samples from GStreamer's parser in WAV files of 2 GB and more, in those without a known size,
/// and in stations' streams. A size of 0 means everything that follows. The end of a file's sound is then derived from
/// its true size.
///
/// Workaround: wavparse plays at most 2 GB, half an hour at 192 kHz and 24 bits.
/// - Upstream: gst/wavparse/gstwavparse.c; no issue known.
/// - Test: WAVHeadReaderTests.
///
/// Sources: Multimedia Programming Interface and Data Specifications 1.0 (RIFF); EBU Tech 3306 and ITU-R BS.2088
/// (`ds64`).
struct WAVHeadReader: HeadReading {
  private enum Part {
    case form, chunk, format, sizes
    /// The size field of the samples. `seen` of its four bytes have been read and hidden.
    case samples(seen: Int)
    /// The whole size field of the samples, in a file that seems to be short.
    case shortSamples
  }

  private static let typeSize = 4
  private static let headerSize = 8
  /// The parser clips sizes to this value.
  private static let clipped = 0x7FFF_FFFF

  private var part = Part.form
  private var next = 0
  private var rate = 0
  private var bytesPerFrame = 0
  private var isLong = false
  private var size = 0
  private var longSize: Int?
  private(set) var facts = HeadFacts()

  let firstSize = 12

  static func recognizes(_ head: [UInt8]) -> Bool {
    ["RIFF", "RF64", "BW64"].contains { head[..<4].elementsEqual($0.utf8) }
  }

  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    switch part {
    case .form:
      isLong =
        source.isEndless || !bytes[..<4].elementsEqual("RIFF".utf8) || Self.number(bytes[4..<8]) >= Self.clipped
      guard bytes[8..<12].elementsEqual("WAVE".utf8) else { return .done }
      part = .chunk
      return .read(Self.typeSize, at: offset + bytes.count)
    case .chunk: return readChunk(bytes, at: offset)
    case .format:
      rate = Self.number(bytes[4..<8])
      // Integer, floating-point or extensible format. Compressed formats have blocks instead of frames.
      if [1, 3, 0xFFFE].contains(Self.number(bytes[..<2])) { bytesPerFrame = Self.number(bytes[12..<14]) }
    case .sizes: longSize = Self.number(bytes[8..<16])
    case .samples(let seen):
      size |= Int(bytes[0]) << (8 * seen)
      part = .samples(seen: seen + 1)
      if seen == 3 { readSize() }
      return .change(at: offset, to: 0, then: seen < 3 ? .read(1, at: offset + 1) : .done)
    case .shortSamples:
      size = Self.number(bytes[...])
      facts.declaresNoEnd = UnknownSize.contains(size) || size == 0
      return facts.declaresNoEnd ? .hideSize(at: offset, of: source) : .done
    }
    part = .chunk
    return .read(Self.typeSize, at: next)
  }

  private mutating func readChunk(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    let type = String(decoding: bytes[..<4], as: UTF8.self)
    if type == "data" {
      guard isLong else {
        part = .shortSamples
        return .read(4, at: offset + 4)
      }
      part = .samples(seen: 0)
      return .read(1, at: offset + 4)
    }
    guard bytes.count == Self.headerSize else { return .read(Self.headerSize, at: offset) }
    let size = Self.number(bytes[4..<8])
    next = offset + Self.headerSize + size + size % 2
    switch type {
    case "fmt " where size >= 16: part = .format
    case "ds64" where size >= 16: part = .sizes
    default: return .read(Self.typeSize, at: next)
    }
    return .read(16, at: offset + Self.headerSize)
  }

  private mutating func readSize() {
    let length = longSize ?? size
    facts.declaresNoEnd = UnknownSize.contains(length) || length == 0
    guard bytesPerFrame > 0, !facts.declaresNoEnd else { return }
    facts.gap = EncoderGap(delay: 0, length: length / bytesPerFrame, rate: rate)
  }

  /// The little-endian number in the bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
