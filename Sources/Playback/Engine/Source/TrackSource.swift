import CGStreamer
import PlaybackFormats
import PlaybackModel

/// Reads and decodes one track ahead of time: a pipeline of its own that ends where the feeder takes the samples.
///
/// Being a pipeline of its own, a source that opens slowly, fails or is given up touches nothing of what sounds.
/// Used on the pipeline's thread only, but for `sink` and `context`.
final class TrackSource {
  let track: Track
  let decoder: DecoderPipeline
  var context: SourceContext { decoder.context }
  var id: Int { context.id }
  /// Where in the track the first sample lies that is wanted.
  private(set) var start: Duration
  /// The first sound is there.
  private(set) var isPrerolled = false
  /// The first sound is there, from where it is wanted.
  private(set) var isPositioned = false
  /// There is enough to begin.
  private(set) var isFilled = false
  private(set) var isSeekable = false
  private(set) var duration: Duration?
  /// True time minus stream time after a seek by bit rate, and in HLS.
  private(set) var shift = Duration.zero
  /// The length of the track as decoded so far.
  private var measured: Duration?
  /// What an encoder has put around the sound: in the stream's own time, the track begins after it.
  private(set) var gap: EncoderGap?
  private(set) var tags = StreamTags()
  /// How the stream began, if it may have no end.
  private(set) var beginning: StreamBeginning?
  /// How the same address began when it was open before.
  var formerBeginning: StreamBeginning?
  /// Whether it goes on where a stream broke off: then it is read from its beginning only if it is certainly the same.
  var isContinuation = false
  /// The reopened stream compared with the former one.
  private(set) var reopening = StreamNature.Reopening.first
  /// What its tags lead to, from its first sample to its last.
  var replayGainSettings: ReplayGainSettings
  private let startFill: Duration
  /// How much must be there to begin if the server is slow; waited for once.
  private let slowFill: Duration
  private var hasWaited = false
  private var fillRequest = 0
  private var isDisposed = false
  /// The position was changed again while a seek was under way.
  private var isSeekPending = false
  /// Where it is has been found by bit rate.
  private var isRough = false
  /// Up to where the stream's parser knows where everything lies, in the stream's own time: it has read all of that.
  private var known = Duration.zero
  /// Why no more comes.
  var failure: PlaybackError?
  /// The server has said that there is no more of it, by a failure.
  var isWhole = false
  /// `failure` is only a guess yet.
  var isUnderDiagnosis = false
  /// Reads the whole of what has turned out to be a text.
  var document: ByteSource?
  /// Looks for a place in the file by reading parts of it.
  private var search: FLACSearch?
  /// Reads a part of the file by itself: what the search wants to see, else the end, where tags may be.
  private(set) var part: ByteSource?
  /// Where in the file frames are known to begin.
  private var places: [FLACPlace] = []
  private var hasReadEnd = false
  /// The parts of an MP3 file that was put together, as far as they are known.
  private var parts: MP3Parts?
  private var isReadingParts = false

  /// Starts to open the track. Returns at once.
  /// - Parameter isWithoutRanges: the server is known to send no part of the stream by itself.
  init(
    track: Track, start: Duration, isWithoutRanges: Bool, settings: PlayerSettings, mailbox: Mailbox
  ) throws(PlaybackError) {
    try SourcePolicy(allowedFolders: settings.allowedFolders).check(track.uri)
    self.track = track
    self.start = start
    decoder = try DecoderPipeline(
      uri: track.uri, isWithoutRanges: isWithoutRanges, settings: settings, mailbox: mailbox)
    replayGainSettings = settings.replayGain
    startFill = settings.startFill
    slowFill = max(settings.startFill, settings.resumeFill)
    fillRequest = context.awaitFill(startFill)
    decoder.open()
  }

