import PlaybackFormats
import PlaybackModel

/// The facts about a track's stream: kind, duration, tags, encoder delay. Requests parts of the file where its head
/// does not contain them.
///
/// Used on the pipeline's thread.
final class StreamFacts {
  private(set) var isSeekable = false
  private(set) var duration: Duration? { didSet { if duration != oldValue { expectEnd() } } }
  /// Encoder delay and padding.
  private(set) var gap: EncoderGap?
  private var tags = StreamTags()
  /// Whether the texts describe what a live stream plays now.
  private var hasLiveTexts = false
  /// The first bytes of a stream that may be endless.
  private(set) var beginning: StreamBeginning?
  /// The value of `beginning` when the same address was opened before.
  var formerBeginning: StreamBeginning?
  /// Whether the source continues a broken stream. If so, it is read from its beginning only if it is certainly the
  /// same stream.
  private var isContinuation = false
  private var reopening = StreamNature.Reopening.first
  /// ReplayGain settings for the whole track.
  private var replayGainSettings: ReplayGainSettings

  /// Whether the facts that are known after preroll were read.
  private var isRead = false
  private var mp3Parts: MP3Parts?
  private var hasReadEnd = false
  /// Duration measured by decoding to the end.
  private var measured: Duration?
  /// Duration that the item declares; nil once the stream has outlived it.
  private var itemDuration: Duration?
  /// Whether the stream is longer than any declared duration.
  private var isOutlived = false
  /// Tolerated excess over the declared duration: media servers declare whole seconds.
  private static let tolerance = Duration.seconds(1)

  private let track: Track
  private let decoder: DecoderPipeline
  private let parts: PartReader
  private var context: SourceContext { decoder.context }
  private var head: HeadFacts { context.headFacts }

  init(track: Track, decoder: DecoderPipeline, parts: PartReader, replayGain: ReplayGainSettings) {
    self.track = track
    self.decoder = decoder
    self.parts = parts
    replayGainSettings = replayGain
    itemDuration = track.duration
  }

  /// Takes over the settings of the broken stream that the source continues.
  func continues(_ broken: StreamFacts) {
    replayGainSettings = broken.replayGainSettings
    formerBeginning = broken.beginning
    isContinuation = true
  }

  // MARK: Kind

  /// Whether the stream ends, and how seeks work. Final after preroll.
  var nature: StreamNature {
    var nature = context.nature
    nature.isSeekable = isSeekable
    nature.hasDuration = duration != nil
    nature.reopening = reopening
    return nature
  }

  /// Whether the stream may be endless.
  var isLive: Bool { isRead && nature.kind != .file }

  /// Whether the stream is known to be endless.
  var isStation: Bool { isRead && (nature.kind == .station || nature.kind == .live) }

  /// Whether the connection was lost when the stream ended, so that it continues on another one.
  var isBrokenOff: Bool {
    isRead && nature.isBroken(by: context.bodyEnd, after: context.end)
  }

  /// Whether the server may send uncompressed samples in real time. `LiveDelay` finds out.
  var mayBePaced: Bool { isRead && isLive && context.isRaw && !context.isSegmented }

  /// Nil before preroll.
  var streamInfo: StreamInfo? {
    guard isRead else { return nil }
    var info = StreamInfo(
      tags: tags, container: context.container, isRaw: context.isRaw, format: decoder.format,
      encodedDepth: context.encodedDepth, isSeekable: nature.access != .none, isLive: isStation)
    info.isPaced = context.liveDelay != nil
    return info
  }

  /// Reads the facts that are known after preroll.
  func read() {
    isRead = true
    let beginning = StreamBeginning(context.head)
    context.forgetHead()
    // The head of a station's stream describes only the first item that it played.
    gap = nature.isPossibleStation ? nil : head.gap
    mp3Parts = head.parts
    // Some demuxers claim to be seekable without asking the server.
    isSeekable =
      (context.isReadableAnywhere || context.isSegmented) && !context.isReadThrough && decoder.claimsToSeek
    readMP3Parts()
    readDuration()
    if isLive {
      reopening = formerBeginning.map { beginning.comparison(with: $0, isContinuation: isContinuation) } ?? .first
      self.beginning = beginning
    }
    readEndIfWanted()
    findLiveTexts()
    // The playlist of a live stream may list old segments, whose times are unknown.
    if context.isSegmented, duration == nil { isSeekable = false }
  }

  // MARK: Tags

  /// Title, artist and album from the stream; nil if there are none.
  var texts: TrackTags? {
    var texts = tags.texts
    texts.isLive = hasLiveTexts
    return texts.isEmpty && tags.linksBefore == 0 ? nil : texts
  }

