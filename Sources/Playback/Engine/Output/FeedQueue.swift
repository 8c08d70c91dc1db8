/// The feeder's source and its followers: the state shared by the pipeline's thread and the feeder's thread.
struct FeedQueue {
  /// A part of a track on the output's timeline.
  struct Stretch: Sendable, Equatable {
    let trackID: Int
    /// Nanoseconds of the output's running time.
    let runningTime: Int64
    /// Position in the track where the stretch begins, in nanoseconds.
    let position: Int64
    /// Whether the position does not advance: silence between the samples of the track.
    var isStill = false

    /// The position in the track at a running time.
    func position(at time: Int64) -> Int64 { isStill ? position : position + max(0, time - runningTime) }
  }

  /// The feeder thread's next work.
  enum Turn {
    case quit
    case feed(RunID, FeedSource)
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

  /// The run that is being fed; nil while halted.
  private(set) var run: RunID?
  private(set) var source: FeedSource?
  /// The sources after `source`, in order.
  private(set) var following: [FeedSource] = []
  private var stretches: [Stretch] = []
  /// Whether a continuation of the source's track will follow.
  private(set) var expectsMore = false
  /// Length of silence to insert before the next samples, in nanoseconds.
  private(set) var insertion: Int64 = 0
  /// Whether silence replaces samples that do not arrive in time.
  var coversGaps = false
  /// An announcement for listeners elsewhere, which begins with the next samples.
  var announcement: Overlay?
  private var hasSignalledEOS = false
  private(set) var isStarving = false
  /// Whether the next follower or EOS is handed over at once and not as late as possible: the output is starving.
  private(set) var isHurried = false
  /// Whether the feeder's thread uses neither source nor output.
  private(set) var isIdle = true
  private var isQuitting = false

  // MARK: From the pipeline's thread

  mutating func begin(_ run: RunID, source: FeedSource, following: [FeedSource], expectsMore: Bool) {
    self = FeedQueue(isIdle: isIdle, isQuitting: isQuitting, coversGaps: coversGaps, announcement: announcement)
    self.run = run
    self.source = source
    self.following = following
    self.expectsMore = expectsMore
  }

  init() {}

  private init(isIdle: Bool, isQuitting: Bool, coversGaps: Bool, announcement: Overlay?) {
    (self.isIdle, self.isQuitting, self.coversGaps) = (isIdle, isQuitting, coversGaps)
    self.announcement = announcement
  }

  mutating func halt() {
    run = nil
    source = nil
    following = []
  }

  mutating func quit() {
    run = nil
    isQuitting = true
  }

  mutating func hurry() { isHurried = true }

  mutating func insert(_ nanoseconds: Int64) { insertion = nanoseconds }

  /// Lengthens the silence that is being inserted.
  /// - Returns: false if none is.
  mutating func lengthenInsertion(by nanoseconds: Int64) -> Bool {
    guard run != nil, insertion > 0 else { return false }
    insertion += nanoseconds
    return true
  }

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

  /// Takes a piece of the silence to insert.
  mutating func takeInsertion(upTo piece: Int64) -> Int64 {
    defer { insertion = max(0, insertion - piece) }
    return min(insertion, piece)
  }

  /// Takes the announcement that begins with the next samples.
  mutating func takeAnnouncement() -> Overlay? {
    defer { announcement = nil }
    return announcement
  }

  /// The next work; nil if there is none.
  var turn: Turn? {
    if isQuitting { return .quit }
    guard let run, !hasSignalledEOS, let source else { return nil }
    return .feed(run, source)
  }

  /// Returns `turn` and notes whether the thread is about to use source and output.
  mutating func takeTurn() -> Turn? {
    let turn = turn
    if case .feed = turn { isIdle = false } else { isIdle = true }
    return turn
  }

  /// Notes that samples are about to be handed over.
  /// - Parameter stretch: the stretch that begins with them, if one does.
  /// - Returns: false if the run is over.
  mutating func feeds(_ run: RunID, _ stretch: Stretch?) -> Bool {
    guard self.run == run else { return false }
    if let stretch { stretches.append(stretch) }
    isStarving = false
    return true
  }

  /// Notes that the source has no samples when the output needs them.
  /// - Returns: whether it has just begun to starve; false if the run is over.
  mutating func starves(_ run: RunID) -> Bool {
    guard self.run == run, !isStarving else { return false }
    isStarving = true
    return true
  }

  /// Moves on to the follower or ends the run, as late as possible: a follower can be replaced until then.
  /// - Parameters:
  ///   - untilJoin: nanoseconds until the output needs the follower.
  ///   - untilEnd: nanoseconds until the output must know that nothing follows.
  mutating func end(of source: FeedSource, in run: RunID, untilJoin: Int64, untilEnd: Int64) -> Ending {
    if self.run != run || self.source?.id != source.id { return .over }
    if let next = following.first {
      guard untilJoin <= 0 || isHurried else { return .early }
      self.source = next
      following.removeFirst()
      expectsMore = false
      isHurried = false
      return .over
    }
    guard untilEnd <= 0 || isHurried else { return .early }
    if expectsMore { return .incomplete }
    hasSignalledEOS = true
    return .last
  }
}
