import PlaybackFormats
import PlaybackModel

/// Reads and decodes one track ahead of time, and knows what is known of it: length, kind, tags, encoder delay.
///
/// Each track has a pipeline of its own, so that a source that opens slowly, fails or is disposed of does not disturb the
/// playing one. Used on the pipeline's thread; the feeder uses only `decoder`.
final class TrackSource {
  let track: Track
  let decoder: DecoderPipeline
  var context: SourceContext { decoder.context }
  var id: Int { context.id }

  // MARK: State

  /// Place in the track of the first sample to play.
  private(set) var start: Duration
  /// The first samples have been decoded.
  private(set) var isPrerolled = false
  /// The first samples from `start` on have been decoded.
  private(set) var isPositioned = false
  /// Enough is buffered to begin.
  private(set) var isFilled = false
  /// Why no more samples come.
  var failure: PlaybackError?
  /// The server has said, by a failure, that the stream is complete.
  var isWhole = false
  /// `failure` is provisional.
  var isUnderDiagnosis = false
  private var isDisposed = false

  // MARK: Facts

  private(set) var isSeekable = false
  private(set) var duration: Duration?
  /// Encoder delay and padding.
  private(set) var gap: EncoderGap?
  private(set) var tags = StreamTags()
  /// True time minus stream time after a seek by bit rate, and in HLS.
  var shift: Duration { seeker.shift }
  /// The first bytes of a stream that may have no end.
  private(set) var beginning: StreamBeginning?
  /// `beginning` when the same address was open before.
  var formerBeginning: StreamBeginning?
  /// Whether the source continues a broken stream. Then it is read from its beginning only if it is certainly the same.
  var isContinuation = false
  private var reopening = StreamNature.Reopening.first
  /// The settings that hold from the track's first sample to its last.
  var replayGainSettings: ReplayGainSettings

  /// Reads all of an address that turned out to be a text.
  var document: ByteSource?
  private let parts: PartReader
  private let seeker: TrackSeeker
  private var mp3Parts: MP3Parts?
  private var hasReadEnd = false

  private let startFill: Duration
  /// The amount to wait for if the server is slow; once.
  private let slowFill: Duration
  private var hasWaited = false
  private var fillRequest = 0
  /// The position was changed while a seek was under way.
  private var isSeekPending = false
  /// The length as decoded to the end.
  private var measured: Duration?

