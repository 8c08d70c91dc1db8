/// Hides the length in the head of a station's AIFF stream and of a file of unknown length: GStreamer's parser stops at that
/// length, and reads everything if it is 0. The duration of such a file is derived from its size.
///
/// Source: Audio Interchange File Format 1.3, sections “Chunks” and “Sound Data Chunk”.
struct AIFFHeadReader: HeadReading {
  private enum Part {
    case form, chunk, common
    /// The size field of the samples.
    case samples
    /// The same in a station's stream. `hidden` of its four bytes are hidden already.
    case hiddenSamples(hidden: Int)
  }

  private static let typeSize = 4
  private static let headerSize = 8
  /// The offset and the block size, which the size of the samples' chunk includes.
  private static let prefixSize = 8
  private static let commonSize = 18
  /// Uncompressed codings of AIFF-C.
  private static let linear = ["NONE", "twos", "sowt"]

  private var part = Part.form
  private var next = 0
  private var rate = 0.0
  private var bytesPerFrame = 0
  private(set) var facts = HeadFacts()
  let firstSize = 12

  static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "FORM".utf8) }

  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    switch part {
    case .form:
      guard ["AIFF", "AIFC"].contains(where: { bytes[8..<12].elementsEqual($0.utf8) }) else { return .done }
      part = .chunk
      return .read(Self.typeSize, at: offset + bytes.count)
    case .chunk: return readChunk(bytes, at: offset, of: source)
    case .common:
      readCommon(bytes)
      part = .chunk
      return .read(Self.typeSize, at: next)
    case .samples:
      let size = Self.number(bytes[...])
      facts.declaresNoEnd = UnknownSize.contains(size) || size <= Self.prefixSize
      guard facts.declaresNoEnd else { return .done }
      facts.duration = source.size.flatMap { length(ofBytes: $0 - offset - 4 - Self.prefixSize) }
      return .hideSize(at: offset, of: source)
    case .hiddenSamples(let hidden):
      part = .hiddenSamples(hidden: hidden + 1)
      return .change(at: offset, to: 0, then: hidden < 3 ? .read(1, at: offset + 1) : .done)
    }
  }

  private mutating func readChunk(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    if bytes.starts(with: "SSND".utf8) {
      part = source.isEndless ? .hiddenSamples(hidden: 0) : .samples
      return .read(source.isEndless ? 1 : 4, at: offset + Self.typeSize)
    }
    guard bytes.count == Self.headerSize else { return .read(Self.headerSize, at: offset) }
    let size = Self.number(bytes[4...])
    next = offset + Self.headerSize + size + size % 2
    guard bytes.starts(with: "COMM".utf8), size >= Self.commonSize else { return .read(Self.typeSize, at: next) }
    part = .common
    return .read(min(size, Self.commonSize + Self.typeSize), at: offset + Self.headerSize)
  }

  /// Reads channels, bits of a sample, the rate, an 80-bit floating-point number, and the coding of AIFF-C.
  private mutating func readCommon(_ bytes: [UInt8]) {
    let coding = bytes[Self.commonSize...]
    guard coding.count < Self.typeSize || Self.linear.contains(where: { coding.elementsEqual($0.utf8) }) else { return }
    bytesPerFrame = Self.number(bytes[..<2]) * ((Self.number(bytes[6..<8]) + 7) / 8)
    let exponent = Self.number(bytes[8..<10]) - 16_383 - 31
    guard (-31...0).contains(exponent) else { return }
    rate = Double(Self.number(bytes[10..<14]) >> -exponent)
  }

  private func length(ofBytes count: Int) -> Duration? {
    guard bytesPerFrame > 0, rate > 0, count > 0 else { return nil }
    return .seconds(Double(count / bytesPerFrame) / rate)
  }

  /// The big-endian number in the bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