  /// Ends it. What was posted to the mailbox and not yet read is to be ignored.
  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    decoder.end()
    document?.dispose()
    part?.dispose()
  }

  /// Ends the decoded sound where it is now; nothing more is read.
  func cutOff() { decoder.cutOff() }

  /// Whether the feeder may begin to take samples.
  var isReady: Bool { isPositioned && isFilled && part == nil }

  /// A request for a fill was fulfilled.
  /// - Returns: false if it was made before a seek, and is void.
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

  /// Whether the beginning has come hardly faster than it is heard: then the first hitch of the line would be heard, too.
  private var isSlow: Bool {
    guard !isFilled, !hasWaited, !context.isComplete, let began = context.began else { return false }
    return began.duration(to: .now) > startFill / 2
  }

  /// Has `filled` told once more when so much lies ready.
  func awaitFill(_ amount: Duration) {
    fillRequest = context.awaitFill(amount)
  }

  /// The first sound is there: asks the stream about itself, and goes to where the track is to begin.
  func prerolled() {
    if !isPrerolled {
      isPrerolled = true
      let head = context.head
      context.forgetHead()
      // The head of a station's stream speaks of what it played first.
      gap = nature.kind == .station ? nil : context.gap
      parts = context.parts
      readSeekable()
      readPartsIfWanted()
      readDuration()
      if isLive {
        let beginning = StreamBeginning(head)
        reopening = formerBeginning.map { beginning.comparison(with: $0, isContinuation: isContinuation) } ?? .first
        self.beginning = beginning
      }
      readEndIfWanted()
      // Its list may name what was a while ago; where that lies in time, nobody knows.
      if context.isSegmented, duration == nil { isSeekable = false }
      if start > .zero {
        if isSeekable, isReadingParts {
          // How to get there depends on how long it is.
          isSeekPending = true
          return
        }
        if isSeekable, seek() { return }
        // Where the stream is read through, the feeder drops what comes before.
        if nature.access == .none { start = .zero }
      }
    }
    if isSeekPending, seek() { return }
    // An MPEG-TS segment's clock starts before its first sample (0.7 s in FFmpeg's files). The playlist counts from the
    // sample.
    if context.isSegmented { shift = .zero - context.segmentDelay }
    isPositioned = true
  }

  /// Goes elsewhere, after the seek before it if there is one under way. `prerolled` and `filled` are heard again.
  /// - Returns: false if the stream refuses.
  func seek(to position: Duration) -> Bool {
    start = position
    guard isPositioned || search != nil else {
      isSeekPending = isPrerolled
      return true
    }
    return seek()
  }

  private func seek() -> Bool {
    isPositioned = false
    isFilled = false
    isSeekPending = false
    if search != nil { endPart() }
    search = beginSearch()
    return searchOn()
  }

  /// Where a FLAC file has no table of places, or a sparse one, its parser would read all that comes before.
  private func beginSearch() -> FLACSearch? {
    guard let layout = context.flac, let format, let told = told(), let size else { return nil }
    if places.isEmpty { places = layout.places }
    let samples = layout.samples > 0 ? layout.samples : Int(format.frames(nanoseconds: told.nanoseconds))
    let target = Int(format.frames(nanoseconds: start.nanoseconds))
    return FLACSearch(layout, places: places, end: FLACPlace(sample: samples, offset: size), for: target)
  }

  /// Reads what the search wants to see, or goes where it has led to.
  private func searchOn() -> Bool {
    guard let search else { return go() }
    if let range = search.wanted {
      part = ByteSource(uri: track.uri, range: range, settings: context.settings, mailbox: context.mailbox)
      if part != nil { return true }
    }
    places = search.places
    if let parser = context.flacParser, let format {
      let time = format.nanoseconds(frames: Int64(search.before.sample))
      swiftlet_parser_add_index(parser.pointer, guint64(search.before.offset), guint64(time))
    }
    self.search = nil
    return go()
  }

  /// The part that was asked for is there, or cannot be had.
  /// - Returns: false if the stream refuses to be read on.
  func partEnded() -> Bool {
    let bytes = endPart()
    guard search != nil else {
      if isReadingParts { return take(bytes) }
      tags.replayGain = tags.replayGain ?? APETags(endOfFile: bytes).flatMap { ReplayGainTags(ape: $0.texts) }
      return true
    }
    search?.take(bytes)
    return searchOn()
  }

  /// - Returns: what has come of it.
  @discardableResult private func endPart() -> [UInt8] {
    let bytes = part?.bytes ?? []
    part?.dispose()
    part = nil
    return bytes
  }

  /// Has the parts read of an MP3 file that was put together: only they say how long it is.
  private func readPartsIfWanted() {
    guard part == nil, context.isReadableAnywhere, let range = parts?.wanted else { return }
    part = ByteSource(uri: track.uri, range: range, settings: context.settings, mailbox: context.mailbox)
    isReadingParts = part != nil
  }

  /// The next bytes of the parts are there, or cannot be had.
  /// - Returns: false if the stream refuses to be read on.
  private func take(_ bytes: [UInt8]) -> Bool {
    isReadingParts = false
    parts?.take(bytes)
    if gap != nil { gap = parts?.gap }
    readPartsIfWanted()
    if isReadingParts { return true }
    readDuration()
    readEndIfWanted()
    return isSeekPending ? seek() : true
  }

  /// Has the tags at the end of the file read, if those at its beginning say nothing of its loudness and that matters.
  func readEndIfWanted() {
    guard part == nil, replayGainSettings.mode != .off, isPrerolled, !hasReadEnd, tags.replayGain == nil,
      context.isWithoutIndex, context.isReadableAnywhere, let size
    else { return }
    hasReadEnd = true
    part = ByteSource(
      uri: track.uri, range: max(0, size - APETags.longest)..<size, settings: context.settings,
      mailbox: context.mailbox)
  }

  private var size: Int? { decoder.size }

  /// When the track begins, in the stream's own time.
  private var origin: Duration { (gap?.start ?? .zero) - context.lead }

  private func go() -> Bool {
    if !isRough { known = max(known, context.end) }
    let target = max(.zero, aligned(start) + origin)
    let isExact = isWorthReading(to: target)
    let place = isExact ? target : self.place(byBitRate: target)
    shift = target - place
    let flags = seekFlags(isExact: isExact)
    let isPossible = decoder.seek(to: place, flags)
    isRough = !isExact
    // What lay ready has been thrown away by now.
    fillRequest = context.awaitFill(startFill)
    return isPossible
  }

  private func seekFlags(isExact: Bool) -> GstSeekFlags {
    var flags = GST_SEEK_FLAG_FLUSH.rawValue
    if context.isSegmented {
      // From the beginning of the segment, whose time the playlist says; the feeder drops what comes before the place.
      flags |= GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
    } else if isExact {
      flags |= GST_SEEK_FLAG_ACCURATE.rawValue
    }
    return GstSeekFlags(rawValue: flags)
  }

  /// Whether as little has to be read to find a place exactly as may be.
  private func isWorthReading(to target: Duration) -> Bool {
    guard context.isWithoutIndex, let duration, duration > .zero, let size else { return true }
    let unknown = max(.zero, target - known)
    let before = Double(size) * Double(unknown.nanoseconds) / Double(duration.nanoseconds)
    // Without a table of contents the bit rate is that of the beginning, which may be far off.
    return before <= Double(context.settings.exactSeekBytes * (context.isEstimated ? 4 : 1))
  }

  /// Where the stream is to be told to go without a table of contents: it reckons with the bit rate that it has seen, so
  /// that a place is the right part of the whole when it is that part of what the stream takes for the whole.
  private func place(byBitRate target: Duration) -> Duration {
    guard context.isEstimated, let duration, duration > .zero, let estimate = told(), estimate > .zero else {
      return target
    }
    let part = min(1, Double(target.nanoseconds) / Double(duration.nanoseconds))
    return .nanoseconds(Int64(part * Double(estimate.nanoseconds)))
  }

  /// The boundary of a sample that is nearest: from between two, decoders begin with the one before.
  private func aligned(_ position: Duration) -> Duration {
    guard let format else { return position }
    return .nanoseconds(format.nanoseconds(frames: format.frames(nanoseconds: position.nanoseconds)))
  }

  private func readSeekable() {
    // Some demuxers say yes without asking what they read from; of pieces that a list names, the list says nothing.
    isSeekable =
      (context.isReadableAnywhere || context.isSegmented) && !context.isReadThrough && decoder.claimsToSeek
  }

  func readDuration() {
    // Of a file that was put together the parser knows the first part only, or guesses.
    guard nature.kind != .station, !isReadingParts, isPrerolled || context.parts == nil else { return }
    if let declared = gap?.duration ?? parts?.gap?.duration ?? context.declaredDuration {
      duration = declared
      return
    }
    guard let told = told() ?? context.flac?.duration else {
      // What a server makes as it goes has no length, but who offers it may know how long it will be.
      if let declared = track.duration, declared > .zero, !context.isSegmented {
        duration = duration ?? declared
      }
      return
    }
    let length = max(.zero, told - origin)
    duration = context.isEstimated ? measured ?? likelier(than: length) : length
  }

  /// How long the whole is as the stream says, or has to guess.
  private func told() -> Duration? { context.isFragmented ? nil : decoder.duration }

  /// A server has read the whole file; it may have told whole seconds only, as a guess by a constant bit rate need not.
  private func likelier(than guess: Duration) -> Duration {
    guard let declared = track.duration, declared > .zero else { return guess }
    let isSame = abs(declared.nanoseconds - guess.nanoseconds) < min(1_000_000_000, declared.nanoseconds / 100)
    return isSame ? guess : declared
  }

  /// All of it has been decoded: how long it was shows now.
  func decodedToEnd() {
    let isUnknown = duration == nil ? !isStation : context.isEstimated && gap?.duration == nil
    guard isPrerolled, !isRough, failure == nil, isUnknown else { return }
    measured = end
    duration = measured
  }

  /// Where in the track the sound ends that is decoded so far.
  var end: Duration { max(.zero, context.end + shift - origin) }

  /// Takes in what the stream has said. The title is the caller's to tell.
  func add(_ new: StreamTags) { tags.add(new) }

  var liveTitle: String? { tags.liveTitle }
  var replayGain: ReplayGainTags? { tags.replayGain }
}