  /// Starts to open the track. Returns at once.
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
    replayGainSettings = settings.replayGain
    startFill = settings.startFill
    slowFill = max(settings.startFill, settings.resumeFill)
    fillRequest = context.awaitFill(startFill)
    decoder.open()
  }

  /// Ends the source. Its events that are still in the mailbox must be ignored.
  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    decoder.end()
    document?.dispose()
    parts.end()
  }

  /// The request for a part of the file that is under way.
  var part: ByteSource? { parts.request }

  /// Ends the sound after what has been decoded.
  func cutOff() { decoder.cutOff() }

  /// Place in the track where the decoded sound ends.
  var end: Duration { max(.zero, context.end + shift - origin) }

  /// Whether the feeder may take samples.
  var isReady: Bool { isPositioned && isFilled && part == nil }

  // MARK: Facts of the stream

  /// Whether the stream ends, and how it is sought. Final after preroll.
  var nature: StreamNature {
    var nature = context.nature
    nature.isSeekable = isSeekable
    nature.hasDuration = duration != nil
    nature.reopening = reopening
    return nature
  }

  /// Whether the stream may have no end.
  var isLive: Bool { isPrerolled && nature.kind != .file }

  /// Whether the stream is known to have no end.
  var isStation: Bool { isPrerolled && (nature.kind == .station || nature.kind == .liveList) }

  /// Whether sound before the wanted place is being dropped.
  var isReadingToPosition: Bool { isPrerolled && nature.access == .readThrough && end < start }

  /// Nil before preroll.
  var streamInfo: StreamInfo? {
    guard isPrerolled else { return nil }
    return StreamInfo(
      tags: tags, container: context.container, isRaw: context.isRaw, format: decoder.format,
      isSeekable: nature.access != .none, isLive: isStation)
  }

  /// Adds what the stream says of itself.
  func add(_ new: StreamTags) { tags.add(new) }

  var liveTitle: String? { tags.liveTitle }
  var replayGain: ReplayGainTags? { tags.replayGain }

  // MARK: Fill

  /// A requested amount is buffered.
  /// - Returns: false if the request preceded a seek, or if more is awaited since the server is slow.
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

  /// Whether the beginning arrived hardly faster than real time, so that the next delay would be heard.
  private var isSlow: Bool {
    guard !isFilled, !hasWaited, !context.isComplete, let began = context.began else { return false }
    return began.duration(to: .now) > startFill / 2
  }

  /// Calls for `filled` once more when this amount is buffered.
  func awaitFill(_ amount: Duration) { fillRequest = context.awaitFill(amount) }

  // MARK: Preroll

  /// The first samples have been decoded, at the beginning or after a seek.
  func prerolled() {
    if !isPrerolled {
      isPrerolled = true
      readFacts()
      if start > .zero {
        if isSeekable, parts.purpose == .mp3Parts {
          // How to get there depends on the length.
          isSeekPending = true
          return
        }
        if isSeekable, seek() { return }
        // Where the stream is read from its beginning, the feeder drops what precedes the start.
        if nature.access == .none { start = .zero }
      }
    }
    if isSeekPending, seek() { return }
    // The clock of an MPEG-TS segment starts before its first sample (0.7 s in FFmpeg's files), and GStreamer counts that
    // as part of the track. The playlist counts from the sample. Test: HLSTests.aSeekIsExact.
    if context.isSegmented { seeker.shift = .zero - context.segmentDelay }
    isPositioned = true
  }

  /// Asks the stream about itself.
  private func readFacts() {
    let head = context.head
    context.forgetHead()
    // The head of a station's stream describes what it played first.
    gap = nature.kind == .station ? nil : context.gap
    mp3Parts = context.parts
    // Some demuxers claim to seek without asking the server.
    isSeekable =
      (context.isReadableAnywhere || context.isSegmented) && !context.isReadThrough && decoder.claimsToSeek
    readMP3Parts()
    readDuration()
    if isLive {
      let beginning = StreamBeginning(head)
      reopening = formerBeginning.map { beginning.comparison(with: $0, isContinuation: isContinuation) } ?? .first
      self.beginning = beginning
    }
    readEndIfWanted()
    // The list of a live stream may name old segments, whose time nobody knows.
    if context.isSegmented, duration == nil { isSeekable = false }
  }

  // MARK: Seeks

  /// Continues at another place, after the seek under way if there is one. `prerolled` and `filled` are called again.
  /// - Returns: false if the stream refuses.
  func seek(to position: Duration) -> Bool {
    start = position
    guard isPositioned || seeker.isSearching else {
      isSeekPending = isPrerolled
      return true
    }
    return seek()
  }

  private func seek() -> Bool {
    isPositioned = false
    isFilled = false
    isSeekPending = false
    return proceed(seeker.seek(to: seekTarget))
  }

  /// Awaits samples from the new place, once there is one.
  /// - Returns: false if the stream refuses.
  private func proceed(_ outcome: TrackSeeker.Outcome) -> Bool {
    // The seek has discarded what was buffered.
    if outcome != .searching { awaitFill(startFill) }
    return outcome != .refused
  }

  private var seekTarget: TrackSeeker.Target { .init(position: start, origin: origin, duration: duration) }

  /// Start of the track in stream time.
  private var origin: Duration { (gap?.start ?? .zero) - context.lead }

  // MARK: Parts of the file

  /// A part of the file has arrived or cannot be read.
  /// - Returns: false if the stream refuses to seek.
  func partEnded() -> Bool {
    guard let (purpose, bytes) = parts.end() else { return true }
    switch purpose {
    case .search: return proceed(seeker.take(bytes, for: seekTarget))
    case .mp3Parts:
      mp3Parts?.take(bytes)
      if gap != nil { gap = mp3Parts?.gap }
      readMP3Parts()
      if parts.purpose == .mp3Parts { return true }
      readDuration()
      readEndIfWanted()
      return isSeekPending ? seek() : true
    case .endTags:
      tags.replayGain = tags.replayGain ?? APETags(endOfFile: bytes).flatMap { ReplayGainTags(ape: $0.texts) }
      return true
    }
  }

  /// Reads the next tag of a concatenated MP3 file, whose length is known only by all of them.
  private func readMP3Parts() {
    guard part == nil, context.isReadableAnywhere, let range = mp3Parts?.wanted else { return }
    _ = parts.read(range, for: .mp3Parts)
  }

  /// Reads the tags at the end of the file, if ReplayGain is on and the beginning has no tags of it.
  func readEndIfWanted() {
    guard part == nil, replayGainSettings.mode != .off, isPrerolled, !hasReadEnd, tags.replayGain == nil,
      context.isWithoutIndex, context.isReadableAnywhere, let size = decoder.size
    else { return }
    hasReadEnd = true
    _ = parts.read(max(0, size - APETags.longest)..<size, for: .endTags)
  }

  // MARK: Length

  func readDuration() {
    // Of a concatenated file the parser knows the first part only, or estimates.
    guard nature.kind != .station, parts.purpose != .mp3Parts, isPrerolled || context.parts == nil else { return }
    if let declared = gap?.duration ?? mp3Parts?.gap?.duration ?? context.declaredDuration {
      duration = declared
      return
    }
    guard let length = (decoder.parserDuration ?? context.flac?.duration).map({ max(.zero, $0 - origin) }) else {
      // A stream that is generated on the fly declares no length, but the media server may.
      if let declared = track.duration, declared > .zero, !context.isSegmented { duration = duration ?? declared }
      return
    }
    duration = context.isEstimated ? measured ?? track.likelierDuration(than: length) : length
  }

  /// All of the track has been decoded, so that its length is known.
  func decodedToEnd() {
    let isUnknown = duration == nil ? !isStation : context.isEstimated && gap?.duration == nil
    guard isPrerolled, !seeker.isRough, failure == nil, isUnknown else { return }
    measured = end
    duration = measured
  }
}
