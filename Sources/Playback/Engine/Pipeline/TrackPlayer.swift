import Logging
import PlaybackModel

/// Plays a track and those that follow it: performs what `Lineup` and `Recovery` decide on the sources and the output, and
/// reports what is heard.
///
/// Used on the pipeline's thread only.
final class TrackPlayer {
  typealias Instant = ContinuousClock.Instant

  private let settings: PlayerSettings
  private let logger: Logger
  private let report: (PipelineEvent) -> Void
  private let output: OutputOwner
  private let pool: SourcePool
  private var recovery: Recovery
  private var generation = 0
  /// When the next join is heard.
  private var joinDeadline: Instant?
  /// When the position is measured again.
  private var measureDeadline: Instant?

  init(
    output: OutputOwner, pool: SourcePool, settings: PlayerSettings, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.output = output
    self.pool = pool
    self.settings = settings
    self.logger = logger
    self.report = report
    recovery = Recovery(settings: settings)
  }

  /// When `handleDeadlines` is to be called next.
  var deadline: Instant? {
    [output.deadline, recovery.deadline, joinDeadline, measureDeadline].compactMap(\.self).min()
  }

  func handleDeadlines(now: Instant) {
    switch output.handleDeadlines(demand: demand, now: now) {
    case .failed(let error): fail(error)
    case .ended: ended()
    case nil: break
    }
    for timer in recovery.due(at: now) { perform(recovery.fired(timer, facts, now: now)) }
    if let deadline = joinDeadline, deadline <= now {
      joinDeadline = nil
      announceJoins()
    }
    if let deadline = measureDeadline, deadline <= now {
      measureDeadline = nil
      measure()
    }
    beginIfReady()
  }

  /// Whether nothing is played.
  var isIdle: Bool { recovery.phase == .idle }

  private var current: TrackSource? { pool.lineup.current }
  /// The source whose samples go to the output.
  private var fed: TrackSource? { pool.lineup.fed }

  /// What the device is needed for.
  private var demand: DeviceMachine.Demand {
    switch recovery.phase {
    case .idle: .none
    case .opening: .starting
    case .running, .starved: .playing
    }
  }
}

// MARK: - Commands

extension TrackPlayer {
  func start(generation: Int, track: Track, followers: [Track], at position: Duration, paused: Bool) {
    self.generation = generation
    silence()
    let formerBeginning = current?.track == track ? current?.beginning : nil
    // A source that was opened ahead and could not be joined is used instead of a new one.
    pool.dispose(pool.lineup.start(track, fromBeginning: position == .zero))
    recovery.open(paused: paused, now: .now)
    do throws(PlaybackError) {
      if current == nil {
        let source = try pool.open(track, at: position)
        source.formerBeginning = formerBeginning
        pool.lineup.setCurrent(source)
      }
    } catch {
      fail(error)
      return
    }
    stage(followers)
    if let error = output.open() { fail(error) }
    beginIfReady()
  }

  func seek(generation: Int, track: Track, followers: [Track], to position: Duration, paused: Bool) {
    guard let current, current.track == track, recovery.phase != .idle, current.failure == nil,
      pool.lineup.continuation == nil, current.isSeekable || !current.isPrerolled
    else {
      start(generation: generation, track: track, followers: followers, at: position, paused: paused)
      return
    }
    self.generation = generation
    recue(current, at: position, paused: paused)
    stage(followers)
  }

  /// Silences the output and goes on at another position of the track. Followers are given up, also those in the buffer.
  private func recue(_ source: TrackSource, at position: Duration, paused: Bool) {
    silence()
    pool.dispose(pool.lineup.removeFollowers())
    recovery.open(paused: paused, now: .now)
    if !source.seek(to: position) { fail(.truncated) }
  }

  /// Ends the output's run and cancels everything that was planned for it.
  func silence() {
    joinDeadline = nil
    measureDeadline = nil
    output.silence()
  }

  func pause() { perform(recovery.pause()) }

  func resume() { perform(recovery.resume(facts, now: .now)) }

  func stop(generation: Int) {
    self.generation = generation
    stop()
  }

  /// Ends playback. The device is released a little later.
  private func stop() {
    silence()
    pool.dispose(pool.lineup.removeAll())
    recovery.stop()
    output.scheduleRelease(after: settings.deviceRelease)
  }

  private func fail(_ error: PlaybackError) {
    stop()
    report(.failed(generation: generation, error))
  }

  /// The track was heard to its end.
  private func ended() {
    announceJoins(isForced: true)
    let failure = current?.failure
    silence()
    pool.dispose(pool.lineup.endCurrent())
    recovery.stop()
    output.scheduleRelease(after: settings.deviceRelease)
    report(failure.map { .failed(generation: generation, $0) } ?? .ended(generation: generation))
  }
}

// MARK: - Sources

