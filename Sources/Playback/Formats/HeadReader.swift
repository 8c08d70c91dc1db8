/// Parses the head of a stream as it passes: encoder delay and padding, duration, index. Changes some fields on their
/// way to the demuxer.
///
/// Keeps only the fields it needs, so that large pictures between them use no memory. If the next field is elsewhere in
/// the file, the reader skips bytes until the stream gets there, in order or by a seek of the demuxer.
package struct HeadReader {
  private enum State {
    case undecided
    case reading(any HeadReading)
    case done
  }

  /// Set before the first bytes are read.
  package var source = HeadSource()
  private var state = State.undecided
  private var offset = 0
  private var wanted = firstSize
  private var pending: [UInt8] = []
  package private(set) var facts = HeadFacts()

  /// Number of bytes that identify the file format. No format's `firstSize` is smaller.
  private static let firstSize = 8

  package init() {}

  /// Whether no more bytes are needed.
  package var isDone: Bool { if case .done = state { true } else { false } }

  /// Changed bytes by their offset in the file. A demuxer that reads them again must see the same changes.
  private var changes: [Int: UInt8] = [:]

  /// Reads the next bytes of the stream.
  /// - Parameters:
  ///   - bytes: the next bytes of the stream.
  ///   - position: their offset in the file.
  /// - Returns: the changes to make to these bytes.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> [(index: Int, value: UInt8)] {
    source.changeableFrom = position
    while !isDone {
      let index = offset + pending.count - position
      guard bytes.indices.contains(index) else { break }
      pending += bytes[index..<min(bytes.count, index + wanted - pending.count)]
      guard pending.count == wanted else { break }
      perform(step())
    }
    return changes(in: position..<position + bytes.count).map { ($0.key - position, $0.value) }
  }

  /// Whether bytes of the range must be changed.
  package func isChanging(_ range: Range<Int>) -> Bool { !changes(in: range).isEmpty }

  /// Whether any bytes must be changed whenever the demuxer reads them.
  package var hasChanges: Bool { !changes.isEmpty }

  private mutating func perform(_ step: HeadStep) {
    switch step {
    case .read(let count, let next):
      // The reader of the format reads again the bytes that identified it.
      let again = next >= offset && next < offset + pending.count ? pending.dropFirst(next - offset) : []
      pending = Array(again.prefix(count))
      (offset, wanted) = (next, count)
    case .change(let place, let value, let next):
      if place >= source.changeableFrom { changes[place] = value }
      perform(next)
    case .done: state = .done
    }
  }

  private func changes(in range: Range<Int>) -> [Int: UInt8] {
    changes.isEmpty ? [:] : changes.filter { range.contains($0.key) }
  }

  private mutating func step() -> HeadStep {
    switch state {
    case .undecided:
      let readers: [any HeadReading.Type] = [
        MP3HeadReader.self, MP4HeadReader.self, FLACHeadReader.self, WAVHeadReader.self, AIFFHeadReader.self,
        SpeexHeadReader.self, BlockHeadReader.self,
      ]
      guard let kind = readers.first(where: { $0.recognizes(pending) }) else {
        // AAC in ADTS.
        facts.isWithoutIndex = pending[0] == 0xFF && pending[1] & 0xF6 == 0xF0
        return .done
      }
      let reader = kind.init()
      facts = reader.facts
      state = .reading(reader)
      return .read(reader.firstSize, at: offset)
    case .reading(var reader):
      let step = reader.take(pending, at: offset, of: source)
      state = .reading(reader)
      facts = reader.facts
      return step
    case .done: return .done
    }
  }
}

/// The next step of a `HeadReading`.
indirect enum HeadStep {
  /// Read this many bytes from an offset in the file.
  case read(Int, at: Int)
  /// Change the byte at an offset in the file, then continue. The last byte just read can be changed. Earlier bytes may
  /// have passed already, and then stay unchanged.
  case change(at: Int, to: UInt8, then: HeadStep)
  case done

  /// Changes the four bytes of a size to 0. If some have passed already, none is changed: half of a size is a wrong one.
  static func hideSize(at offset: Int, of source: HeadSource) -> HeadStep {
    guard offset >= source.changeableFrom else { return .done }
    return (offset..<offset + 4).reduce(.done) { .change(at: $1, to: 0, then: $0) }
  }
}

/// Parses the head of one file format.
protocol HeadReading: Sendable {
  init()
  /// - Parameter head: the first eight bytes.
  static func recognizes(_ head: [UInt8]) -> Bool
  /// Number of bytes to read first.
  var firstSize: Int { get }
  var facts: HeadFacts { get }
  /// Processes the requested bytes.
  /// - Parameters:
  ///   - bytes: exactly as many bytes as requested.
  ///   - offset: their offset in the file.
  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep
  /// For formats whose parsing also depends on what the server reports about the stream.
  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep
}

extension HeadReading {
  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep { .done }
  mutating func take(_ bytes: [UInt8], at offset: Int, of source: HeadSource) -> HeadStep { take(bytes, at: offset) }
}

/// Facts about a stream that the server reports.
package struct HeadSource: Sendable, Equatable {
  /// Whether the stream is a station's: the lengths in its head are meaningless and hidden from the demuxer.
  package var isEndless = false
  /// Size of the file in bytes, if known.
  package var size: Int?
  /// Offset of the first byte that can still be changed.
  var changeableFrom = 0

  package init(isEndless: Bool = false, size: Int? = nil, changeableFrom: Int = 0) {
    self.isEndless = isEndless
    self.size = size
    self.changeableFrom = changeableFrom
  }
}

/// Sizes that mean "unknown". Programs that stream while encoding write the largest number of 31, 32, 63 or 64 bits, or
/// slightly less. SoX writes 0x7F000000 to AIFF.
package enum UnknownSize {
  private static let ranges = [
    0x7EFF_FF00...0x7F00_1000, 0x7FFF_0000...0x8000_FFFF, 0xFFFF_0000...0xFFFF_FFFF, 1 << 50...Int.max,
  ]

  package static func contains(_ size: Int) -> Bool { size < 0 || ranges.contains { $0.contains(size) } }
}
