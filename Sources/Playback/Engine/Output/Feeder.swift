import CGStreamer
import PlaybackModel

/// Takes decoded samples from the sources and hands them to the output, one track after the other, on a timeline
/// counted in samples. Runs on its own thread, which blocks while the output is full (backpressure).
final class Feeder: Sendable {
  private let queue = Monitor(FeedQueue())
  private let output: OutputChain
  private let mailbox: Mailbox
  private let tap: SoundTap?

  // Leads, in nanoseconds before the device needs the samples.
  /// EOS is signalled this early: late enough for a late follower, early enough for the thread to wake.
  private static let endLead: Int64 = 60_000_000
  /// A follower is taken this early. Until then it can be replaced unheard.
  private static let joinLead: Int64 = 100_000_000
  /// Less sound than this ahead of the device counts as starving.
  private static let starvingLead: Int64 = 60_000_000
  /// Longest wait at the end of a source before the clock is read again, in nanoseconds.
  private static let longestWait: Int64 = 100_000_000
  private static let pullTimeout = Duration.milliseconds(20)
  /// A change of the volume begins with a piece, and the device takes one while it holds the next.
  private static let longestPiece = Duration.milliseconds(5)
  /// Length of inserted pieces of silence, in nanoseconds.
  private static let silence: Int64 = 20_000_000

  /// - Parameter tap: passes the sound on to listeners elsewhere.
  init(output: OutputChain, mailbox: Mailbox, tap: SoundTap? = nil) {
    self.output = output
    self.mailbox = mailbox
    self.tap = tap
    NamedThread.start("feeder", isRealTime: true) { [self] in run() }
  }

  // MARK: On the pipeline's thread

  /// Feeds a run of the output that has just begun. Followers are passed along, since a short source may end before
  /// `setFollowing` is called.
  func begin(_ run: RunID, source: FeedSource, following: [FeedSource] = [], expectsMore: Bool = false) {
    queue.update { $0.begin(run, source: source, following: following, expectsMore: expectsMore) }
  }

  /// Hands over the next follower or EOS at once, since the output is starving.
  func hurry() { queue.update { $0.hurry() } }

  /// Asks the thread to stop feeding. `waitUntilIdle` waits until it has.
  func halt() { queue.update { $0.halt() } }

  /// Waits until the thread uses neither source nor output. The output must be flushing.
  /// - Returns: false after the timeout.
  @discardableResult
  func waitUntilIdle(timeout: Duration? = nil) -> Bool {
    queue.wait(timeout: timeout) { $0.isIdle ? true : nil } ?? false
  }

  /// Ends the thread.
  func quit() { queue.update { $0.quit() } }

  /// Replaces the sources that follow the current one.
  func setFollowing(_ sources: [FeedSource]) { queue.update { $0.setFollowing(sources) } }

  /// Sets whether another source will continue the track that is being fed, so that the end of the source is not the
  /// end of the track.
  func setExpectsMore(_ expectsMore: Bool, of sourceID: Int) {
    queue.update { $0.setExpectsMore(expectsMore, of: sourceID) }
  }

  /// Inserts silence before the next samples of the current track.
  func insert(_ nanoseconds: Int64) { queue.update { $0.insert(nanoseconds) } }

  /// Lengthens the silence that is being inserted.
  /// - Returns: false if none is.
  func lengthenInsertion(by nanoseconds: Int64) -> Bool { queue.update { $0.lengthenInsertion(by: nanoseconds) } }

  /// Sets whether silence replaces samples that do not arrive in time, instead of a report that the output starves.
  func setCoversGaps(_ coversGaps: Bool) { queue.update { $0.coversGaps = coversGaps } }

  /// Lets listeners elsewhere hear an announcement from the next samples on; nil for none.
  func announce(_ overlay: Overlay?) {
    queue.update { $0.announcement = overlay }
    if overlay == nil { tap?.endAnnouncement() }
  }

  var fedSourceID: Int? { queue.withLock { $0.source?.id } }

  /// Whether the output needs samples and the source has none.
  var isStarving: Bool { queue.withLock(\.isStarving) }

  /// The part of a track that is heard at a running time; nil before the first samples.
  func locate(_ runningTime: Int64) -> FeedQueue.Stretch? { queue.withLock { $0.stretch(at: runningTime) } }

  // MARK: On the feeder's thread

  private func run() {
    var writer = TimelineWriter(output: output, tap: tap)
    while case .feed(let run, let source) = awaitTurn() {
      if writer.run != run {
        writer = TimelineWriter(run, firstSourceID: source.id, output: output, tap: tap)
      }
      let length = writer.isEmpty ? 0 : queue.withLock { $0.takeInsertion(upTo: Self.silence) }
      if length > 0 {
        fill(length, of: source, &writer, isPlace: true)
        continue
      }
      switch source.samples.pull(timeout: Self.pullTimeout, lead: { [end = writer.end] in lead(of: end) }) {
      case .samples(let samples):
        for piece in samples.pieces(of: Self.longestPiece) { push(piece, of: source, &writer) }
      case .nothing: starve(source, &writer)
      case .early: if let lead = lead(of: writer.end), lead.taken < 0 { writer.starve() }
      case .end: endOrJoin(source, &writer)
      }
    }
  }

