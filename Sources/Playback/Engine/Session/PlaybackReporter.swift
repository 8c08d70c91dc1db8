import PlaybackModel

/// Reports what is heard: the position, joins, and facts about the current track.
///
/// Used on the pipeline's thread only.
final class PlaybackReporter {
  typealias Instant = ContinuousClock.Instant

  /// The generation that events are marked with.
  var generation = 0
  let report: (PipelineEvent) -> Void
  private let output: OutputOwner
  private let pool: SourcePool
  /// When the next join is heard.
  private var joinDeadline: Instant?
  /// When to measure the position again.
  private var measureDeadline: Instant?

  init(output: OutputOwner, pool: SourcePool, report: @escaping (PipelineEvent) -> Void) {
    self.output = output
    self.pool = pool
    self.report = report
  }

  /// The next deadline.
  var deadline: Instant? { [joinDeadline, measureDeadline].compactMap(\.self).min() }

  /// Whether a join is due. Clears the deadline.
  func takeJoin(at now: Instant) -> Bool { Self.take(&joinDeadline, at: now) }

  /// Whether a measurement of the position is due. Clears the deadline.
  func takeMeasurement(at now: Instant) -> Bool { Self.take(&measureDeadline, at: now) }

  private static func take(_ deadline: inout Instant?, at now: Instant) -> Bool {
    guard let instant = deadline, instant <= now else { return false }
    deadline = nil
    return true
  }

  /// Cancels planned reports: the output is held or silenced.
  func cancel() {
    joinDeadline = nil
    measureDeadline = nil
  }

  /// The position in the current track that is heard now.
  var heardPosition: Duration? { pool.lineup.current.flatMap { output.heardPosition(in: $0.track) } }

  private var start: Duration { pool.lineup.current?.start ?? .zero }

  // MARK: State

  func playing() {
    report(.playing(generation: generation, position: heardPosition ?? start))
    measureDeadline = .now + .seconds(1)
  }

  /// - Parameter position: nil for the position that is heard.
  func paused(at position: Duration? = nil) {
    report(.paused(generation: generation, position: position ?? heardPosition ?? start))
  }

  /// - Parameter position: nil for the position that is heard.
  func buffering(at position: Duration? = nil) {
    report(.buffering(generation: generation, position: position ?? heardPosition ?? .zero))
  }

  func ended() { report(.ended(generation: generation)) }

  func failed(_ error: PlaybackError) { report(.failed(generation: generation, error)) }

  /// Reports a measured position. The device's clock drifts against all others, so measurements repeat.
  func measured(_ position: Duration) {
    report(.position(generation: generation, position: position))
    measureDeadline = .now + .seconds(10)
  }

  // MARK: Tracks

  /// Reports the facts about a source if it is the current one.
  func reportFacts(of source: TrackSource) {
    guard source === pool.lineup.current else { return }
    if let info = source.facts.streamInfo { report(.streamInfo(trackID: source.track.id, info)) }
    if let duration = source.facts.trackDuration { report(.duration(trackID: source.track.id, duration)) }
    if let texts = source.facts.texts { report(.tags(trackID: source.track.id, texts)) }
  }

  /// Reports the followers that have become audible, and plans when to check for the next one.
  /// - Parameters:
  ///   - isForced: whether the output has played everything.
  ///   - isPaused: whether playback is paused, so that no join is planned.
  /// - Returns: whether a follower has become audible.
  func announceJoins(isForced: Bool, isPaused: Bool) -> Bool {
    var hasJoined = false
    while let runningTime = output.runningTime {
      switch pool.lineup.nextJoin(at: runningTime, isForced: isForced) {
      case .none: return hasJoined
      case .later(let remaining):
        if let remaining, !isPaused { joinDeadline = .now + .nanoseconds(max(remaining, 2_000_000)) }
        return hasJoined
      case .heard(let source, let former, let remaining):
        hasJoined = true
        former?.dispose()
        // Facts come first, so that the whole change is seen at once.
        reportFacts(of: source)
        report(.trackStarted(generation: generation, trackID: source.track.id, position: heardPosition ?? source.start))
        measureDeadline = .now + (remaining.map { $0 > 0 ? .nanoseconds($0) : .seconds(1) } ?? .seconds(1))
      }
    }
    return hasJoined
  }
}
