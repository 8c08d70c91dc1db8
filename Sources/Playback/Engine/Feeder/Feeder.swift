import CGStreamer
import PlaybackModel

/// Takes decoded samples from the sources and hands them to the output, one track after the other, on one timeline
/// that is counted in samples. A thread of its own, which blocks where the output is full.
final class Feeder: Sendable {
  /// Where on the output's timeline a stretch of a track lies.
  struct Stretch: Sendable, Equatable {
    let trackID: Int
    /// Nanoseconds of the output's running time.
    let runningTime: Int64
    /// Where in the track the stretch begins, in nanoseconds.
    let position: Int64
  }

  private struct State {
    /// Which run of the output is being fed; 0 while halted.
    var session = 0
    var source: FeedSource?
    /// What comes after it, in order.
    var following: [FeedSource] = []
    var stretches: [Stretch] = []
    /// The running time up to which samples were handed over.
    var end: Int64 = 0
    /// More of the source's track will follow from another one.
    var expectsMore = false
    /// The end of the last track was told to the output.
    var isFinished = false
    var isStarving = false
    /// The output is paused: its clock stands still for good reason.
    var isHeld = false
    /// The output cannot go on without something, be it the end.
    var isPressed = false
    /// The thread touches neither source nor output.
    var isIdle = true
    var isQuitting = false

    /// What the thread is to do; nil for nothing.
    var turn: Turn? {
      if isQuitting { return .quit }
      guard session != 0, !isFinished, let source else { return nil }
      return .feed(session: session, source)
    }

    mutating func end(of source: FeedSource, session: Int, untilJoin: Int64, untilEnd: Int64) -> Ending {
      if self.session != session || self.source?.id != source.id { return .over }
      if let next = following.first {
        guard untilJoin <= 0 || isPressed else { return .early }
        self.source = next
        following.removeFirst()
        expectsMore = false
        isPressed = false
        return .over
      }
      guard untilEnd <= 0 || isPressed else { return .early }
      if expectsMore { return .incomplete }
      isFinished = true
      return .last
    }
  }

  /// What is to be done at the end of a source.
  private enum Ending {
    /// Nothing: the feeder was halted, or has gone over to the follower.
    case over
    /// The output is to be told that this was all.
    case last
    /// The rest of the track is missing.
    case incomplete
    /// There is time to wait for a follower, or for the one that is there to be replaced.
    case early
  }

  private enum Turn {
    case quit
    case feed(session: Int, FeedSource)
  }

  private let state = Monitor(State())
  private let output: OutputChain
  private let mailbox: Mailbox

  /// How long before the last sample the output is told that it is the last: late enough for a successor that comes
  /// late, early enough for the thread to be woken.
  private static let endLead: Int64 = 60_000_000
  /// How long before the device needs it a follower is taken: until then it can be replaced unheard.
  private static let joinLead: Int64 = 100_000_000
  /// How little sound may lie ready before the device is in danger.
  private static let starvingLead: Int64 = 60_000_000
  /// How long before the device needs it the first sound after a lapse must come.
  private static let lateLead: Int64 = 50_000_000
  /// How much silence goes ahead of sound for which the device is opened anew.
  private static let reopeningSilence: Int64 = 20_000_000
  /// How long the feeder waits at the end of a source before it looks at the clock again.
  private static let longestWait: Int64 = 100_000_000
  private static let pullTimeout: guint64 = 20_000_000

  init(output: OutputChain, mailbox: Mailbox) {
    self.output = output
    self.mailbox = mailbox
    NamedThread.start("feeder") { [self] in run() }
  }

  // MARK: On the pipeline's thread

  /// Begins to feed a run of the output that was just started. What follows is told with it: a short source is at its end
  /// before another word gets here.
  func begin(
    session: Int, source: FeedSource, following: [FeedSource] = [], expectsMore: Bool = false, isHeld: Bool = false
  ) {
    state.update { state in
      state.session = session
      state.source = source
      state.following = following
      state.expectsMore = expectsMore
      state.isHeld = isHeld
      state.stretches = []
      state.end = 0
      state.isFinished = false
      state.isStarving = false
      state.isPressed = false
    }
  }

  /// The output cannot go on without something: what is held back until its time is handed over now.
  func press() {
    state.update { $0.isPressed = true }
  }

  /// Whether the output is paused.
  func setHeld(_ isHeld: Bool) {
    state.update { $0.isHeld = isHeld }
  }

  /// Asks the thread to stop; it does as soon as neither source nor output holds it.
  func halt() {
    state.update { state in
      state.session = 0
      state.source = nil
      state.following = []
    }
  }

  /// Waits until the thread has stopped. The output must be flushing by now.
  /// - Returns: whether it has, within the time.
  @discardableResult
  func waitUntilIdle(timeout: Duration? = nil) -> Bool {
    state.wait(timeout: timeout) { $0.isIdle ? true : nil } ?? false
  }

  func quit() {
    state.update { state in
      state.session = 0
      state.isQuitting = true
    }
  }

