import PlaybackFormats
import PlaybackModel

/// Reads and decodes one track ahead of time, and collects facts about it: duration, kind, tags, encoder delay.
///
/// Each track has its own pipeline, so that a source that opens slowly, fails or is disposed of does not disturb the
/// one that is playing. Used on the pipeline's thread; the feeder uses only `decoder`.
final class TrackSource {
  let track: Track
  let decoder: DecoderPipeline
  var context: SourceContext { decoder.context }
  var id: Int { context.id }

  // MARK: State

  /// Position in the track of the first sample to play.
  private(set) var start: Duration
  /// The first samples have been decoded.
  private(set) var isPrerolled = false
  /// The first samples at `start` have been decoded.
  private(set) var isPositioned = false
  /// Enough sound is buffered to start playing.
  private(set) var isFilled = false
  /// The failure that ended the samples.
  var failure: PlaybackError?
  /// A failure has shown that the server sent the whole stream.
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
  /// The first bytes of a stream that may be endless.
  private(set) var beginning: StreamBeginning?
  /// The value of `beginning` when the same address was opened before.
  var formerBeginning: StreamBeginning?
  /// Whether the source continues a broken stream. If so, it is read from its beginning only if it is certainly the
  /// same stream.
  var isContinuation = false
  private var reopening = StreamNature.Reopening.first
  /// ReplayGain settings for the whole track.
  var replayGainSettings: ReplayGainSettings

  /// Reads the whole document if the address turned out to be text.
  var document: ByteSource?
  private let parts: PartReader
  private let seeker: TrackSeeker
  private var mp3Parts: MP3Parts?
  private var hasReadEnd = false

  private let startFill: Duration
  /// The amount to buffer if the server is slow. Used once.
  private let slowFill: Duration
  private var hasWaited = false
  private var fillRequest = 0
  /// The position was changed during a seek; another seek must follow.
  private var isSeekPending = false
  /// Duration measured by decoding to the end.
  private var measured: Duration?

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
    replayGainSettings = settings.replayGain
    startFill = settings.startFill
    slowFill = max(settings.startFill, settings.resumeFill)
    fillRequest = context.awaitFill(startFill)
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

  /// The request for a part of the file that is under way.
  var part: ByteSource? { parts.request }

  /// Ends the sound after the samples decoded so far.
  func cutOff() { decoder.cutOff() }

  /// Position in the track of the end of the decoded sound.
  var end: Duration { max(.zero, context.end + shift - origin) }

  /// Whether the feeder may take samples.
  var isReady: Bool { isPositioned && isFilled && part == nil }

  // MARK: Facts of the stream

  /// Whether the stream ends, and how seeks work. Final after preroll.
  var nature: StreamNature {
    var nature = context.nature
    nature.isSeekable = isSeekable
    nature.hasDuration = duration != nil
    nature.reopening = reopening
    return nature
  }

  /// Whether the stream may be endless.
  var isLive: Bool { isPrerolled && nature.kind != .file }

  /// Whether the stream is known to be endless.
  var isStation: Bool { isPrerolled && (nature.kind == .station || nature.kind == .liveList) }

  /// Whether samples before the wanted position are being dropped.
  var isReadingToPosition: Bool { isPrerolled && nature.access == .readThrough && end < start }

  /// Nil before preroll.
  var streamInfo: StreamInfo? {
    guard isPrerolled else { return nil }
    return StreamInfo(
      tags: tags, container: context.container, isRaw: context.isRaw, format: decoder.format,
      isSeekable: nature.access != .none, isLive: isStation)
  }

  /// Adds tags from the stream.
  func add(_ new: StreamTags) { tags.add(new) }

  var liveTitle: String? { tags.liveTitle }
  var replayGain: ReplayGainTags? { tags.replayGain }

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

  /// Whether the first sound arrived little faster than real time, so that the next delay would be audible.
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
      readFacts()
      if start > .zero {
        if isSeekable, parts.purpose == .mp3Parts {
          // The seek target depends on the duration.
          isSeekPending = true
          return
        }
        if isSeekable, seek() { return }
        // If the stream is read from its beginning, the feeder drops the samples before the start.
        if nature.access == .none { start = .zero }
      }
    }
    if isSeekPending, seek() { return }
    // The clock of an MPEG-TS segment starts before its first sample (0.7 s in FFmpeg's files), and GStreamer counts
    // this time as part of the track. The playlist counts from the first sample. Test: HLSTests.aSeekIsExact.
    if context.isSegmented { seeker.shift = .zero - context.segmentDelay }
    isPositioned = true
  }

  /// Reads the facts that are known after preroll.
  private func readFacts() {
    let head = context.head
    context.forgetHead()
    // The head of a station's stream describes only the first item that it played.
    gap = nature.kind == .station ? nil : context.gap
    mp3Parts = context.parts
    // Some demuxers claim to be seekable without asking the server.
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
    // The playlist of a live stream may list old segments, whose times are unknown.
    if context.isSegmented, duration == nil { isSeekable = false }
  }

  // MARK: Seeks

  /// Continues at another position, after the seek under way, if any. `prerolled` and `filled` are called again.
  /// - Returns: false if the stream refuses to seek.
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

  /// Requests buffering at the new position, once the seek has been sent.
  /// - Returns: false if the stream refuses to seek.
  private func proceed(_ outcome: TrackSeeker.Outcome) -> Bool {
    // The seek discarded the buffered sound.
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

  /// Reads the next tag of a concatenated MP3 file. The duration is known only when all tags have been read.
  private func readMP3Parts() {
    guard part == nil, context.isReadableAnywhere, let range = mp3Parts?.wanted else { return }
    _ = parts.read(range, for: .mp3Parts)
  }

  /// Reads the tags at the end of the file, if ReplayGain is on and the head has no ReplayGain tags.
  func readEndIfWanted() {
    guard part == nil, replayGainSettings.mode != .off, isPrerolled, !hasReadEnd, tags.replayGain == nil,
      context.isWithoutIndex, context.isReadableAnywhere, let size = decoder.size
    else { return }
    hasReadEnd = true
    _ = parts.read(max(0, size - APETags.longest)..<size, for: .endTags)
  }

  // MARK: Duration

  func readDuration() {
    // For a concatenated file the parser knows only the first part, or estimates.
    guard nature.kind != .station, parts.purpose != .mp3Parts, isPrerolled || context.parts == nil else { return }
    if let declared = gap?.duration ?? mp3Parts?.gap?.duration ?? context.declaredDuration {
      duration = declared
      return
    }
    guard let length = (decoder.parserDuration ?? context.flac?.duration).map({ max(.zero, $0 - origin) }) else {
      // A stream that is generated on the fly declares no duration, but the media server may.
      if let declared = track.duration, declared > .zero, !context.isSegmented { duration = duration ?? declared }
      return
    }
    duration = context.isEstimated ? measured ?? track.likelierDuration(than: length) : length
  }

  /// The whole track has been decoded, so its duration is known.
  func decodedToEnd() {
    let isUnknown = duration == nil ? !isStation : context.isEstimated && gap?.duration == nil
    guard isPrerolled, !seeker.isRough, failure == nil, isUnknown else { return }
    measured = end
    // The tags of further MP3 parts tell the length without padding. They may arrive after a short file is decoded.
    if parts.purpose != .mp3Parts { duration = measured }
  }
}
