import CGStreamer
import PlaybackFormats
import PlaybackModel
import Synchronization

/// What the streaming threads of one source may touch: a few numbers under a lock, and the mailbox.
final class SourceContext: Sendable {
  let id = SourceContext.ids.add(1, ordering: .relaxed).newValue
  private static let ids = Atomic(0)
  let mailbox: Mailbox
  /// Where the decoder's pad is linked to.
  let input: ElementReference
  let settings: PlayerSettings
  /// The server is known to send everything from the beginning, whatever part is asked for.
  let isWithoutRanges: Bool
  private let level = Mutex(Level())

  private struct Level {
    var bytesPerSecond: Int64 = 0
    /// Bytes that went into the buffer and out of it.
    var filled: Int64 = 0
    var taken: Int64 = 0
    var isComplete = false
    /// Where in the track the last sample ends that was decoded, in nanoseconds.
    var end: Int64 = 0
    /// Time of the first sample minus the place that was read from, in nanoseconds; nil before the first sample.
    var segmentDelay: Int64?
    /// When sound was decoded last, or asked for.
    var lastArrival = ContinuousClock.now
    /// The first bytes that the server sent, until it is known that they are sound.
    var head: [UInt8]? = []
    var reader = HeadReader()
    /// All of the head has passed; of the bytes after it only those are of interest that are changed.
    var isHeadRead = false
    var flacParser: ElementReference?
    /// Whether what an encoder has put around the sound is cut off before it gets here.
    var isClipped = false
    var packetsEnd: Int64?
    var hasReceived = false
    /// How many bytes the server means to send; nil if it does not say.
    var size: Int64?
    var isReadableAnywhere = true
    /// Finds the sound between the titles of a stream that has them (ICY).
    var icySound: ICYSound?
    var hasStationHeaders = false
    /// The form of samples without a header, by their content type.
    var linearPCM: BlockLayout?
    /// Whether the sound comes in pieces that a list names (HLS).
    var isSegmented = false
    var ogg = OggChain()
    /// Whether what takes the stream apart is one that fails at seeking.
    var isSeekingBroken = false
    /// Whether the samples came as they are, without a decoder.
    var isRaw = false
    /// The container whose parser was plugged in, if it is one of uncompressed samples.
    var container: StreamInfo.Container?
    var bitRateMeter = BitRateMeter()
    /// Less lies ready than `lowMark`, and that was told.
    var isLow = false
    /// When the first of them was there.
    var began: ContinuousClock.Instant?
    /// How much was asked for, in nanoseconds, and how often so far.
    var awaited: Int64?
    var requests = 0

    var nanoseconds: Int64 {
      bytesPerSecond > 0
        ? Int64((Double(filled - taken) * 1e9 / Double(bytesPerSecond)).rounded()) : 0
    }

    /// What most of the time lies ready, in nanoseconds, unless the server is slow or says nothing.
    func lowMark(_ settings: PlayerSettings) -> Int64 {
      guard bytesPerSecond > 0 else { return 0 }
      let room = min(settings.bufferDepth.nanoseconds, Int64(settings.bufferBytes) * 1_000_000_000 / bytesPerSecond)
      return room / 10 * 7
    }

    /// How many of the first bytes are still to be kept.
    var roomInHead: Int { head.map { max(0, PlaylistDocument.limit - $0.count) } ?? 0 }

    /// The request that is fulfilled now, if one is.
    mutating func fulfilled() -> Int? {
      guard let awaited, isComplete || nanoseconds >= awaited else { return nil }
      self.awaited = nil
      return requests
    }
  }

  init(
    mailbox: Mailbox, input: ElementReference, settings: PlayerSettings, isWithoutRanges: Bool = false
  ) {
    self.mailbox = mailbox
    self.input = input
    self.settings = settings
    self.isWithoutRanges = isWithoutRanges
  }

  func post(_ event: SourceEvent) { mailbox.post(.source(id: id, event)) }

  /// Whether all of the track is decoded.
  var isComplete: Bool { level.withLock(\.isComplete) }

  /// Whether the server has sent anything of the item itself.
  var hasReceived: Bool { level.withLock(\.hasReceived) }

  /// The first bytes that the server sent. Kept in case that they are a list of other addresses.
  var head: [UInt8] { level.withLock { $0.head ?? [] } }

  /// How many bytes the server means to send.
  func setSize(_ size: Int64) { level.withLock { $0.size = size } }

  /// Whether the server is thought to send any part of the item itself.
  var isReadableAnywhere: Bool {
    get { level.withLock(\.isReadableAnywhere) }
    set { level.withLock { $0.isReadableAnywhere = newValue } }
  }

  /// Whether `head` is all that there is.
  var isHeadComplete: Bool {
    level.withLock { level in
      let count = level.head?.count ?? 0
      return count >= PlaylistDocument.limit || level.size.map { count >= $0 } ?? false
    }
  }

