import CGStreamer
import MediaStream
import PlaybackFormats
import PlaybackModel
import Synchronization

/// State that a source's streaming threads share with the pipeline's and the feeder's thread: values under a lock, and
/// the mailbox.
final class SourceContext: Sendable {
  let id = SourceContext.ids.add(1, ordering: .relaxed).newValue
  private static let ids = Atomic(0)
  let mailbox: Mailbox
  /// The element that the decoder's pad is linked to.
  let input: ElementReference
  let settings: PlayerSettings
  /// Whether the server is known to ignore range requests.
  let isWithoutRanges: Bool
  private let state: Mutex<State>
  /// Number of failures that the pipeline's thread has not handled yet.
  private let openFailures = Monitor(0)

  private struct State {
    var fill: FillLevel
    var head = StreamHead()
    var flacParser: ElementReference?
    var isClipped = false
    var httpReader: ElementReference?
    var isReadableAnywhere = true
    var isSegmented = false
    /// Whether the demuxer's seeks fail.
    var isSeekingBroken = false
    var isRaw = false
    var encodedDepth: Int?
    var container: StreamInfo.Container?
    var bitRateMeter = BitRateMeter()
    var expectedEnd: Duration?
    var hasLinks = false
    var liveDelay: Duration?
    /// Whether the feeder has taken sound of the current link of a chained stream.
    var hasTakenSound = false
    /// Whether the next tags are the first of a further link.
    var isLinkNew = false
  }

  init(
    mailbox: Mailbox, input: ElementReference, settings: PlayerSettings, isWithoutRanges: Bool = false
  ) {
    self.mailbox = mailbox
    self.input = input
    self.settings = settings
    self.isWithoutRanges = isWithoutRanges
    state = Mutex(State(fill: FillLevel(settings)))
  }

  /// Returns the context that a callback was registered with. The source keeps it alive until its pipeline has stopped.
  static func from(_ data: UnsafeMutableRawPointer?) -> SourceContext? {
    data.map { Unmanaged<SourceContext>.fromOpaque($0).takeUnretainedValue() }
  }

  func post(_ event: SourceEvent) {
    if case .failed = event { openFailures.update { $0 += 1 } }
    mailbox.post(.source(id: id, event))
  }

  /// The pipeline's thread has decided what a failure means for the track.
  func failureHandled() { openFailures.update { $0 -= 1 } }

  /// Waits until it is known whether the end of the sound is the end of the track.
  /// - Returns: false after the timeout.
  func awaitVerdict(timeout: Duration) -> Bool {
    openFailures.wait(timeout: timeout) { $0 == 0 ? true : nil } ?? false
  }

  // MARK: The head of the stream

  /// Whether the server has sent anything.
  var hasReceived: Bool { state.withLock(\.head.hasReceived) }

  /// The first bytes from the server, kept while they may be a playlist.
  var head: [UInt8] { state.withLock { $0.head.bytes ?? [] } }

  /// Whether `head` is the whole document, or as much of it as is read.
  var isHeadComplete: Bool { state.withLock(\.head.isComplete) }

  /// Discards the head: the stream is audio, not a playlist.
  func forgetHead() { state.withLock { $0.head.discardBytes() } }

  /// When the server began to send; nil before that.
  var began: ContinuousClock.Instant? { state.withLock(\.head.began) }

  /// Sets the size announced by the server, in bytes.
  func setSize(_ size: Int64) { state.withLock { $0.head.size = size } }

  /// Notes that the item declares a duration.
  func setItemDuration() { state.withLock { $0.head.nature.hasItemDuration = true } }

  /// Notes that the item declares a wrong duration.
  func forgetItemDuration() { state.withLock { $0.head.nature.hasItemDuration = false } }

  /// The body has ended without an error.
  func bodyEnded() {
    state.withLock { state in
      let nature = state.head.nature
      state.head.bodyEnd = nature.hasSize || nature.isChunked ? .marked : .closed
    }
  }

  /// How the body ended; `.marked` before that.
  var bodyEnd: StreamNature.End { state.withLock { $0.head.bodyEnd ?? .marked } }

  /// Whether the stream carries titles (ICY).
  var isTitled: Bool { state.withLock { $0.head.nature.hasTitles } }

