import PlaybackModel

/// What an event of a source means for the session.
enum SourceNews {
  /// The first samples have been decoded.
  case prerolled
  /// Facts about the source have changed.
  case changed
  /// The awaited amount is buffered.
  case filled
  /// The buffer runs low.
  case low
  case decodedToEnd
  /// An element failed. `diagnose` decides what it means.
  case failed(ElementFailure)
  /// A document was read to its end. The error is the one that revealed it.
  case documentRead(PlaybackError)
  /// The stream refuses a seek that was accepted before.
  case seekRefused
}

/// Reads and decodes one track ahead of time. `StreamFacts` collects its duration, kind, tags and encoder delay.
///
/// Each track has its own pipeline, so that a source that opens slowly, fails or is disposed of does not disturb the
/// one that is playing. Used on the pipeline's thread; the feeder uses only `samples`.
final class TrackSource {
  let track: Track
  let decoder: DecoderPipeline
  let facts: StreamFacts
  var context: SourceContext { decoder.context }
  var id: Int { context.id }

  private var state = SourceState()
  /// Position in the track of the first sample to play.
  private(set) var start: Duration
  /// Reads the whole document if the address is a file and text.
  private var document: ByteSource?
  private let parts: PartReader
  private let seeker: TrackSeeker

  /// Plays the stream if its server sends in real time.
  private lazy var live = LiveSource(decoder, settings: context.settings) { [context] in context.post(.paceChanged) }
  private let startFill: Duration
  /// The amount to buffer if the server is slow. Used once.
  private let slowFill: Duration
  private var fillRequest = 0

  /// Starts opening the track. Does not block.
  /// - Parameter isWithoutRanges: whether the server is known to ignore range requests.
  init(
    track: Track, start: Duration, isWithoutRanges: Bool, settings: PlayerSettings, mailbox: Mailbox
  ) throws(PlaybackError) {
    try SourcePolicy(allowedFolders: settings.allowedFolders, ownFile: settings.ownFile).check(track.uri)
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
    guard state.dispose() else { return }
    decoder.end()
    document?.dispose()
    parts.end()
  }

  // MARK: State

  var failure: PlaybackError? { state.failure }

  /// Sets the failure that ended the source; nil if its end was the end of the track.
  func setFailure(_ failure: PlaybackError?) { state.setFailure(failure) }

  /// A refused range request showed that the stream is at its end.
  func reachEnd() { state.reachEnd() }

  var isPrerolled: Bool { state.isPrerolled }

  /// Whether the first samples at `start` have been decoded.
  var isPositioned: Bool { state.stage == .positioned }

  /// Whether the feeder may take samples.
  var isReady: Bool { state.isReady && parts.request == nil }

  /// True time minus stream time after a seek by bit rate, and in HLS.
  var shift: Duration { seeker.shift }

  /// Position in the track of the end of the decoded sound.
  var end: Duration { max(.zero, context.end + shift - facts.origin) }

  /// Whether samples before the wanted position are being dropped.
  var isReadingToPosition: Bool { isPrerolled && facts.nature.access == .readThrough && end < start }

  /// Ends the sound after the samples decoded so far.
  func cutOff() { context.cutOff() }

  /// Makes the source post `filled` again when this amount is buffered.
  func awaitFill(_ amount: Duration) {
    let limit = context.liveDelay == nil ? amount : min(amount, context.settings.liveDelay)
    fillRequest = context.awaitFill(limit)
  }

  /// Where the feeder takes the samples from.
  var samples: any SampleSource { facts.mayBePaced ? live : decoder }
}

// MARK: - Events

extension TrackSource {
  /// Whether events with this number come from the source, or from a document or part of a file that is read for it.
  func owns(_ id: Int) -> Bool { id == self.id || id == document?.id || id == parts.request?.id }

  func handle(_ event: SourceEvent, from id: Int) -> SourceNews? {
    if id == document?.id { return endsDocument(event) ? documentRead : nil }
    if id == parts.request?.id { return endsDocument(event) ? (partEnded() ? .changed : .seekRefused) : nil }
    switch event {
    case .prerolled:
      prerolled()
      return .prerolled
    case .filled(let request): return filled(request: request) ? .filled : nil
    case .low: return .low
    case .decodedToEnd:
      decodedToEnd()
      return .decodedToEnd
    case .durationChanged:
      facts.readDuration()
      return .changed
    case .outlived:
      outlived()
      return .changed
    case .paceChanged: return .changed
    case .tags(let tags):
      facts.add(tags)
      return .changed
    // Later failures are consequences of the first one.
    case .failed(let failure): return state.ending == .none ? .failed(failure) : nil
    case .documentRead: return documentRead
    // Only documents and parts post this event.
    case .documentEnded: return nil
    }
  }

  /// Whether the event ends the reading of a document or a part of a file.
  private func endsDocument(_ event: SourceEvent) -> Bool {
    switch event {
    case .documentEnded, .failed: true
    default: false
    }
  }

