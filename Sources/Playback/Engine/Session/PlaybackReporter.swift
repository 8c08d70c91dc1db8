import PlaybackModel

/// Reports what is heard: the position, joins, and facts about the current track.
///
/// Used on the pipeline's thread only. `ReportTimes` decides when to report.
final class PlaybackReporter {
  /// The generation that events are marked with.
  var generation = 0
  var times = ReportTimes()
  let report: (PipelineEvent) -> Void
  private let output: OutputOwner

  init(output: OutputOwner, report: @escaping (PipelineEvent) -> Void) {
    self.output = output
    self.report = report
  }

  /// The position in the source's track that is heard now; nil if another track is heard.
  func heardPosition(in source: TrackSource?) -> Duration? { source.flatMap { output.heardPosition(in: $0.track) } }

  private func position(in source: TrackSource?) -> Duration { heardPosition(in: source) ?? source?.start ?? .zero }

  func playing(_ source: TrackSource?) {
    report(.playing(generation: generation, position: position(in: source)))
    times.playing(now: .now)
  }

  /// - Parameter position: nil for the position that is heard.
  func paused(_ source: TrackSource?, at position: Duration? = nil) {
    report(.paused(generation: generation, position: position ?? self.position(in: source)))
  }

  func buffering(at position: Duration) { report(.buffering(generation: generation, position: position)) }

  /// Reports a measured position. The device's clock drifts against all others, so measurements repeat.
  func measured(_ position: Duration) {
    report(.position(generation: generation, position: position))
    times.measured(now: .now)
  }

  func ended(_ failure: PlaybackError?) {
    report(failure.map { .failed(generation: generation, $0) } ?? .ended(generation: generation))
  }

  func facts(of source: TrackSource) {
    let (id, facts) = (source.track.id, source.facts)
    if let info = facts.streamInfo { report(.streamInfo(trackID: id, info)) }
    if let duration = facts.trackDuration { report(.duration(trackID: id, duration)) }
    if let texts = facts.texts { report(.tags(trackID: id, texts)) }
  }

  /// Reports the followers that have become audible, and plans when to check for the next one.
  /// - Parameters:
  ///   - isPaused: whether playback is paused, so that no join is planned.
  ///   - next: the next join at a running time. See `Lineup.nextJoin`.
  /// - Returns: whether a follower has become audible.
  func joins(isPaused: Bool, next: (Int64) -> Lineup<TrackSource>.Join) -> Bool {
    var hasJoined = false
    while let runningTime = output.runningTime {
      switch next(runningTime) {
      case .none: return hasJoined
      case .later(let remaining):
        if let remaining, !isPaused { times.planJoin(in: remaining, now: .now) }
        return hasJoined
      case .heard(let source, _, let remaining):
        hasJoined = true
        // Facts come first, so that the whole change is seen at once.
        facts(of: source)
        report(.trackStarted(generation: generation, trackID: source.track.id, position: position(in: source)))
        times.joined(in: remaining, now: .now)
      }
    }
    return hasJoined
  }
}