extension TrackPlayer {
  func handle(_ events: [SourcePool.Event]) {
    perform(events)
    beginIfReady()
    offerFollowers()
  }

  private func perform(_ events: [SourcePool.Event]) {
    for event in events {
      switch event {
      case .changed(let source): reportFacts(of: source)
      case .gainChanged: output.setTrackGains(pool.trackGains)
      case .filled(let source): if source === fed { perform(recovery.filled(facts)) }
      case .low(let source): if source === fed { recovery.low(facts) }
      case .decodedToEnd(let source):
        if source === fed { perform(recovery.decodedToEnd(facts, now: .now)) }
        openStagedIfDue()
      case .failed(let source, let error): failed(source, error)
      case .rangeRefused(let source, let failure):
        if !readFromBeginning(source) { perform(pool.failed(source, failure)) }
      case .nothingThere(let source): if source === current, recovery.phase == .opening { ended() }
      case .seekFailed(let source): if source === current { fail(.truncated) }
      case .listed(let trackID, let tracks): report(.listed(trackID: trackID, tracks))
      case .list(let request, let result): report(.list(request: request, result))
      }
    }
  }

  private func reportFacts(of source: TrackSource) {
    guard source === current else { return }
    if let info = source.streamInfo { report(.streamInfo(trackID: source.track.id, info)) }
    if let duration = source.duration { report(.duration(trackID: source.track.id, duration)) }
    if let title = source.liveTitle { report(.title(trackID: source.track.id, title)) }
  }

  private func failed(_ source: TrackSource, _ error: PlaybackError) {
    if withdraw(source, hasFailed: true) {
      // Not reported: it is opened again when its turn comes.
      logger.info("a track that follows cannot be opened ahead: \(error)")
    } else if let role = pool.lineup.role(of: source) {
      perform(recovery.failed(role, error, facts, now: .now))
    }
  }

  /// Opens a source again that its server sends from the beginning only.
  /// - Returns: false if it is heard already.
  private func readFromBeginning(_ source: TrackSource) -> Bool {
    if withdraw(source, hasFailed: false) {
      openStagedIfDue()
      return true
    }
    guard let role = pool.lineup.role(of: source), let actions = recovery.rangeRefused(role, facts, now: .now) else {
      return false
    }
    perform(actions)
    return true
  }
}

// MARK: - Recovery

extension TrackPlayer {
  private func perform(_ actions: [Recovery.Action]) {
    for action in actions {
      switch action {
      case .reopenCurrent: failing(reopenCurrent)
      case .openContinuation: failing(openContinuation)
      case .discardContinuation: pool.dispose(pool.lineup.removeContinuation())
      case .withholdFollowers: setFollowing([])
      case .openFollowers: openStagedIfDue()
      case .setFailure(let error): fed?.failure = error
      case .expectContinuation(let isExpected): if let fed { output.setExpectsMore(isExpected, of: fed) }
      case .disconnect: fed?.cutOff()
      case .holdOutput:
        joinDeadline = nil
        measureDeadline = nil
        output.hold()
      case .resumeOutput: output.resume()
      case .reportPaused:
        announceJoins()
        report(.paused(generation: generation, position: heardPosition ?? current?.start ?? .zero))
      case .reportBuffering: report(.buffering(generation: generation, position: heardPosition ?? .zero))
      case .awaitFill(let amount): fed?.awaitFill(amount)
      case .fail(let error): fail(error)
      case .logReconnecting: logger.info("the stream broke off: reconnecting")
      case .logOutage: logger.info("the server is away: waiting for it")
      }
    }
  }

  private var facts: Recovery.Facts { pool.lineup.recoveryFacts }
  private func reopenCurrent() throws(PlaybackError) {
    if let current { pool.lineup.setCurrent(try pool.reopen(current)) }
  }

  private func openContinuation() throws(PlaybackError) {
    guard let fed, fed.failure != nil else { return }
    pool.lineup.setContinuation(try pool.openContinuation(of: fed))
  }

  /// Ends playback if `body` fails.
  private func failing(_ body: () throws(PlaybackError) -> Void) {
    do throws(PlaybackError) { try body() } catch { fail(error) }
  }
}

// MARK: - Followers

extension TrackPlayer {
  /// Replaces the tracks after the current one.
  func stage(_ tracks: [Track]) {
    // First the feeder must be kept from tracks that are not wanted; then it is known which of them it took before.
    if let following = pool.lineup.following(agreeingWith: tracks) { setFollowing(following) }
    // If a wrong track is in the output's buffer, unheard, the right one begins again where the listener is.
    if pool.lineup.hasJoinedOther(than: tracks), let current, current.isSeekable, let position = heardPosition {
      recue(current, at: position, paused: recovery.isPaused)
    }
    pool.dispose(pool.lineup.stage(tracks))
    openStagedIfDue()
  }