  private var documentRead: SourceNews? { failure.map { .documentRead($0) } }

  /// The first samples have been decoded, at the beginning or after a seek.
  private func prerolled() {
    let isFirst = state.stage == .opening
    if isFirst { facts.read() }
    let mustSeek = start > .zero && facts.isSeekable
    switch state.prerolled(mustSeek: mustSeek, awaitsParts: parts.purpose == .mp3Parts) {
    case .wait: return
    case .seek: if seek() { return }
    case .arrived: break
    }
    // A stream that is read from its beginning keeps its start: the feeder drops the samples before it.
    if isFirst, facts.nature.access == .none { start = .zero }
    if context.isSegmented { seeker.shift = SegmentDelay.shift(for: context.segmentDelay) }
    state.position()
  }

  /// A requested amount is buffered.
  /// - Returns: false if the request was made before a seek, or if more must be buffered because the server is slow.
  private func filled(request: Int) -> Bool {
    guard request == fillRequest else { return false }
    if state.filled(isSlow: isSlow) { return true }
    awaitFill(slowFill)
    return false
  }

  private var isSlow: Bool {
    guard !context.isComplete, !facts.mayBePaced, let began = context.began else { return false }
    return began.duration(to: .now) > startFill / 2
  }

  /// A part of the file has arrived or cannot be read.
  /// - Returns: false if the stream refuses to seek.
  private func partEnded() -> Bool {
    guard let (purpose, bytes) = parts.end() else { return true }
    switch purpose {
    case .search: return proceed(seeker.take(bytes, for: seekTarget))
    case .mp3Parts: return !facts.takeMP3Part(bytes) && state.partsRead() ? seek() : true
    case .endTags:
      facts.takeEnd(bytes)
      return true
    }
  }

  /// The whole track has been decoded, so its duration is known.
  private func decodedToEnd() {
    guard isPrerolled, !seeker.isRough, failure == nil, !facts.isBrokenOff else { return }
    facts.measured(end)
  }

  /// More than the declared duration has been decoded. After a seek by bit rate, and in HLS, the end is uncertain.
  private func outlived() {
    if isPrerolled, !seeker.isRough, !context.isSegmented { facts.outlive(end) }
  }
}

// MARK: - Seeks

extension TrackSource {
  /// Continues at another position, after the seek in progress, if any. Then the source becomes ready again.
  /// - Returns: false if the stream refuses to seek.
  func seek(to position: Duration) -> Bool {
    start = position
    return state.move() ? seek() : true
  }

  /// Sets the position for the source that will replace this broken one.
  func postpone(to position: Duration) {
    start = position
    state.postpone()
    facts.formerBeginning = facts.beginning ?? facts.formerBeginning
  }

  private func seek() -> Bool { proceed(seeker.seek(to: seekTarget)) }

  /// - Returns: false if the stream refuses to seek.
  private func proceed(_ outcome: TrackSeeker.Outcome) -> Bool {
    state.seek(isSearching: outcome == .searching)
    // The seek discarded the buffered sound.
    if outcome != .searching { awaitFill(startFill) }
    return outcome != .refused
  }

  private var seekTarget: TrackSeeker.Target {
    .init(position: start, origin: facts.origin, duration: facts.duration)
  }
}

// MARK: - Failures

extension TrackSource {
  /// - Parameter isContinuation: whether the source continues a broken stream and is not heard yet.
  func diagnose(_ failure: ElementFailure, isContinuation: Bool = false) -> FailureDiagnosis.Verdict {
    FailureDiagnosis(
      failure: failure, isContinuation: isContinuation, isPrerolled: isPrerolled, isSeeking: state.isSeeking,
      hasReceived: context.hasReceived
    ).verdict
  }

  enum Failing {
    /// The address is a text document, and the rest of it is being read. `SourceNews.documentRead` follows.
    case readsDocument
    /// The address is a playlist of these tracks.
    case list([ListedTrack])
    case noList
  }

  /// Ends the source with an error, unless that reveals a playlist.
  func fail(_ error: PlaybackError) -> Failing {
    state.setFailure(error)
    guard error == .notAudio || error.isUnsupportedFormat, !isPrerolled else { return .noList }
    // Read this first: more data may arrive at any moment.
    let isWhole = context.isHeadComplete
    guard let list = PlaylistDocument(document?.bytes ?? context.head, base: track.uri) else { return .noList }
    return !isWhole && readDocument() ? .readsDocument : .list(list.tracks)
  }

  /// Reads the rest of a document.
  /// - Returns: false if this was done before or cannot be done.
  private func readDocument() -> Bool {
    guard state.readDocument() else { return false }
    if decoder.readDocument() { return true }
    document = ByteSource(uri: track.uri, settings: context.settings, mailbox: context.mailbox)
    return document != nil
  }
}
