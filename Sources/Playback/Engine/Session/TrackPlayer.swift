import Logging
import PlaybackModel

/// Plays a track and its followers: performs the decisions of `Lineup` and `Recovery` on the sources and the output.
///
/// `SourcePool` opens the sources, `PlaybackReporter` reports what is heard. Used on the pipeline's thread only.
final class TrackPlayer {
  typealias Instant = ContinuousClock.Instant

  private var settings: PlayerSettings
  private let logger: Logger
  private let output: OutputOwner
  private let pool: SourcePool
  private let reporter: PlaybackReporter
  private var recovery: Recovery

  init(
    output: OutputOwner, pool: SourcePool, settings: PlayerSettings, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.output = output
    self.pool = pool
    self.settings = settings
    self.logger = logger
    reporter = PlaybackReporter(output: output, pool: pool, report: report)
    recovery = Recovery(settings: settings)
  }

  /// When `handleDeadlines` is to be called next.
  var deadline: Instant? {
    [output.deadline, recovery.deadline, reporter.deadline].compactMap(\.self).min()
  }

  func handleDeadlines(now: Instant) {
    switch output.handleDeadlines(demand: demand, now: now) {
    case .failed(let error): fail(error)
    case .ended: ended()
    case nil: break
    }
    for timer in recovery.due(at: now) { perform(recovery.fired(timer, facts, now: now)) }
    if reporter.takeJoin(at: now) { announceJoins() }
    if reporter.takeMeasurement(at: now) { measure() }
    beginIfReady()
  }

  /// Whether nothing is played.
  var isIdle: Bool { recovery.phase == .idle }