  /// What is taken when the source has come to its end, one after the other.
  func setFollowing(_ sources: [FeedSource]) {
    state.update { state in
      // It may have gone over to one of them meanwhile.
      let taken = sources.firstIndex { $0.id == state.source?.id }
      state.following = Array(sources.dropFirst(taken.map { $0 + 1 } ?? 0))
    }
  }

  /// Whether more of the track that is being fed will come from another source: its end is none then.
  func setExpectsMore(_ expectsMore: Bool) {
    state.update { $0.expectsMore = expectsMore }
  }

  /// The source that is being fed.
  var fedSourceID: Int? { state.withLock { $0.source?.id } }

  /// Whether the source has no samples where the output needs some.
  var isStarving: Bool { state.withLock(\.isStarving) }

  /// What is heard at that running time; nil before the first sample.
  func locate(_ runningTime: Int64) -> Stretch? {
    state.withLock { state in
      state.stretches.last { $0.runningTime <= runningTime } ?? state.stretches.first
    }
  }

  // MARK: On the feeder's thread

  private func run() {
    var cursor = FeedCursor()
    while case .feed(let session, let source) = awaitTurn() {
      if cursor.session != session { cursor = FeedCursor(session: session) }
      feed(source, &cursor)
    }
  }

  private func awaitTurn() -> Turn {
    while true {
      // Told, not only noted: somebody may be waiting for it. And in one step, since a halt may come at any moment.
      let turn = state.update { state in
        let turn = state.turn
        if case .feed = turn { state.isIdle = false } else { state.isIdle = true }
        return turn
      }
      if let turn { return turn }
      _ = state.wait { $0.turn }
    }
  }

  private func feed(_ source: FeedSource, _ cursor: inout FeedCursor) {
    let sink = swiftlet_app_sink(source.sink.pointer)
    guard let sample = gst_app_sink_try_pull_sample(sink, Self.pullTimeout) else {
      if gst_app_sink_is_eos(sink) != 0 {
        endOrJoin(source, &cursor)
      } else {
        starve(&cursor)
      }
      return
    }
    defer { swiftlet_sample_unref(sample) }
    push(sample, of: source, &cursor)
  }

  private func push(_ sample: OpaquePointer, of source: FeedSource, _ cursor: inout FeedCursor) {
    guard let caps = gst_sample_get_caps(sample), let format = AudioFormat(caps: caps),
      let original = gst_sample_get_buffer(sample)
    else { return }
    let size = Int(gst_buffer_get_size(original))
    source.context.taken(bytes: size)
    if cursor.format != format { cursor.change(to: format) }
    let isNewSource = cursor.sourceID != source.id
    let frames = Int64(size / format.bytesPerFrame)
    let place = cursor.place(of: source, told: Self.position(of: original, in: sample), in: format)
    let heard = cursor.audible(place..<place + frames, of: source, in: format)
    guard !heard.isEmpty, prepareDevice(for: source, format, caps, &cursor),
      let piece = heard.count < frames
        ? gst_buffer_copy_region(
          original, GST_BUFFER_COPY_MEMORY, gsize(heard.lowerBound - place) * gsize(format.bytesPerFrame),
          gsize(heard.count) * gsize(format.bytesPerFrame)) : swiftlet_buffer_ref(original),
      let buffer = swiftlet_buffer_make_writable(piece)
    else { return }

    let isFirst = cursor.sourceID == nil
    if isNewSource || cursor.hasLapsed, !isFirst { catchUp(&cursor) }
    let begin = cursor.end
    let position = format.nanoseconds(frames: heard.lowerBound)
    // A hole in the stream: the samples go on without it, the position does not.
    let hasJumped = !isNewSource && abs(position - cursor.position) > 100_000_000
    cursor.advance(heard, of: source)
    swiftlet_buffer_place(buffer, GstClockTime(begin), GstClockTime(cursor.end - begin), guint64(source.trackID))

    let session = cursor.session
    let end = cursor.end
    let isCurrent = state.withLock { state in
      guard state.session == session else { return false }
      if isNewSource || hasJumped {
        state.stretches.append(Stretch(trackID: source.trackID, runningTime: begin, position: position))
      }
      state.end = end
      state.isStarving = false
      return true
    }
    guard isCurrent else {
      swiftlet_buffer_unref(buffer)
      return
    }
    if isNewSource, !isFirst {
      mailbox.post(.feeder(session: session, .joined(sourceID: source.id, runningTime: begin)))
    }
    gst_app_src_push_buffer(output.appSource, buffer)
  }

  /// Has the device get another form where the samples call for one, or what is done to them.
  /// - Returns: false if the run is over.
  private func prepareDevice(
    for source: FeedSource, _ format: AudioFormat, _ caps: UnsafeMutablePointer<GstCaps>, _ cursor: inout FeedCursor
  ) -> Bool {
    let converter = output.converter
    let change = cursor.plan.next(format, converter.situation) { converter.choose(for: format, $0, like: caps) }
    guard let change else { return true }
    converter.plan(.init(start: cursor.end, input: format, change: change))
    gst_app_src_set_caps(output.appSource, caps)
    return !change.reopens || awaitReopening(for: source, in: format, &cursor)
  }

