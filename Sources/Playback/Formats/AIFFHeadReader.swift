/// Hides the length in the head of a station's AIFF stream. GStreamer's parser stops at that length, and treats a size
/// of 0 as everything that follows.
///
/// Source: Audio Interchange File Format 1.3, sections “Chunks” and “Sound Data Chunk”.
struct AIFFHeadReader: HeadReading {
  private enum Part {
    case form, chunk
    /// The size field of the samples. `hidden` of its four bytes are hidden already.
    case samples(hidden: Int)
  }

  private static let typeSize = 4
  private static let headerSize = 8

  private var part = Part.form
  let firstSize = 12

  static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "FORM".utf8) }

  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep {
    switch part {
    case .form:
      let isSound = ["AIFF", "AIFC"].contains { bytes[8..<12].elementsEqual($0.utf8) }
      guard source.isEndless, isSound else { return .done }
      part = .chunk
      return .read(Self.typeSize, at: offset + bytes.count)
    case .chunk:
      if bytes.starts(with: "SSND".utf8) {
        part = .samples(hidden: 0)
        return .read(1, at: offset + Self.typeSize)
      }
      guard bytes.count == Self.headerSize else { return .read(Self.headerSize, at: offset) }
      let size = bytes[4...].reduce(0) { $0 << 8 | Int($1) }
      return .read(Self.typeSize, at: offset + Self.headerSize + size + size % 2)
    case .samples(let hidden):
      part = .samples(hidden: hidden + 1)
      return .change(at: offset, to: 0, then: hidden < 3 ? .read(1, at: offset + 1) : .done)
    }
  }
}
