import PlaybackModel

/// What comes after the track that is heard.
///
/// Tracks may be shorter than what the device holds: several of them are opened ahead, one after the other, so that the
/// feeder can go on to each without a word from here.
extension PipelineEngine {
  /// What follows the current track from now on. What is the same as before, up to the first difference, stays as it is.
  func stage(_ tracks: [Track]) {
    let wanted = tracks.after(current?.track)
    // First of all the feeder must not take what is not wanted; what it has taken meanwhile is known after that.
    if rest == nil { setFollowing(readySources(agreed(with: wanted) - joining.count)) }
    // If a wrong track is in the output's buffer, unheard, the right one is taken up where the ear is.
    if agreed(with: wanted) < joining.count, let current, current.isSeekable, let position = heardPosition() {
      recue(current, at: position)
    }
    let kept = agreed(with: wanted)
    disposeOfStaged(from: max(0, kept - joining.count))
    staged += wanted.dropFirst(kept).map { Staged(track: $0) }
    openStagedIfDue()
  }

  /// How many of the tracks are those that follow, fed ones and others.
  private func agreed(with tracks: [Track]) -> Int {
    zip(joining.map(\.source.track) + staged.map(\.track), tracks).prefix { $0 == $1 }.count
  }

  /// Gives up those that come before a track, and has its source, if there is one already.
  func takeStaged(upTo track: Track) -> TrackSource? {
    guard let index = staged.firstIndex(where: { $0.track == track }) else {
      disposeOfStaged(from: 0)
      return nil
    }
    for passed in staged[..<index] { passed.source?.dispose() }
    let source = staged[index].source
    staged.removeSubrange(...index)
    return source
  }

  func disposeOfStaged(from index: Int) {
    for dropped in staged[index...] { dropped.source?.dispose() }
    staged.removeSubrange(index...)
  }

  /// Gives up the source of one that stays staged.
  /// - Returns: which one that is; nil if the source is none of theirs, or is being fed by now.
  func withdraw(_ source: TrackSource) -> Int? {
    guard let index = staged.firstIndex(where: { $0.source === source }) else { return nil }
    if rest == nil { setFollowing(readySources(index)) }
    guard let index = staged.firstIndex(where: { $0.source === source }) else { return nil }
    staged[index].source = nil
    source.dispose()
    return index
  }

  /// Whether so little is left of the current track that what follows would come too late if it began now, and some of
  /// that is about to be there.
  var awaitsFollowers: Bool {
    guard let current, current.context.isComplete, current.failure == nil else { return false }
    var held = current.context.held.duration
    for follower in staged {
      guard held < settings.startFill, !follower.hasFailed else { return false }
      guard let source = follower.source, source.isReady else { return true }
      held += source.context.held.duration
    }
    return false
  }

  /// Opens what follows once all that comes before it is in memory: then the server's line is free, and there is as much
  /// time as sound is held. Of those after the first, as many as it takes to hold some seconds.
  func openStagedIfDue() {
    guard rest == nil, let fed, fed.context.isComplete, fed.failure == nil else { return }
    var held = SourceContext.Held()
    for index in staged.indices {
      guard !staged[index].hasFailed else { return }
      guard let source = staged[index].source else {
        do throws(PlaybackError) {
          staged[index].source = try open(staged[index].track, at: .zero)
        } catch {
          staged[index].hasFailed = true
        }
        return
      }
      guard source.context.isComplete, source.failure == nil else { return }
      held += source.context.held
      guard held.duration < settings.bufferDepth / 2, held.bytes < settings.bufferBytes / 2 else { return }
    }
  }

  /// Lets the feeder have what comes after the source that it takes from: the rest of the track, else the next ones.
  func offerFollowers() {
    guard let readyFollowers else { return }
    setFollowing(readyFollowers)
    // What is held may be more than the output takes while it waits: it is heard first, and then joined by the rest.
    if rest != nil { recover() }
  }

  /// What that is; nil if there will be more of the track, and it is not ready yet.
  var readyFollowers: [TrackSource]? {
    if let rest { return rest.isReady ? [rest] : nil }
    return fed?.failure == nil ? readySources(staged.count) : nil
  }

  /// The sources of the first of those that are staged, as many of them as can be joined.
  private func readySources(_ count: Int) -> [TrackSource] {
    let ready = staged.prefix(max(0, count)).prefix { $0.source?.isReady ?? false }
    return ready.compactMap(\.source)
  }

  func setFollowing(_ sources: [TrackSource]) {
    feeder?.setFollowing(sources.map(feed))
    adoptJoin()
  }

  func feed(_ source: TrackSource) -> FeedSource {
    FeedSource(
      id: source.id, trackID: source.track.id, sink: source.sink, context: source.context, start: source.start,
      shift: source.shift, gap: source.gap,
      isLive: source.isLive && source.start == .zero)
  }

  /// Takes note if the feeder has gone over to a follower.
  func adoptJoin() {
    guard let fedID = feeder?.fedSourceID else { return }
    if let source = rest, source.id == fedID {
      fed?.dispose()
      if joining.isEmpty { current = source } else { joining[joining.count - 1].source = source }
      rest = nil
      timers[.resume] = nil
      resumePolicy.delivered()
      absence = nil
      recover()
      reportFacts(of: source)
      guard source.failure != nil else { return }
      feeder?.setExpectsMore(true)
      if source.isBroken { takeUpAgain() }
    } else if let index = staged.firstIndex(where: { $0.source?.id == fedID }) {
      joining += staged[...index].compactMap { $0.source.map { Joining(source: $0) } }
      staged.removeSubrange(...index)
    }
  }

  /// Reports the joins that are heard, and looks again when the next one should be.
  /// - Parameter force: all of them are.
  func announceJoin(force: Bool = false) {
    while let next = joining.first, let chain {
      // One without a single sample is heard in passing.
      let remaining = joining.lazy.compactMap(\.runningTime).first.map { $0 - chain.runningTime }
      if !force, !isReportedEarly(next), remaining.map({ $0 > 0 }) ?? true {
        if let remaining, !isPaused { timers[.join] = .now + .nanoseconds(max(remaining, 2_000_000)) }
        return
      }
      joining.removeFirst()
      current?.dispose()
      current = next.source
      // First what it is, so that all of the change shows at once.
      reportFacts(of: next.source)
      report(
        .trackStarted(
          generation: generation, trackID: next.source.track.id, position: heardPosition() ?? next.source.start))
      timers[.measure] = .now + (remaining.map { $0 > 0 ? .nanoseconds($0) : .seconds(1) } ?? .seconds(1))
      openStagedIfDue()
    }
  }

  /// Whether a join is reported when the feeder gets to it instead of when it is heard, up to 0.3 s later. Controllers
  /// that know one next track name another when this one begins; a short one would be over before that is open.
  private func isReportedEarly(_ next: Joining) -> Bool {
    guard joining.count == 1, staged.isEmpty, next.runningTime != nil, next.source.context.isComplete else {
      return false
    }
    return next.source.end - next.source.start < Self.shortTrack
  }

  /// What a controller and a server take to answer, and the 0.3 s that the device and the feeder need.
  private static let shortTrack = Duration.milliseconds(500)
}