  /// The ReplayGain factor of the track; nil if ReplayGain is off.
  var gainFactor: Double? { replayGainSettings.factor(for: tags.replayGain) }

  func setReplayGain(_ settings: ReplayGainSettings) {
    replayGainSettings = settings
    readEndIfWanted()
  }

  func add(_ new: StreamTags) {
    tags.add(new)
    findLiveTexts()
  }

  /// Treats titles as live if the stream is a station, or may be one and has several links or another beginning than
  /// before. Once set, this stays, although the end of the stream may give it a duration.
  private func findLiveTexts() {
    let isChained = context.hasLinks || reopening == .other
    if nature.hasTitles || isStation || isLive && isChained { hasLiveTexts = true }
  }

  /// Requests the end of the file, which may have tags, if ReplayGain is on and the head has no ReplayGain tags.
  private func readEndIfWanted() {
    guard parts.request == nil, replayGainSettings.mode != .off, isRead, !hasReadEnd, tags.replayGain == nil,
      head.isWithoutIndex, context.isReadableAnywhere, let size = decoder.size
    else { return }
    hasReadEnd = true
    _ = parts.read(max(0, size - APETags.longest)..<size, for: .endTags)
  }

  /// The end of the file has arrived.
  func takeEnd(_ bytes: [UInt8]) {
    tags.replayGain = tags.replayGain ?? APETags(endOfFile: bytes).flatMap { ReplayGainTags(ape: $0.texts) }
  }

  // MARK: Duration

  /// The duration and its certainty; nil if unknown.
  var trackDuration: TrackDuration? {
    guard let duration else { return isOutlived ? .outlived : nil }
    return measured == nil ? .declared(duration) : .exact(duration)
  }

  /// Requests `outlived` for when more than the duration is decoded.
  private func expectEnd() {
    // The feeder ends the sound where the encoder's gap begins.
    context.expectedEnd = gap?.duration == nil ? duration.map { $0 + origin + Self.tolerance } : nil
  }

  /// More than the declared duration has been decoded.
  func outlive(_ end: Duration) {
    itemDuration = nil
    context.forgetItemDuration()
    duration = nil
    readDuration()
    if let duration, duration + Self.tolerance < end { self.duration = nil }
    isOutlived = duration == nil
  }

  /// Start of the track in stream time.
  var origin: Duration { (gap?.start ?? .zero) - head.prelude }

  /// Requests the next tag of a concatenated MP3 file. The duration is known only when all tags have been read.
  private func readMP3Parts() {
    guard parts.request == nil, context.isReadableAnywhere, let range = mp3Parts?.wanted else { return }
    _ = parts.read(range, for: .mp3Parts)
  }

  /// A tag of a concatenated MP3 file has arrived.
  /// - Returns: whether another one was requested.
  func takeMP3Part(_ bytes: [UInt8]) -> Bool {
    mp3Parts?.take(bytes)
    if gap != nil { gap = mp3Parts?.gap }
    readMP3Parts()
    if parts.purpose == .mp3Parts { return true }
    readDuration()
    readEndIfWanted()
    return false
  }

  func readDuration() {
    // For a concatenated file the parser knows only the first part, or estimates.
    guard !nature.isPossibleStation, !isOutlived, parts.purpose != .mp3Parts, isRead || head.parts == nil else {
      return
    }
    let estimate = head.isEstimated ? measured ?? parserDuration?.orDeclared(itemDuration) : nil
    // A stream that is generated on the fly declares no duration, but the media server may.
    duration = declaredDuration ?? estimate?.asLength ?? duration ?? (context.isSegmented ? nil : itemDuration)
  }

  /// The duration that the stream declares; nil if it can only be estimated.
  private var declaredDuration: Duration? {
    let declared = gap?.duration ?? mp3Parts?.gap?.duration ?? head.duration
    return (declared ?? (head.isEstimated ? nil : parserDuration))?.asLength
  }

  /// The duration that the parser reports. Nil if the header declares no end and the server no size: the parser would
  /// mistake the header's placeholder for a size.
  private var parserDuration: Duration? {
    if context.nature.declaresNoEnd, !context.nature.hasSize { return nil }
    return (decoder.parserDuration ?? head.flac?.duration).map { max(.zero, $0 - origin) }
  }

  /// The track was decoded to its end, which is at this position.
  func measured(_ end: Duration) {
    guard !isStation else { return }
    findLiveTexts()
    // The feeder ends the sound where the encoder's padding begins. In HLS the end is uncertain.
    let isDeclared = gap?.duration != nil || context.isSegmented
    measured = declaredDuration.map { isDeclared ? $0 : max($0, end) } ?? end
    // The tags of further MP3 parts give the length without padding. They may arrive after a short file is decoded.
    if parts.purpose != .mp3Parts { duration = measured }
  }
}