  /// Takes the source from a track that stays staged.
  /// - Returns: false if the source belongs to no staged track, or is fed by now.
  private func withdraw(_ source: TrackSource, hasFailed: Bool) -> Bool {
    if let following = pool.lineup.following(before: source) { setFollowing(following) }
    guard pool.lineup.withdraw(source, hasFailed: hasFailed) else { return false }
    source.dispose()
    return true
  }

  private func openStagedIfDue() {
    let track = pool.lineup.trackToOpen(limit: settings.bufferDepth / 2, bytes: settings.bufferBytes / 2)
    if let track { pool.lineup.opened(try? pool.open(track)) }
  }

  /// Tells the feeder what comes after the source that it takes from.
  private func offerFollowers() {
    guard let followers = pool.lineup.readyFollowers else { return }
    setFollowing(followers)
    if pool.lineup.continuation != nil { perform(recovery.continuationReady()) }
  }

  private func setFollowing(_ sources: [TrackSource]) {
    output.setFollowing(sources.map(\.feedSource))
    adoptJoin()
  }

  /// Takes note if the feeder has gone on to a follower.
  func adoptJoin() {
    guard case .continuation(let source, let former) = pool.lineup.adopt(output.fedSourceID) else { return }
    former?.dispose()
    reportFacts(of: source)
    perform(recovery.continued(facts, now: .now))
  }

  /// Reports the joins that are heard, and plans when to look for the next one.
  private func announceJoins(isForced: Bool = false) {
    while let runningTime = output.runningTime {
      switch pool.lineup.nextJoin(at: runningTime, isForced: isForced) {
      case .none: return
      case .later(let remaining):
        if let remaining, !recovery.isPaused { joinDeadline = .now + .nanoseconds(max(remaining, 2_000_000)) }
        return
      case .heard(let source, let former, let remaining):
        former?.dispose()
        // The facts first, so that the whole change is seen at once.
        reportFacts(of: source)
        report(.trackStarted(generation: generation, trackID: source.track.id, position: heardPosition ?? source.start))
        measureDeadline = .now + (remaining.map { $0 > 0 ? .nanoseconds($0) : .seconds(1) } ?? .seconds(1))
        openStagedIfDue()
      }
    }
  }
}

// MARK: - Output

extension TrackPlayer {
  private func beginIfReady() {
    guard recovery.phase == .opening, output.isOpen, let current, current.isReady else { return }
    let awaitsFollowers = pool.lineup.awaitsFollowers(until: settings.startFill)
    guard recovery.begin(awaitsFollowers: awaitsFollowers, now: .now) else { return }
    output.begin(
      with: current.feedSource, following: (pool.lineup.readyFollowers ?? []).map(\.feedSource),
      expectsMore: current.failure?.isOfConnection == true, isPaused: recovery.isPaused)
    if recovery.isPaused { report(.paused(generation: generation, position: current.start)) }
  }

  func handle(_ event: OutputEvent) {
    switch event {
    case .playing:
      output.started()
      guard recovery.phase == .running, !recovery.isPaused else { return }
      report(.playing(generation: generation, position: heardPosition ?? current?.start ?? .zero))
      measureDeadline = .now + .seconds(1)
      announceJoins()
    case .ended: ended()
    case .failed(let failure):
      logger.debug("output: \(failure.message) [\(failure.debug)]")
      if let error = output.failed(PlaybackError(device: failure), demand: demand) { fail(error) }
    case .latencyChanged: output.recalculateLatency()
    case .xrun: report(.xrun)
    }
  }

  func handle(_ event: FeederEvent) {
    switch event {
    case .joined(let id, let runningTime):
      adoptJoin()
      if pool.lineup.joined(id, at: runningTime) { announceJoins() }
      openStagedIfDue()
    case .finished(let runningTime): output.finished(at: runningTime, isPaused: recovery.isPaused)
    case .starving: if output.isStarving { perform(recovery.starve(facts, now: .now)) }
    }
  }

  /// The position in the current track that is heard now.
  private var heardPosition: Duration? { current.flatMap { output.heardPosition(in: $0.track) } }

  /// Measures the position against the device's clock, which no other clock follows exactly.
  private func measure() {
    guard recovery.phase == .running, !recovery.isPaused, let position = heardPosition else { return }
    if output.hasLostTime, restart(at: position) { return }
    report(.position(generation: generation, position: position))
    measureDeadline = .now + .seconds(10)
  }

  /// Replaces a run whose clock is wrong by another one, from where the listener is.
  /// - Returns: false if that cannot be done with this track.
  private func restart(at position: Duration) -> Bool {
    guard let current, current.isSeekable, current.failure == nil, pool.lineup.continuation == nil else { return false }
    logger.notice("The device's clock has jumped; playback begins anew where it was.")
    let followers = pool.lineup.followers
    recue(current, at: position, paused: recovery.isPaused)
    stage(followers)
    return true
  }
}