  /// The lead of samples that are placed at `end`; nil if the device has not started.
  private func lead(of end: Int64) -> ClockedPlayout.Lead? {
    guard !output.clock.awaitsMore else { return nil }
    let heard = end - output.clock.heard
    return .init(heard: heard, taken: heard - output.clock.delay)
  }

  private func awaitTurn() -> FeedQueue.Turn {
    while true {
      // Take the turn and set `isIdle` in one step, since `halt` may be called at any time. `update` wakes
      // `waitUntilIdle`.
      if let turn = queue.update({ $0.takeTurn() }) { return turn }
      _ = queue.wait { $0.turn }
    }
  }

  private func push(_ samples: SampleBuffer, of source: FeedSource, _ writer: inout TimelineWriter) {
    guard let piece = writer.place(samples, of: source) else { return }
    push(piece, of: source, samples.format, &writer)
  }

  /// Pushes silence.
  /// - Parameter isPlace: whether it is a place for an announcement.
  private func fill(_ nanoseconds: Int64, of source: FeedSource, _ writer: inout TimelineWriter, isPlace: Bool = false)
  {
    guard let piece = writer.fill(nanoseconds), let format = writer.cursor.format else { return }
    if isPlace, piece.stretch != nil { output.converter.insert(at: piece.begin) }
    push(piece, of: source, format, &writer)
  }

  private func push(
    _ piece: TimelineWriter.Piece, of source: FeedSource, _ format: AudioFormat, _ writer: inout TimelineWriter
  ) {
    guard let run = writer.run else { return }
    guard queue.withLock({ $0.feeds(run, piece.stretch) }) else {
      swiftlet_buffer_unref(piece.buffer)
      return
    }
    if piece.isJoin {
      mailbox.post(.feeder(run, .joined(sourceID: source.id, runningTime: piece.begin)))
    }
    if let announcement = queue.withLock({ $0.takeAnnouncement() }) {
      output.converter.insert(at: piece.begin)
      tap?.begin(announcement)
    }
    if let tap, tap.isOn {
      tap.take(piece, of: source, in: run, format, gain: output.converter.trackGain(of: source.trackID))
    }
    gst_app_src_push_buffer(output.appSource, piece.buffer)
  }

  /// The source has ended: moves on to its follower, or signals EOS, as late as possible.
  private func endOrJoin(_ source: FeedSource, _ writer: inout TimelineWriter) {
    guard let run = writer.run else { return }
    var watch = StoppedClockWatch()
    var isMarked = false
    while true {
      let heard = output.clock.heard
      let ahead = writer.end - heard
      // The clock of a device that runs dry before the end may stop, so that it never reaches the end.
      let isHeld = output.context.isHeld
      if watch.hasStopped(at: heard, now: .now), !isHeld { queue.withLock { $0.hurry() } }
      let awaitsMore = output.clock.awaitsMore
      let untilEnd = ahead - Self.endLead
      let need = max(output.clock.delay, tap?.lead ?? 0)
      let untilJoin = awaitsMore && !isHeld ? 0 : ahead - need - Self.joinLead
      let (ending, hasFollower) = queue.withLock { queue in
        (queue.end(of: source, in: run, untilJoin: untilJoin, untilEnd: untilEnd), !queue.following.isEmpty)
      }
      switch ending {
      case .over: return
      case .last:
        // A sink without samples reports EOS as an error.
        if !writer.isEmpty { gst_app_src_end_of_stream(output.appSource) }
        mailbox.post(.feeder(run, .finished(runningTime: writer.isEmpty ? 0 : writer.end)))
        return
      case .incomplete:
        starve(source, &writer)
        _ = queue.wait(timeout: .milliseconds(100)) { $0.run != run || !$0.following.isEmpty ? true : nil }
        return
      case .early:
        if untilJoin <= 0, !isMarked, !isHeld {
          isMarked = true
          if let mark = writer.endMark() { gst_app_src_push_buffer(output.appSource, mark) }
        }
        let pause = min(untilJoin > 0 ? untilJoin : untilEnd, Self.longestWait)
        _ = queue.wait(timeout: .nanoseconds(pause)) { queue in
          queue.run != run || queue.isHurried || queue.following.isEmpty == hasFollower ? true : nil
        }
      }
    }
  }

  private func starve(_ source: FeedSource, _ writer: inout TimelineWriter) {
    guard let run = writer.run, writer.end - output.clock.heard - output.clock.delay < Self.starvingLead else { return }
    // A file that is written as fast as possible always starves.
    if !writer.isEmpty, output.clock.isClocked, queue.withLock(\.coversGaps) {
      return fill(2 * Self.silence, of: source, &writer)
    }
    writer.starve()
    if queue.withLock({ $0.starves(run) }) { mailbox.post(.feeder(run, .starving)) }
  }
}