  /// Whether bytes of the range are to be looked at or changed.
  func wants(_ range: Range<Int>) -> Bool {
    level.withLock { !$0.isHeadRead || $0.icySound == nil && $0.reader.isChanging(range) }
  }

  /// - Parameter position: offset of the bytes in the file.
  /// - Returns: the changes to make to them; whether the head is now read; whether no bytes are wanted any more.
  func received(
    _ bytes: UnsafeRawBufferPointer, at position: Int
  ) -> (changes: [(index: Int, value: UInt8)], endsHead: Bool, isEnough: Bool) {
    level.withLock { level in
      if !level.hasReceived {
        let nature = StreamNature(hasStationHeaders: level.hasStationHeaders, hasSize: level.size != nil)
        level.reader.source = HeadSource(isEndless: nature.isStation, size: level.size.map { Int($0) })
      }
      level.hasReceived = true
      level.began = level.began ?? .now
      let pieces = level.icySound?.sound(in: bytes) ?? [(0..<bytes.count, position)]
      let changes = pieces.flatMap { range, position in
        let changes = level.reader.read(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
        return changes.map { (index: range.lowerBound + $0.index, value: $0.value) }
      }
      guard !level.isHeadRead else { return (changes, endsHead: false, isEnough: false) }
      for (range, position) in pieces {
        let sound = UnsafeRawBufferPointer(rebasing: bytes[range])
        level.ogg.read(sound, at: position)
        let room = level.roomInHead
        level.head?.append(contentsOf: sound.prefix(room))
      }
      if level.ogg.isChained { level.isSeekingBroken = true }
      // The demuxer looks for the beginnings of all Ogg streams before the first sound.
      let isSearchingOgg = level.ogg.isOgg == true && level.head != nil
      level.isHeadRead = level.reader.isDone && level.roomInHead == 0 && !isSearchingOgg
      let isEnough = level.isHeadRead && (level.icySound != nil || !level.reader.hasChanges)
      return (changes, endsHead: level.isHeadRead, isEnough)
    }
  }

  /// What the stream declares about samples around the sound that are still there.
  var gap: EncoderGap? { level.withLock { $0.isClipped ? nil : $0.reader.gap } }

  /// How long the sound is, where its demuxer cannot be asked.
  var declaredDuration: Duration? { level.withLock(\.reader.duration) }

  /// How much sound comes before the stream's time zero and is heard all the same.
  var lead: Duration { level.withLock(\.reader.lead) }

  /// Whether the stream's length is known by its bit rate only, which may change.
  var isEstimated: Bool { level.withLock { $0.reader.isWithoutIndex && !$0.reader.hasTable } }

  /// The parts of an MP3 file that was put together from several.
  var parts: MP3Parts? { level.withLock(\.reader.parts) }

  /// Whether it is MP3 in free format.
  var isFreeFormat: Bool { level.withLock(\.reader.isFreeFormat) }

  /// Whether the sound comes in fragments: then the demuxer takes those that it has read for all.
  var isFragmented: Bool { level.withLock(\.reader.isFragmented) }

  /// Whether a place in the stream is found by reading from the beginning, since GStreamer 1.22 fails at seeking in its
  /// kind: in fragments of MP4, in chained Ogg, in Matroska, and in FLAC of varying frames, where every frame is the first
  /// to its parser.
  var isReadThrough: Bool {
    level.withLock { $0.isSeekingBroken || $0.reader.isFragmented || $0.reader.flac?.isVarying == true }
  }

  /// What takes the stream apart is one that fails at seeking.
  func breakSeeking() { level.withLock { $0.isSeekingBroken = true } }

  /// What a FLAC file says of itself.
  var flac: FLACLayout? { level.withLock(\.reader.flac) }

  /// What takes a FLAC file apart.
  var flacParser: ElementReference? {
    get { level.withLock(\.flacParser) }
    set { level.withLock { $0.flacParser = newValue } }
  }

  /// Whether a place in time is found by reading all that comes before it.
  var isWithoutIndex: Bool { level.withLock(\.reader.isWithoutIndex) }

  /// Where in the stream the encoded sound ends that went into the decoder, in nanoseconds, if packets say so exactly.
  var packetsEnd: Int64? {
    get { level.withLock(\.packetsEnd) }
    set { level.withLock { $0.packetsEnd = newValue } }
  }

  /// What an encoder has put around the sound is cut off by GStreamer.
  func setClipped() { level.withLock { $0.isClipped = true } }

  /// They are sound.
  func forgetHead() { level.withLock { $0.head = nil } }

  /// Whether the stream tells titles with its sound (ICY).
  var isTitled: Bool { level.withLock { $0.icySound != nil } }

  /// The stream has a title after so many bytes of sound, again and again.
  func setTitleInterval(_ interval: Int) { level.withLock { $0.icySound = ICYSound(interval: interval) } }

  /// The server has sent a station's headers.
  func setStationHeaders() { level.withLock { $0.hasStationHeaders = true } }

  /// What server and demuxer say of the stream so far.
  var nature: StreamNature {
    level.withLock {
      StreamNature(hasStationHeaders: $0.hasStationHeaders, hasSize: $0.size != nil, isSegmented: $0.isSegmented)
    }
  }

  /// Whether the sound comes in pieces that a list names (HLS).
  var isSegmented: Bool {
    get { level.withLock(\.isSegmented) }
    set { level.withLock { $0.isSegmented = newValue } }
  }

  /// The form of samples without a header, by their content type.
  var linearPCM: BlockLayout? {
    get { level.withLock(\.linearPCM) }
    set { level.withLock { $0.linearPCM = newValue } }
  }

  /// When the server began to send; nil while it has not.
  var began: ContinuousClock.Instant? { level.withLock(\.began) }

  /// Whether the samples came as they are, without a decoder.
  var isRaw: Bool {
    get { level.withLock(\.isRaw) }
    set { level.withLock { $0.isRaw = newValue } }
  }

  var container: StreamInfo.Container? {
    get { level.withLock(\.container) }
    set { level.withLock { $0.container = newValue } }
  }

  /// Measures the bit rate. Called for each packet that goes into the decoder.
  func decodes(bytes: Int, nanoseconds: Int64) {
    let rate = level.withLock { $0.bitRateMeter.add(bytes: bytes, nanoseconds: nanoseconds) }
    if let rate { post(.tags(StreamTags(measuredBitRate: rate))) }
  }

  /// Posts `filled` as soon as so much lies ready. An earlier request is forgotten.
  /// - Returns: the number of the request.
  func awaitFill(_ amount: Duration) -> Int {
    let (request, fulfilled) = level.withLock { level in
      level.requests += 1
      level.awaited = amount.nanoseconds
      return (level.requests, level.fulfilled())
    }
    postFilled(fulfilled)
    return request
  }

  private func postFilled(_ request: Int?) {
    if let request { post(.filled(request: request)) }
  }

  func setBytesPerSecond(_ rate: Int64) { level.withLock { $0.bytesPerSecond = rate } }

  /// Where in the track the last sample ends that was decoded.
  var end: Duration { .nanoseconds(level.withLock(\.end)) }

  /// When sound was decoded last, or asked for.
  var lastArrival: ContinuousClock.Instant { level.withLock(\.lastArrival) }

  /// Time of the first sample since the beginning or the last seek, minus the place that was read from.
  var segmentDelay: Duration { .nanoseconds(level.withLock(\.segmentDelay) ?? 0) }

  /// - Parameters:
  ///   - end: where in the track the last of them ends, if it says so.
  ///   - segmentDelay: where they begin, counted from the place that was read from.
  func filled(bytes: Int, end: Int64?, segmentDelay: Int64?) {
    let fulfilled = level.withLock { level in
      level.segmentDelay = level.segmentDelay ?? segmentDelay
      level.filled += Int64(bytes)
      level.lastArrival = .now
      if let end { level.end = end }
      if level.isLow, level.nanoseconds >= level.lowMark(settings) { level.isLow = false }
      return level.fulfilled()
    }
    postFilled(fulfilled)
  }

  /// Posts `low` when little lies ready, and again when that happens another time.
  func taken(bytes: Int) {
    let isNews = level.withLock { level in
      level.taken += Int64(bytes)
      guard !level.isLow, !level.isComplete, level.nanoseconds < level.lowMark(settings) else { return false }
      level.isLow = true
      return true
    }
    if isNews { post(.low) }
  }

  /// Decoded sound that the feeder has not taken yet.
  var held: HeldSound {
    level.withLock { HeldSound(bytes: Int($0.filled - $0.taken), duration: .nanoseconds($0.nanoseconds)) }
  }

  /// Whether the server may have fallen silent: little lies ready, and more is to come.
  var isLow: Bool { level.withLock { $0.isLow && !$0.isComplete } }

  func completed() {
    let fulfilled = level.withLock { level in
      level.isComplete = true
      return level.fulfilled()
    }
    post(.decodedToEnd)
    postFilled(fulfilled)
  }

  /// A seek has thrown away what lay ready.
  func flushed() {
    level.withLock { level in
      level.filled = 0
      level.taken = 0
      level.segmentDelay = nil
      level.awaited = nil
      level.isComplete = false
      level.isLow = false
      level.lastArrival = .now
      // How soon it comes is asked from here on.
      level.began = level.began.map { _ in .now }
    }
  }
}