  /// The server has answered. Called for each request, before its first bytes.
  func answered(_ answer: StreamAnswer) {
    state.withLock { state in
      if answer.hasStationHeaders { state.head.nature.hasStationHeaders = true }
      state.head.nature.hasTitles = answer.isTitled
      state.head.nature.isChunked = answer.isChunked
    }
  }

  /// Whether bytes of the range should be passed to `received`.
  func wants(_ range: Range<Int>) -> Bool { state.withLock { $0.head.wants(range) } }

  /// - Parameter position: offset of the bytes in the file.
  func received(_ bytes: UnsafeRawBufferPointer, at position: Int) -> StreamHead.Reading {
    state.withLock { $0.head.read(bytes, at: position) }
  }

  /// The facts that the head declares; without the encoder's gap if GStreamer cuts that off.
  var headFacts: HeadFacts {
    state.withLock { state in
      var facts = state.head.facts
      if state.isClipped { facts.gap = nil }
      return facts
    }
  }

  // MARK: The stream

  /// The nature of the stream as far as server and demuxer have reported it.
  var nature: StreamNature {
    state.withLock { state in
      var nature = state.head.nature
      nature.isSegmented = state.isSegmented
      nature.declaresNoEnd = state.head.facts.declaresNoEnd
      return nature
    }
  }

  /// Whether seeks read from the beginning. See `UnseekableContainer`.
  var isReadThrough: Bool {
    state.withLock { state in
      let head = state.head
      return state.isSeekingBroken || head.isChained || head.facts.isFragmented || head.facts.flac?.isVarying == true
    }
  }

  func breakSeeking() { state.withLock { $0.isSeekingBroken = true } }

  /// Whether the server is believed to support range requests.
  var isReadableAnywhere: Bool {
    get { state.withLock(\.isReadableAnywhere) }
    set { state.withLock { $0.isReadableAnywhere = newValue } }
  }

  /// The element that reads the address, if it is HTTP.
  var httpReader: ElementReference? {
    get { state.withLock(\.httpReader) }
    set { state.withLock { $0.httpReader = newValue } }
  }

  /// flacparse, if the file is FLAC.
  var flacParser: ElementReference? {
    get { state.withLock(\.flacParser) }
    set { state.withLock { $0.flacParser = newValue } }
  }

  /// Notes that GStreamer cuts off the encoder's delay and padding.
  func setClipped() { state.withLock { $0.isClipped = true } }

  /// Whether the sound arrives in the segments of a playlist (HLS).
  var isSegmented: Bool {
    get { state.withLock(\.isSegmented) }
    set { state.withLock { $0.isSegmented = newValue } }
  }

  /// Whether the samples were exposed without a decoder.
  var isRaw: Bool {
    get { state.withLock(\.isRaw) }
    set { state.withLock { $0.isRaw = newValue } }
  }

  /// Bits of a sample, if the encoded stream declares them. Decoders may output more.
  var encodedDepth: Int? {
    get { state.withLock(\.encodedDepth) }
    set { state.withLock { $0.encodedDepth = newValue } }
  }

  /// The container, if it holds uncompressed samples.
  var container: StreamInfo.Container? {
    get { state.withLock(\.container) }
    set { state.withLock { $0.container = newValue } }
  }

  /// Measures the bit rate of packets that enter the decoder.
  func decodes(bytes: Int, nanoseconds: Int64) {
    let rate = state.withLock { $0.bitRateMeter.add(bytes: bytes, nanoseconds: nanoseconds) }
    if let rate { post(.tags(StreamTags(measuredBitRate: rate))) }
  }

  // MARK: Decoded sound

  /// Whether the whole track has been decoded.
  var isComplete: Bool { state.withLock(\.fill.isComplete) }

  /// Stream position of the end of the decoded sound.
  var end: Duration { .nanoseconds(state.withLock(\.fill.end)) }

  /// When sound was last decoded, or a seek last flushed the buffer.
  var lastArrival: ContinuousClock.Instant { state.withLock(\.fill.lastArrival) }

  /// Time of the first sample after the beginning or the last seek, minus the requested position.
  var segmentDelay: Duration { .nanoseconds(state.withLock(\.fill.segmentDelay) ?? 0) }

  /// Decoded sound that the feeder has not taken yet.
  var held: HeldSound {
    state.withLock { HeldSound(bytes: $0.fill.bytes, duration: .nanoseconds($0.fill.nanoseconds)) }
  }

