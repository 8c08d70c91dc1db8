import PlaybackModel

/// Performs what `Lineup` decides about the tracks after the current one.
extension PipelineEngine {
  var current: TrackSource? { lineup.current }
  /// The source whose samples go to the output.
  var fed: TrackSource? { lineup.fed }
  var continuation: TrackSource? { lineup.continuation }

  func dispose(_ sources: [TrackSource]) {
    for source in sources { source.dispose() }
  }

  /// Replaces the tracks after the current one.
  func stage(_ tracks: [Track]) {
    // First the feeder must be kept from tracks that are not wanted; then it is known which of them it took before.
    if let following = lineup.following(agreeingWith: tracks) { setFollowing(following) }
    // If a wrong track is in the output's buffer, unheard, the right one begins again where the listener is.
    if lineup.hasJoinedOther(than: tracks), let current, current.isSeekable, let position = heardPosition() {
      recue(current, at: position, paused: recovery.isPaused)
    }
    dispose(lineup.stage(tracks))
    openStagedIfDue()
  }

  /// Takes the source from a track that stays staged.
  /// - Returns: false if the source belongs to no staged track, or is fed by now.
  func withdraw(_ source: TrackSource, hasFailed: Bool) -> Bool {
    if let following = lineup.following(before: source) { setFollowing(following) }
    guard lineup.withdraw(source, hasFailed: hasFailed) else { return false }
    source.dispose()
    return true
  }

  func openStagedIfDue() {
    let track = lineup.trackToOpen(limit: settings.bufferDepth / 2, bytes: settings.bufferBytes / 2)
    guard let track else { return }
    lineup.opened(try? open(track, at: .zero))
  }

  /// Tells the feeder what comes after the source that it takes from.
  func offerFollowers() {
    guard let followers = lineup.readyFollowers else { return }
    setFollowing(followers)
    // The output may be held with more in the buffer than it takes: that is heard first, then the continuation joins.
    if continuation != nil { perform(recovery.continuationReady()) }
  }

  func setFollowing(_ sources: [TrackSource]) {
    feeder?.setFollowing(sources.map(feed))
    adoptJoin()
  }

  func feed(_ source: TrackSource) -> FeedSource {
    FeedSource(
      id: source.id, trackID: source.track.id, samples: source.decoder, start: source.start, shift: source.shift,
      gap: source.gap, isLive: source.isLive && source.start == .zero)
  }

  /// Takes note if the feeder has gone on to a follower.
  func adoptJoin() {
    guard case .continuation(let source, let former) = lineup.adopt(feeder?.fedSourceID) else { return }
    former?.dispose()
    reportFacts(of: source)
    perform(recovery.continued(facts, now: .now))
  }

  /// Reports the joins that are heard, and sets a timer for the next one.
  func announceJoins(isForced: Bool = false) {
    while let chain {
      switch lineup.nextJoin(at: chain.runningTime, isForced: isForced) {
      case .none: return
      case .later(let remaining):
        if let remaining, !recovery.isPaused { timers[.join] = .now + .nanoseconds(max(remaining, 2_000_000)) }
        return
      case .heard(let source, let former, let remaining):
        former?.dispose()
        // The facts first, so that the whole change is seen at once.
        reportFacts(of: source)
        report(
          .trackStarted(generation: generation, trackID: source.track.id, position: heardPosition() ?? source.start))
        timers[.measure] = .now + (remaining.map { $0 > 0 ? .nanoseconds($0) : .seconds(1) } ?? .seconds(1))
        openStagedIfDue()
      }
    }
  }
}
