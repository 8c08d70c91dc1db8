/// Reads the beginning of a stream while it passes, as far as it tells of samples that are not to be heard, and of where the
/// others lie.
///
/// Only what is of interest is kept, however large the pictures between are. What is wanted next may lie elsewhere: then
/// bytes are passed over until the stream gets there, by itself or because its demuxer wants to read there as well.
struct HeadReader {
  private enum State {
    case undecided
    case reading(any HeadReading)
    case done
  }

  private var state = State.undecided
  private var offset = 0
  private var wanted = firstSize
  private var pending: [UInt8] = []
  private(set) var gap: EncoderGap?
  /// How long the sound is, where its demuxer cannot be asked.
  private(set) var duration: Duration?

  /// How much sound comes before the stream's time zero and is heard all the same.
  private(set) var lead = Duration.zero

  /// Whether such a stream says at its beginning how long it is, and roughly where in it a place in time lies.
  private(set) var hasTable = false

  /// Whether the sound comes in fragments, of which the demuxer knows those only that it has read.
  private(set) var isFragmented = false

  /// What a FLAC file says of itself.
  private(set) var flac: FLACLayout?

  /// Whether it is frame after frame without an index (MP3, AAC in ADTS): then a place in time is found by reading all
  /// that comes before it.
  private(set) var isWithoutIndex = false

  /// As many bytes as decide what kind of file it is, which is no more than every kind wants to begin with.
  private static let firstSize = 8

  /// Whether nothing more is wanted.
  var isDone: Bool { if case .done = state { true } else { false } }

  /// - Parameters:
  ///   - bytes: what passes.
  ///   - position: where in the file it lies.
  /// - Returns: which of the bytes are to be changed on their way, and into what.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> [(index: Int, value: UInt8)] {
    var changes: [(index: Int, value: UInt8)] = []
    while !isDone {
      let index = offset + pending.count - position
      guard bytes.indices.contains(index) else { break }
      pending += bytes[index..<min(bytes.count, index + wanted - pending.count)]
      guard pending.count == wanted else { break }
      switch step() {
      case .read(let count, let next):
        // What was read to decide on a kind is read again by who knows the kind.
        let again = next >= offset && next < offset + pending.count ? pending.dropFirst(next - offset) : []
        pending = Array(again.prefix(count))
        (offset, wanted) = (next, count)
      case .change(let value, let count, let next):
        changes.append((offset + pending.count - 1 - position, value))
        pending = []
        (offset, wanted) = (next, count)
      case .done: state = .done
      }
    }
    return changes
  }

  private mutating func step() -> HeadStep {
    switch state {
    case .undecided:
      isWithoutIndex = MP3GapReader.recognizes(pending) || (pending[0] == 0xFF && pending[1] & 0xF6 == 0xF0)
      let readers: [any HeadReading.Type] = [
        MP3GapReader.self, MP4GapReader.self, FLACHeadReader.self, WAVHeadReader.self, SpeexHeadReader.self,
      ]
      guard let kind = readers.first(where: { $0.recognizes(pending) }) else { return .done }
      let reader = kind.init()
      state = .reading(reader)
      return .read(reader.firstSize, at: offset)
    case .reading(var reader):
      let step = reader.take(pending, at: offset)
      state = .reading(reader)
      gap = reader.gap
      duration = reader.duration
      lead = reader.lead
      hasTable = reader.hasTable
      isFragmented = reader.isFragmented
      flac = reader.flac
      return step
    case .done: return .done
    }
  }
}

/// What is to be done after some bytes of a stream's head.
enum HeadStep {
  /// So many bytes are wanted, from there.
  case read(Int, at: Int)
  /// The last of the bytes is to be changed into this one; then so many are wanted from there.
  case change(UInt8, read: Int, at: Int)
  case done
}

/// Knows one kind of file.
protocol HeadReading: Sendable {
  init()
  /// - Parameter head: the first eight bytes.
  static func recognizes(_ head: [UInt8]) -> Bool
  /// How many bytes are wanted first.
  var firstSize: Int { get }
  var gap: EncoderGap? { get }
  var duration: Duration? { get }
  /// How much sound comes before the stream's time zero and is heard all the same.
  var lead: Duration { get }
  /// Whether a stream of frames has a table of contents.
  var hasTable: Bool { get }
  /// Whether the sound comes in fragments (ISO/IEC 14496-12 section 8.8).
  var isFragmented: Bool { get }
  var flac: FLACLayout? { get }
  /// - Parameters:
  ///   - bytes: as many as were wanted.
  ///   - offset: where in the file they lie.
  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep
}

extension HeadReading {
  var gap: EncoderGap? { nil }
  var duration: Duration? { nil }
  var lead: Duration { .zero }
  var hasTable: Bool { false }
  var isFragmented: Bool { false }
  var flac: FLACLayout? { nil }
}