  /// The device is opened for another form once it has played what it has, and its clock goes on for a moment until then.
  /// Sound whose time is past by then would be lost: silence goes first, and when that has got there it is seen what time
  /// it is.
  /// - Returns: false if the run is over.
  private func awaitReopening(for source: FeedSource, in format: AudioFormat, _ cursor: inout FeedCursor) -> Bool {
    let begin = cursor.end
    let frames = format.frames(nanoseconds: Self.reopeningSilence)
    guard let silence = swiftlet_silence(format.name, gsize(Int(frames) * format.bytesPerFrame)) else { return true }
    swiftlet_buffer_place(
      silence, GstClockTime(begin), GstClockTime(Self.reopeningSilence), guint64(source.trackID))
    cursor.skip(Self.reopeningSilence)
    gst_app_src_push_buffer(output.appSource, silence)
    // Half of it: a resampler keeps some.
    guard output.context.awaitArrival(beyond: begin + Self.reopeningSilence / 2, epoch: cursor.session) else {
      return false
    }
    cursor.skip(max(0, output.clockTime - cursor.end))
    return true
  }

  /// The source has come to its end: its follower is next; without one, the output is told that this was all. Either is
  /// done as late as can be.
  private func endOrJoin(_ source: FeedSource, _ cursor: inout FeedCursor) {
    let session = cursor.session
    var watch = StandstillWatch()
    var isMarked = false
    while true {
      let heard = output.runningTime
      let ahead = cursor.end - heard
      if watch.standsStill(at: heard, now: .now) { pressUnlessHeld() }
      let awaitsMore = output.awaitsMore
      let untilEnd = ahead - Self.endLead
      let (ending, untilJoin, hasFollower, isHeld) = state.withLock { state in
        let untilJoin = awaitsMore && !state.isHeld ? 0 : ahead - output.deviceLead - Self.joinLead
        let ending = state.end(of: source, session: session, untilJoin: untilJoin, untilEnd: untilEnd)
        return (ending, untilJoin, !state.following.isEmpty, state.isHeld)
      }
      switch ending {
      case .over: return
      case .last:
        // A sink that never got a sample takes the end of the stream for an error.
        let isEmpty = cursor.sourceID == nil
        if !isEmpty { gst_app_src_end_of_stream(output.appSource) }
        mailbox.post(.feeder(session: session, .finished(runningTime: isEmpty ? 0 : cursor.end)))
        return
      case .incomplete:
        starve(&cursor)
        _ = state.wait(timeout: .milliseconds(100)) { $0.session != session || !$0.following.isEmpty ? true : nil }
        return
      case .early:
        if untilJoin <= 0, !isMarked, !isHeld {
          isMarked = true
          markEnd(cursor)
        }
        let pause = min(untilJoin > 0 ? untilJoin : untilEnd, Self.longestWait)
        _ = state.wait(timeout: .nanoseconds(pause)) { state in
          state.session != session || state.isPressed || state.following.isEmpty == hasFollower ? true : nil
        }
      }
    }
  }

  /// Has what is still on its way to the device be heard, although a follower may still come.
  private func markEnd(_ cursor: FeedCursor) {
    guard let format = cursor.format, let mark = gst_buffer_new_allocate(nil, gsize(format.bytesPerFrame), nil) else {
      return
    }
    swiftlet_buffer_place(mark, GstClockTime(cursor.end), 0, OutputConverter.endMark)
    gst_app_src_push_buffer(output.appSource, mark)
  }

  /// A device that has run out of sound before its clock reached the end of it would be waited for in vain.
  private func pressUnlessHeld() {
    state.withLock { if !$0.isHeld { $0.isPressed = true } }
  }

  /// Sound that comes after the device has gone on without it would be thrown away: its place is moved to where it is
  /// heard.
  private func catchUp(_ cursor: inout FeedCursor) {
    cursor.hasLapsed = false
    let lead = output.deviceLead
    let late = output.clockTime + lead + Self.lateLead - cursor.end
    if late > Self.lateLead { output.context.forgiveLapse() }
    if lead > 0, late > 0 { cursor.skip(late) }
  }

  private func starve(_ cursor: inout FeedCursor) {
    guard cursor.end - output.runningTime - output.deviceLead < Self.starvingLead else { return }
    cursor.hasLapsed = true
    let isNews = state.withLock { state in
      guard state.session == cursor.session, !state.isStarving else { return false }
      state.isStarving = true
      return true
    }
    if isNews { mailbox.post(.feeder(session: cursor.session, .starving)) }
  }

  /// Where in the stream the buffer lies, if it says so.
  private static func position(of buffer: UnsafeMutablePointer<GstBuffer>, in sample: OpaquePointer) -> Int64? {
    let time = swiftlet_buffer_pts(buffer)
    guard time != swiftlet_clock_time_none(), let segment = gst_sample_get_segment(sample) else { return nil }
    let position = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time)
    return position == swiftlet_clock_time_none() ? nil : min(Int64(clamping: position), AudioFormat.longest)
  }
}
