import PlaybackFormats
import PlaybackModel

/// The first bytes of a stream as the server sends them. Parses their declarations, and keeps them while they may be a
/// playlist.
struct StreamHead {
  struct Reading {
    /// Changes to make to the bytes.
    var changes: [(index: Int, value: UInt8)]
    /// Whether the head is complete with this buffer.
    var endsHead: Bool
    /// Whether no more buffers are needed.
    var isDone: Bool
  }

  /// Kept while the stream may be a playlist; nil once it is known to be audio.
  private(set) var bytes: [UInt8]? = []
  private var reader = HeadReader()
  /// Size announced by the server, in bytes; nil if unknown.
  var size: Int64? { didSet { nature.hasSize = size != nil } }
  /// The nature of the stream according to server and item.
  var nature = StreamNature()
  /// How the body ended; nil before that.
  var bodyEnd: StreamNature.End?
  /// Whether the server has sent anything.
  private(set) var hasReceived = false
  /// When the server began to send, or when the last seek was requested.
  private(set) var began: ContinuousClock.Instant?
  /// Whether the stream is a chain of Ogg streams.
  private(set) var isChained = false
  /// Whether the head is complete. After that, only bytes that must be changed are read.
  private var isRead = false
  private var ogg = OggChain()

  /// The facts that the stream declares.
  var facts: HeadFacts { reader.facts }

  /// Whether `bytes` is the whole document, or as much of it as is read.
  var isComplete: Bool {
    let count = bytes?.count ?? 0
    return count >= PlaylistDocument.limit || size.map { count >= $0 } ?? false
  }

  /// Number of bytes that can still be kept.
  private var room: Int { bytes.map { max(0, PlaylistDocument.limit - $0.count) } ?? 0 }

  /// Discards the bytes: the stream is audio, not a playlist.
  mutating func discardBytes() { bytes = nil }

  /// Whether bytes of the range must be read or changed.
  func wants(_ range: Range<Int>) -> Bool { !isRead || reader.isChanging(range) }

  /// Restarts `began` at a seek.
  mutating func restartClock() { began = began.map { _ in .now } }

  /// - Parameter position: offset of the bytes in the file.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Reading {
    if !hasReceived {
      reader.source = HeadSource(isEndless: nature.isPossibleStation, size: size.map { Int($0) })
    }
    hasReceived = true
    began = began ?? .now
    let changes = reader.read(bytes, at: position)
    guard !isRead else { return Reading(changes: changes, endsHead: false, isDone: false) }
    ogg.read(bytes, at: position)
    let kept = bytes.prefix(room)
    self.bytes?.append(contentsOf: kept)
    if ogg.isChained { isChained = true }
    // The demuxer searches the beginnings of all Ogg streams before it outputs sound.
    let isSearchingOgg = ogg.isOgg == true && self.bytes != nil
    isRead = reader.isDone && room == 0 && !isSearchingOgg
    return Reading(changes: changes, endsHead: isRead, isDone: isRead && !reader.hasChanges)
  }
}