  /// Whether the server may be stalled: the buffer is low and not all sound has been decoded.
  var isLow: Bool { state.withLock(\.fill.isLow) }

  func setBytesPerSecond(_ rate: Int64) { state.withLock { $0.fill.bytesPerSecond = rate } }

  /// Posts `filled` as soon as the amount is buffered or all sound is decoded. Replaces an earlier request.
  /// - Returns: the number of the request.
  func awaitFill(_ amount: Duration) -> Int {
    let (request, fulfilled) = state.withLock { $0.fill.request(amount) }
    postFilled(fulfilled)
    return request
  }

  /// Sound was decoded. See `FillLevel.fill`.
  /// - Returns: false if it must be dropped.
  func filled(bytes: Int, end: Int64?, segmentDelay: Int64?) -> Bool {
    let outcome: (fulfilled: Int?, isOutlived: Bool)? = state.withLock { state in
      guard !state.fill.isCutOff else { return nil }
      let fulfilled = state.fill.fill(bytes: bytes, end: end, segmentDelay: segmentDelay)
      guard let end, let expected = state.expectedEnd, .nanoseconds(end) > expected else { return (fulfilled, false) }
      state.expectedEnd = nil
      return (fulfilled, true)
    }
    guard let outcome else { return false }
    postFilled(outcome.fulfilled)
    if outcome.isOutlived { post(.outlived) }
    return true
  }

  /// The time from the arrival of a sample to its being heard; nil unless the server sends in real time.
  var liveDelay: Duration? { state.withLock(\.liveDelay) }

  /// - Parameter isPaced: whether the server sends in real time from the beginning.
  /// - Returns: whether the delay has become known, or unknown.
  func setLiveDelay(_ nanoseconds: Int64?, isPaced: Bool) -> Bool {
    state.withLock { state in
      defer { state.liveDelay = nanoseconds.map { .nanoseconds($0) } }
      state.head.nature.isPaced = isPaced
      return (state.liveDelay == nil) != (nanoseconds == nil)
    }
  }

  /// Whether a further link of a chained stream has been decoded. It may not be heard yet.
  var hasLinks: Bool { state.withLock(\.hasLinks) }

  /// A stream starts before the queue. If sound came before, it is the next link of a chained stream.
  func linkDecoded() {
    state.withLock { state in
      if state.fill.hasArrived { state.hasLinks = true }
    }
  }

  /// A stream starts after the queue. If sound came before, it is the next link of a chained stream.
  func streamStarted() {
    state.withLock { state in
      if state.hasTakenSound { (state.hasTakenSound, state.isLinkNew) = (false, true) }
    }
  }

  /// Marks the first tags of a further link.
  func placed(_ tags: StreamTags) -> StreamTags {
    var tags = tags
    state.withLock { state in
      if state.isLinkNew { tags.linksBefore = 1 }
      state.isLinkNew = false
    }
    return tags
  }

  /// The stream position after which `outlived` is posted, once.
  var expectedEnd: Duration? {
    get { state.withLock(\.expectedEnd) }
    set { state.withLock { $0.expectedEnd = newValue } }
  }

  /// The feeder took sound. Posts `low` once when the buffer runs low; posts again only after it has recovered.
  func taken(bytes: Int) {
    let isLow = state.withLock { state in
      state.hasTakenSound = true
      return state.fill.take(bytes: bytes)
    }
    if isLow { post(.low) }
  }

  func completed() { end { $0.complete() } }

  /// Ends the sound after the samples decoded so far. No event is sent through the pipeline: it would wait for the
  /// thread that decodes, which may be waiting for space in the queue.
  func cutOff() { end { $0.cutOff() } }

  /// See `FillLevel.isDrained`.
  var isDrained: Bool { state.withLock(\.fill.isDrained) }

  private func end(_ body: (inout FillLevel) -> Int?) {
    let fulfilled: Int?? = state.withLock { $0.fill.isCutOff ? nil : .some(body(&$0.fill)) }
    guard let fulfilled else { return }
    post(.decodedToEnd)
    postFilled(fulfilled)
  }

  /// A seek discarded the buffered sound.
  func flushed() {
    state.withLock { state in
      state.fill.flush()
      state.head.restartClock()
    }
  }

  private func postFilled(_ request: Int?) {
    if let request { post(.filled(request: request)) }
  }
}