  private var current: TrackSource? { pool.lineup.current }
  private var fed: TrackSource? { pool.lineup.fed }

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
    reporter.generation = generation
    silence()
    let formerBeginning = current?.track == track ? current?.facts.beginning : nil
    // A source that was opened ahead and could not be joined is used instead of a new one.
    pool.dispose(pool.lineup.start(track, fromBeginning: position == .zero))
    recovery.open(paused: paused, now: .now)
    do throws(PlaybackError) {
      if let current {
        // Report the facts that were known before the track became current.
        reporter.reportFacts(of: current)
      } else {
        let source = try pool.open(track, at: position)
        source.facts.formerBeginning = formerBeginning
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
      pool.lineup.continuation == nil, current.facts.isSeekable || !current.isPrerolled
    else {
      if paused, postpone(to: position, in: track, generation: generation, followers) { return }
      return start(generation: generation, track: track, followers: followers, at: position, paused: paused)
    }
    reporter.generation = generation
    recue(current, at: position, paused: paused)
    stage(followers)
  }

  /// Moves in a broken stream while paused, and leaves the server alone until playback resumes.
  /// - Returns: false if the stream is not broken.
  private func postpone(to position: Duration, in track: Track, generation: Int, _ followers: [Track]) -> Bool {
    guard recovery.isPaused, let current, current.track == track, current.failure?.isConnectionFailure == true else {
      return false
    }
    reporter.generation = generation
    silence()
    pool.dispose(pool.lineup.removeFollowers())
    current.postpone(to: position)
    recovery.openAtResume()
    stage(followers)
    return true
  }

  /// Silences the output, discards all followers, also those in its buffer, and continues at another position.
  private func recue(_ source: TrackSource, at position: Duration, paused: Bool) {
    silence()
    pool.dispose(pool.lineup.removeFollowers())
    recovery.open(paused: paused, now: .now)
    if !source.seek(to: position) { fail(.truncated) }
  }

  /// Ends the output's run and cancels everything that was planned for it.
  func silence() {
    reporter.cancel()
    output.silence()
  }

  func pause() { perform(recovery.pause()) }

  func resume() { perform(recovery.resume(facts, now: .now)) }

  func stop(generation: Int) {
    reporter.generation = generation
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
    reporter.failed(error)
  }

  /// The output has played everything.
  private func ended() {
    announceJoins(isForced: true)
    let failure = current?.failure
    silence()
    pool.dispose(pool.lineup.endCurrent())
    recovery.stop()
    output.scheduleRelease(after: settings.deviceRelease)
    if let failure { reporter.failed(failure) } else { reporter.ended() }
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
      case .changed(let source): reporter.reportFacts(of: source)
      case .gainChanged: output.setTrackGains(pool.trackGains)
      case .filled(let source): if source === fed { perform(recovery.filled(facts)) }
      case .low(let source): if source === fed { recovery.low(facts) }
      case .decodedToEnd(let source):
        if source === fed { perform(recovery.decodedToEnd(facts, now: .now)) }
        pool.openNextFollower()
      case .failed(let source, let error): failed(source, error)
      case .rangeRefused(let source, let failure):
        if !readFromBeginning(source) { perform(pool.failed(source, failure)) }
      case .positionBeyondEnd(let source): if source === current, recovery.phase == .opening { ended() }
      case .seekFailed(let source): if source === current { fail(.truncated) }
      case .listed(let trackID, let tracks): reporter.report(.listed(trackID: trackID, tracks))
      case .list(let request, let result): reporter.report(.list(request: request, result))
      }
    }
  }

  private func failed(_ source: TrackSource, _ error: PlaybackError) {
    if withdraw(source, hasFailed: true) {
      // Not reported: the track is opened again when it becomes current.
      logger.info("Cannot open the next track ahead of time: \(error)")
    } else if let role = pool.lineup.role(of: source) {
      perform(recovery.failed(role, error, facts, now: .now))
    }
  }

  /// Reopens a source whose server ignores range requests, to read it from the beginning.
  /// - Returns: false if the source is already heard.
  private func readFromBeginning(_ source: TrackSource) -> Bool {
    if withdraw(source, hasFailed: false) {
      pool.openNextFollower()
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
      case .openFollowers: pool.openNextFollower()
      case .setFailure(let error): fed?.failure = error
      case .expectContinuation(let isExpected): if let fed { output.setExpectsMore(isExpected, of: fed.id) }
      case .disconnect: fed?.cutOff()
      case .holdOutput:
        reporter.cancel()
        output.hold()
      case .resumeOutput: output.resume()
      case .reportPaused:
        announceJoins()
        reporter.paused()
      case .reportBuffering: reporter.buffering()
      case .awaitFill(let amount): fed?.awaitFill(amount)
      case .fail(let error): fail(error)
      case .logReconnecting: logger.info("The stream broke off; reconnecting.")
      case .logOutage: logger.info("The server is unreachable; waiting for it to return.")
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
    // Restrict the feeder to wanted tracks first: only then is it certain which ones it took before.
    if let following = pool.lineup.following(agreeingWith: tracks) { setFollowing(following) }
    // If an unwanted track is already in the output's buffer, restart the output at the position that is heard.
    if pool.lineup.hasJoinedOther(than: tracks), let current, current.facts.isSeekable,
      let position = reporter.heardPosition
    {
      recue(current, at: position, paused: recovery.isPaused)
    }
    pool.dispose(pool.lineup.stage(tracks))
    pool.openNextFollower()
  }

  /// Removes the source of a track that stays staged.
  /// - Returns: false if the source belongs to no staged track, or is already being fed.
  private func withdraw(_ source: TrackSource, hasFailed: Bool) -> Bool {
    if let following = pool.lineup.following(before: source) { setFollowing(following) }
    guard pool.lineup.withdraw(source, hasFailed: hasFailed) else { return false }
    source.dispose()
    return true
  }

  /// Lets the feeder take all sources that are ready.
  private func offerFollowers() {
    guard let sources = pool.lineup.readyFollowers else { return }
    setFollowing(sources)
    if pool.lineup.continuation != nil { perform(recovery.continuationReady()) }
  }

  private func setFollowing(_ sources: [TrackSource]) {
    output.setFollowing(sources.map(\.feedSource))
    adoptJoin()
  }

  /// Updates the lineup if the feeder has moved on to a follower or the continuation.
  func adoptJoin() {
    switch pool.lineup.adopt(output.fedSourceID) {
    case .none: break
    case .followers: perform(recovery.movedOn())
    case .continuation(let source, let former):
      former?.dispose()
      reporter.reportFacts(of: source)
      perform(recovery.continued(facts, now: .now))
    }
  }

  private func announceJoins(isForced: Bool = false) {
    if reporter.announceJoins(isForced: isForced, isPaused: recovery.isPaused) { pool.openNextFollower() }
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
      expectsMore: current.failure?.isConnectionFailure == true, isPaused: recovery.isPaused)
    if recovery.isPaused { reporter.paused(at: current.start) }
  }

  func handle(_ event: OutputEvent) {
    switch event {
    case .playing:
      output.started()
      guard recovery.phase == .running, !recovery.isPaused else { return }
      reporter.playing()
      announceJoins()
    case .ended: ended()
    case .failed(let failure):
      logger.debug("output: \(failure.message) [\(failure.debug)]")
      if let error = output.failed(PlaybackError(device: failure), demand: demand) { fail(error) }
    case .latencyChanged: output.recalculateLatency()
    case .xrun: reporter.report(.xrun)
    case .signalChanged: output.reportSignal()
    }
  }

  func handle(_ event: FeederEvent) {
    switch event {
    case .joined(let id, let runningTime):
      adoptJoin()
      if pool.lineup.joined(id, at: runningTime) { announceJoins() }
      pool.openNextFollower()
    case .finished(let runningTime): output.finished(at: runningTime, isPaused: recovery.isPaused)
    case .starving: if output.isStarving { perform(recovery.starve(facts, now: .now)) }
    }
  }

  /// Replaces the device. Playback continues on it at the audible position, or live for a station.
  func setOutput(find: @escaping @Sendable () throws(OutputError) -> OutputDescription) {
    announceJoins()
    let position = reporter.heardPosition
    let (phase, isPaused, followers) = (recovery.phase, recovery.isPaused, pool.lineup.followers)
    silence()
    output.replace(find: find)
    guard let current, phase != .idle else { return }
    if phase != .opening {
      let position = current.facts.isStation ? .zero : position ?? current.start
      reporter.buffering(at: position)
      seek(generation: reporter.generation, track: current.track, followers: followers, to: position, paused: isPaused)
    }
    guard recovery.phase == .opening else { return }
    if let error = output.open() { fail(error) }
    beginIfReady()
  }

  /// Sets the time from a stop to the closing of the device, from the next stop on.
  func setDeviceRelease(_ delay: Duration) { settings.deviceRelease = delay }

  private func measure() {
    guard recovery.phase == .running, !recovery.isPaused, let position = reporter.heardPosition else { return }
    if output.isClockBroken, restart(at: position) { return }
    reporter.measured(position)
  }

  /// Restarts the output, whose clock is wrong, at the position that is heard.
  /// - Returns: false if the track does not allow it.
  private func restart(at position: Duration) -> Bool {
    guard let current, current.facts.isSeekable, current.failure == nil, pool.lineup.continuation == nil else {
      return false
    }
    logger.notice("The device's clock has jumped; restarting the output at the same position.")
    let tracks = pool.lineup.followers
    recue(current, at: position, paused: recovery.isPaused)
    stage(tracks)
    return true
  }
}
