/// Reads the stream information and the seek table, if any, of a FLAC file (RFC 9639 sections 8.1, 8.2 and 8.5).
struct FLACHeadReader: HeadReading {
  private static let headerSize = 4
  private static let streamInfoSize = 34
  private static let seekPointSize = 18
  private static let (streamInfo, seekTable) = (UInt8(0), UInt8(3))
  /// Larger seek tables are skipped.
  private static let largestTable = 4_000 * seekPointSize

  private var info: FLACLayout?
  /// The seek points of the table. Their offsets count from the first frame.
  private var points: [FLACPlace] = []
  private var block: (type: UInt8, isLast: Bool)?
  private var isAtFrame = false
  private(set) var facts = HeadFacts()

  /// The file's signature and the header of the first metadata block.
  let firstSize = 4 + headerSize

  static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: "fLaC".utf8) }

  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    let end = offset + bytes.count
    if isAtFrame {
      finish(bytes, at: offset)
      return .done
    }
    if let block {
      self.block = nil
      if block.type == Self.seekTable { readTable(bytes) } else { info = Self.layout(bytes) }
      return next(isLast: block.isLast, at: end)
    }
    let header = bytes.suffix(Self.headerSize)
    guard let first = header.first else { return .done }
    let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    let (type, isLast) = (first & 0x7F, first & 0x80 != 0)
    let isWanted =
      type == Self.streamInfo && length == Self.streamInfoSize
      || type == Self.seekTable && (1...Self.largestTable).contains(length)
    if isWanted {
      block = (type, isLast)
      return .read(length, at: end)
    }
    return next(isLast: isLast, at: end + length)
  }

  private mutating func next(isLast: Bool, at offset: Int) -> HeadStep {
    isAtFrame = isLast
    return .read(isLast ? 2 : Self.headerSize, at: offset)
  }

  private mutating func finish(_ frame: [UInt8], at firstFrame: Int) {
    guard var info, frame.first == 0xFF, let mark = frame.last, mark & 0xFE == 0xF8 else { return }
    info.isVarying = mark & 1 != 0
    info.places = [FLACPlace(sample: 0, offset: firstFrame)]
    for point in points {
      guard let last = info.places.last, point.sample > last.sample, point.offset + firstFrame > last.offset,
        info.samples == 0 || point.sample < info.samples
      else { continue }
      info.places.append(FLACPlace(sample: point.sample, offset: point.offset + firstFrame))
    }
    facts.flac = info
  }

  /// Nil if the values are invalid.
  private static func layout(_ bytes: [UInt8]) -> FLACLayout? {
    guard bytes.count == streamInfoSize else { return nil }
    let packed = number(bytes[10..<18])
    let layout = FLACLayout(
      blockSize: number(bytes[2..<4]), rate: packed >> 44 & 0xF_FFFF, channels: packed >> 41 & 7 + 1,
      depth: packed >> 36 & 0x1F + 1, samples: packed & 0xF_FFFF_FFFF, largestFrame: number(bytes[7..<10]))
    return layout.rate > 0 && layout.blockSize >= 16 && layout.depth >= 4 ? layout : nil
  }

  private mutating func readTable(_ bytes: [UInt8]) {
    for start in stride(from: 0, through: bytes.count - Self.seekPointSize, by: Self.seekPointSize) {
      let sample = Self.number(bytes[start..<start + 8])
      let offset = Self.number(bytes[start + 8..<start + 16])
      // Placeholder points have all bits set.
      guard (0..<1 << 36).contains(sample), (0..<1 << 48).contains(offset) else { continue }
      points.append(FLACPlace(sample: sample, offset: offset))
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// The position of a frame in a FLAC file.
package struct FLACPlace: Sendable, Equatable {
  /// Of the frame's first sample.
  package var sample: Int
  /// Offset of the frame's first byte.
  package var offset: Int

  package init(sample: Int, offset: Int) {
    self.sample = sample
    self.offset = offset
  }
}

/// The header of a FLAC file (RFC 9639 §8).
package struct FLACLayout: Sendable, Equatable {
  /// Samples per channel in a frame; the last frame may have fewer.
  var blockSize = 0
  /// Whether frames vary in size.
  package var isVarying = false
  var rate = 0
  var channels = 0
  /// Bits per sample.
  var depth = 0
  /// Samples per channel of the file; 0 if unknown.
  package var samples = 0
  /// Largest frame in bytes; 0 if unknown.
  var largestFrame = 0
  /// The first frame and the frames of the seek table, in order.
  package var places: [FLACPlace] = []

  /// Bytes of one uncompressed sample of all channels. Frames are hardly ever larger than their uncompressed samples.
  var bytesPerSample: Int { channels * ((depth + 7) / 8) }

  /// Declared duration, if any. flacparse does not report it if the file size is unknown.
  package var duration: Duration? {
    samples > 0 ? nanoseconds(ofSample: samples).map { .nanoseconds(Int64($0)) } : nil
  }

  /// Time of a sample in nanoseconds; nil if the rate is invalid or the time is beyond a century.
  package func nanoseconds(ofSample sample: Int) -> Int? {
    guard rate > 0 else { return nil }
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
    guard 0..<1 << 32 ~= seconds else { return nil }
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
  }
}
