import PlaybackModel

/// Reads and decodes one track ahead of time. `StreamFacts` collects its duration, kind, tags and encoder delay.
///
/// Each track has its own pipeline, so that a source that opens slowly, fails or is disposed of does not disturb the
/// one that is playing. Used on the pipeline's thread; the feeder uses only `decoder`.
final class TrackSource {
  let track: Track
  let decoder: DecoderPipeline
  let facts: StreamFacts
  var context: SourceContext { decoder.context }
  var id: Int { context.id }

  // MARK: State

  /// Position in the track of the first sample to play.
  private(set) var start: Duration
  /// Whether the first samples have been decoded.
  private(set) var isPrerolled = false
  /// Whether the first samples at `start` have been decoded.
  private(set) var isPositioned = false
  /// Whether enough sound is buffered to start playing.
  private(set) var isFilled = false
  /// The failure that ended the source.
  var failure: PlaybackError?
  /// Whether a refused request has shown that the stream has already reached its end.
  var hasReachedEnd = false
  private var isDisposed = false

  /// True time minus stream time after a seek by bit rate, and in HLS.
  var shift: Duration { seeker.shift }

  /// Whether the address turned out to be text, whose rest is being read or was read.
  private(set) var isDocument = false
  /// Reads the whole document if it is a file.
  private(set) var document: ByteSource?
  private let parts: PartReader
  private let seeker: TrackSeeker

  private let startFill: Duration
  /// The amount to buffer if the server is slow. Used once.
  private let slowFill: Duration
  private var hasWaited = false
  private var fillRequest = 0
  /// Whether the position was changed during a seek, so that another seek must follow.
  private var isSeekPending = false

  /// Starts opening the track. Does not block.
  /// - Parameter isWithoutRanges: whether the server is known to ignore range requests.
  init(
    track: Track, start: Duration, isWithoutRanges: Bool, settings: PlayerSettings, mailbox: Mailbox
  ) throws(PlaybackError) {
    try SourcePolicy(allowedFolders: settings.allowedFolders).check(track.uri)
    self.track = track
    self.start = start
    decoder = try DecoderPipeline(
      uri: track.uri, isWithoutRanges: isWithoutRanges, settings: settings, mailbox: mailbox)
    parts = PartReader(uri: track.uri, context: decoder.context)
    seeker = TrackSeeker(decoder: decoder, parts: parts)
    facts = StreamFacts(track: track, decoder: decoder, parts: parts, replayGain: settings.replayGain)
    startFill = settings.startFill
    slowFill = max(settings.startFill, settings.resumeFill)
    fillRequest = context.awaitFill(startFill)
    if track.duration != nil { context.setItemDuration() }
    decoder.open()
  }

  /// Ends the source. The caller must ignore its events that are still in the mailbox.
  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    decoder.end()
    document?.dispose()
    parts.end()
  }

  /// Reads the rest of a document. `documentRead` follows, or an event of `document`.
  /// - Returns: false if this was done before or cannot be done.
  func readDocument() -> Bool {
    guard !isDocument else { return false }
    isDocument = true
    if decoder.readDocument() { return true }
    document = ByteSource(uri: track.uri, settings: context.settings, mailbox: context.mailbox)
    return document != nil
  }

  /// The current request for a part of the file.
  var part: ByteSource? { parts.request }

  /// Ends the sound after the samples decoded so far.
  func cutOff() { decoder.cutOff() }

  /// Position in the track of the end of the decoded sound.
  var end: Duration { max(.zero, context.end + shift - facts.origin) }

  /// Whether the first samples at `start` are still awaited after a seek.
  var isSeeking: Bool { isPrerolled && !isPositioned }

  /// Whether the feeder may take samples.
  var isReady: Bool { isPositioned && isFilled && part == nil }

  /// Whether samples before the wanted position are being dropped.
  var isReadingToPosition: Bool { isPrerolled && facts.nature.access == .readThrough && end < start }

  // MARK: Fill

  /// A requested amount is buffered.
  /// - Returns: false if the request was made before a seek, or if more must be buffered because the server is slow.
  func filled(request: Int) -> Bool {
    guard request == fillRequest else { return false }
    if isSlow {
      hasWaited = true
      awaitFill(slowFill)
      return false
    }
    isFilled = true
    return true
  }

  /// Whether the first sound arrived barely faster than real time, so that the next delay would be audible.
  private var isSlow: Bool {
    guard !isFilled, !hasWaited, !context.isComplete, let began = context.began else { return false }
    return began.duration(to: .now) > startFill / 2
  }

  /// Makes the source post `filled` again when this amount is buffered.
  func awaitFill(_ amount: Duration) { fillRequest = context.awaitFill(amount) }

  // MARK: Preroll

  /// The first samples have been decoded, at the beginning or after a seek.
  func prerolled() {
    if !isPrerolled {
      isPrerolled = true
      facts.read()
      if start > .zero {
        if facts.isSeekable, parts.purpose == .mp3Parts {
          // The seek target depends on the duration.
          isSeekPending = true
          return
        }
        if facts.isSeekable, seek() { return }
        // If the stream is read from its beginning, the feeder drops the samples before the start.
        if facts.nature.access == .none { start = .zero }
      }
    }
    if isSeekPending, seek() { return }
    if context.isSegmented { seeker.shift = SegmentLead.shift(delay: context.segmentDelay) }
    isPositioned = true
  }

  // MARK: Seeks

  /// Continues at another position, after the seek in progress, if any. `prerolled` and `filled` are called again.
  /// - Returns: false if the stream refuses to seek.
  func seek(to position: Duration) -> Bool {
    start = position
    guard isPositioned || seeker.isSearching else {
      isSeekPending = isPrerolled
      return true
    }
    return seek()
  }

  /// Notes another position for the source that will replace this one, which is broken.
  func postpone(to position: Duration) {
    start = position
    isPositioned = false
    isSeekPending = false
    facts.formerBeginning = facts.beginning ?? facts.formerBeginning
  }

  private func seek() -> Bool {
    isPositioned = false
    isFilled = false
    isSeekPending = false
    return proceed(seeker.seek(to: seekTarget))
  }

  /// Requests buffering at the new position, once the seek has been sent.
  /// - Returns: false if the stream refuses to seek.
  private func proceed(_ outcome: TrackSeeker.Outcome) -> Bool {
    // The seek discarded the buffered sound.
    if outcome != .searching { awaitFill(startFill) }
    return outcome != .refused
  }

  private var seekTarget: TrackSeeker.Target {
    .init(position: start, origin: facts.origin, duration: facts.duration)
  }

  // MARK: Parts of the file

  /// A part of the file has arrived or cannot be read.
  /// - Returns: false if the stream refuses to seek.
  func partEnded() -> Bool {
    guard let (purpose, bytes) = parts.end() else { return true }
    switch purpose {
    case .search: return proceed(seeker.take(bytes, for: seekTarget))
    case .mp3Parts: return !facts.takeMP3Part(bytes) && isSeekPending ? seek() : true
    case .endTags:
      facts.takeEnd(bytes)
      return true
    }
  }

  /// The whole track has been decoded, so its duration is known.
  func decodedToEnd() {
    guard isPrerolled, !seeker.isRough, failure == nil, !facts.isBrokenOff else { return }
    facts.measured(end)
  }

  /// More than the declared duration has been decoded. After a seek by bit rate, and in HLS, the end is uncertain.
  func outlived() {
    if isPrerolled, !seeker.isRough, !context.isSegmented { facts.outlive(end) }
  }
}
