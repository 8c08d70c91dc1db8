import PlaybackFormats
import PlaybackModel

/// The first bytes of a stream, as the server sends them: what they declare, and whether they are a playlist.
struct StreamHead {
  /// The result of reading some bytes.
  struct Reading {
    /// Changes to make to the bytes.
    var changes: [(index: Int, value: UInt8)]
    /// Whether the head has been read with them.
    var endsHead: Bool
    /// Whether no more bytes are wanted.
    var isDone: Bool
  }

  /// Kept in case they are a playlist, until it is known that they are sound.
  private(set) var bytes: [UInt8]? = []
  private(set) var reader = HeadReader()
  /// Bytes that the server is going to send; nil if it does not say.
  var size: Int64?
  var hasStationHeaders = false
  /// Separates sound from titles in streams that have them (ICY).
  var icySound: ICYSound?
  /// Whether the server has sent anything.
  private(set) var hasReceived = false
  /// When the server began to send, or was last asked for another place.
  private(set) var began: ContinuousClock.Instant?
  /// Whether the stream is several Ogg streams in a row.
  private(set) var isChained = false
  /// The head has passed; after that only bytes that are to be changed are of interest.
  private var isRead = false
  private var ogg = OggChain()

  /// Whether `bytes` is all that there is.
  var isComplete: Bool {
    let count = bytes?.count ?? 0
    return count >= PlaylistDocument.limit || size.map { count >= $0 } ?? false
  }

  /// Bytes that can still be kept.
  private var room: Int { bytes.map { max(0, PlaylistDocument.limit - $0.count) } ?? 0 }

  /// The stream is sound.
  mutating func discardBytes() { bytes = nil }

  /// Whether bytes of the range are to be read or changed.
  func wants(_ range: Range<Int>) -> Bool { !isRead || icySound == nil && reader.isChanging(range) }

  /// A seek was made.
  mutating func restartClock() { began = began.map { _ in .now } }

  /// - Parameter position: offset of the bytes in the file.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Reading {
    if !hasReceived {
      let nature = StreamNature(hasStationHeaders: hasStationHeaders, hasSize: size != nil)
      reader.source = HeadSource(isEndless: nature.isStation, size: size.map { Int($0) })
    }
    hasReceived = true
    began = began ?? .now
    let pieces = icySound?.sound(in: bytes) ?? [(0..<bytes.count, position)]
    let changes = pieces.flatMap { range, position in
      let changes = reader.read(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
      return changes.map { (index: range.lowerBound + $0.index, value: $0.value) }
    }
    guard !isRead else { return Reading(changes: changes, endsHead: false, isDone: false) }
    for (range, position) in pieces {
      let sound = UnsafeRawBufferPointer(rebasing: bytes[range])
      ogg.read(sound, at: position)
      let kept = sound.prefix(room)
      self.bytes?.append(contentsOf: kept)
    }
    if ogg.isChained { isChained = true }
    // The demuxer searches the beginnings of all Ogg streams before the first sound.
    let isSearchingOgg = ogg.isOgg == true && self.bytes != nil
    isRead = reader.isDone && room == 0 && !isSearchingOgg
    return Reading(
      changes: changes, endsHead: isRead, isDone: isRead && (icySound != nil || !reader.hasChanges))
  }
}
