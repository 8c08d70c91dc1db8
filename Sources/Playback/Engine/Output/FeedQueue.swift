/// The feeder's source and its followers: the state shared by the pipeline's thread and the feeder's thread.
struct FeedQueue {
  /// A part of a track on the output's timeline.
  struct Stretch: Sendable, Equatable {
    let trackID: Int
    /// Nanoseconds of the output's running time.
    let runningTime: Int64
    /// Position in the track where the stretch begins, in nanoseconds.
    let position: Int64
  }

  /// The feeder thread's next work.
  enum Turn {
    case quit
    case feed(session: Int, FeedSource)
  }

  /// What to do at the end of a source.
  enum Ending: Equatable {
    /// Nothing: the feeder was halted or has moved on to the follower.
    case over
    /// Signal EOS to the output.
    case last
    /// Wait for the continuation of the track.
    case incomplete
    /// Wait: a follower may still come or be replaced.
    case early
  }

  /// The run of the output that is being fed; 0 while halted.
  private(set) var session = 0
  private(set) var source: FeedSource?
  /// The sources after `source`, in order.
  private(set) var following: [FeedSource] = []
  private var stretches: [Stretch] = []
  /// Whether a continuation of the source's track will follow.
  private(set) var expectsMore = false
  private var hasSignalledEOS = false
  private(set) var isStarving = false
  /// Whether the output is paused, so that its clock stands still.
  var isHeld = false
  /// Whether the output is starving: held data is flushed now, even at EOS.
  private(set) var flushesHeld = false
  /// Whether the feeder's thread uses neither source nor output.
  private(set) var isIdle = true
  private var isQuitting = false

  // MARK: From the pipeline's thread

  mutating func begin(
    session: Int, source: FeedSource, following: [FeedSource], expectsMore: Bool, isHeld: Bool
  ) {
    self = FeedQueue(isIdle: isIdle, isQuitting: isQuitting)
    self.session = session
    self.source = source
    self.following = following
    self.expectsMore = expectsMore
    self.isHeld = isHeld
  }

  init() {}

  private init(isIdle: Bool, isQuitting: Bool) { (self.isIdle, self.isQuitting) = (isIdle, isQuitting) }

  mutating func halt() {
    session = 0
    source = nil
    following = []
  }

  mutating func quit() {
    session = 0
    isQuitting = true
  }

  mutating func flushHeld() { flushesHeld = true }

  /// Sets whether a continuation of the source's track will follow. Ignored if the feeder has moved on to another
  /// source.
  mutating func setExpectsMore(_ expectsMore: Bool, of sourceID: Int) {
    guard source?.id == sourceID else { return }
    self.expectsMore = expectsMore
  }

  /// Replaces the followers. The feeder may have moved on to one of them already.
  mutating func setFollowing(_ sources: [FeedSource]) {
    let taken = sources.firstIndex { $0.id == source?.id }
    following = Array(sources.dropFirst(taken.map { $0 + 1 } ?? 0))
  }

  /// The stretch that is heard at a running time; nil before the first samples.
  func stretch(at runningTime: Int64) -> Stretch? {
    stretches.last { $0.runningTime <= runningTime } ?? stretches.first
  }

  // MARK: From the feeder's thread

  /// The next work; nil if there is none.
  var turn: Turn? {
    if isQuitting { return .quit }
    guard session != 0, !hasSignalledEOS, let source else { return nil }
    return .feed(session: session, source)
  }

  /// Returns `turn` and notes whether the thread is about to use source and output.
  mutating func takeTurn() -> Turn? {
    let turn = turn
    if case .feed = turn { isIdle = false } else { isIdle = true }
    return turn
  }

  /// Notes that samples are about to be handed over.
  /// - Parameter stretch: the stretch that begins with them, if one does.
  /// - Returns: false if the session is over.
  mutating func feeds(session: Int, _ stretch: Stretch?) -> Bool {
    guard self.session == session else { return false }
    if let stretch { stretches.append(stretch) }
    isStarving = false
    return true
  }

  /// Notes that the source has no samples when the output needs them.
  /// - Returns: whether it has just begun to starve; false if the session is over.
  mutating func starves(session: Int) -> Bool {
    guard self.session == session, !isStarving else { return false }
    isStarving = true
    return true
  }

  /// Moves on to the follower or ends the session, as late as possible: a follower can be replaced until then.
  /// - Parameters:
  ///   - untilJoin: nanoseconds until the output needs the follower.
  ///   - untilEnd: nanoseconds until the output must know that nothing follows.
  mutating func end(of source: FeedSource, session: Int, untilJoin: Int64, untilEnd: Int64) -> Ending {
    if self.session != session || self.source?.id != source.id { return .over }
    if let next = following.first {
      guard untilJoin <= 0 || flushesHeld else { return .early }
      self.source = next
      following.removeFirst()
      expectsMore = false
      flushesHeld = false
      return .over
    }
    guard untilEnd <= 0 || flushesHeld else { return .early }
    if expectsMore { return .incomplete }
    hasSignalledEOS = true
    return .last
  }
}
