import Logging
import PlaybackModel

/// Plays a track and its followers, and reports what is heard.
///
/// The only owner of the lineup, of recovery (including the pause) and of the reports. Performs the decisions of
/// `Lineup` and `Recovery` on the sources and the output. Used on the pipeline's thread only.
final class PlaybackSession {
  typealias Instant = ContinuousClock.Instant

  private let sources: TrackSources
  private var recovery: Recovery
  private let reporter: PlaybackReporter
  private let opener: SourceOpener
  private let output: OutputOwner
  private let logger: Logger

  init(
    output: OutputOwner, opener: SourceOpener, settings: PlayerSettings, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.output = output
    self.opener = opener
    self.logger = logger
    reporter = PlaybackReporter(output: output, report: report)
    sources = TrackSources(opener: opener)
    recovery = Recovery(settings: settings)
  }

  /// When `handleDeadlines` is to be called next.
  var deadline: Instant? { [output.deadline, recovery.deadline, reporter.times.deadline].compactMap(\.self).min() }

  func handleDeadlines(now: Instant) {
    if !output.isReserved { handle(output.handleDeadlines(demand: recovery.phase.demand, now: now)) }
    for timer in recovery.due(at: now) { perform(recovery.fired(timer, facts, now: now)) }
    if reporter.times.takeJoin(at: now) { reportJoins() }
    if reporter.times.takeMeasurement(at: now) { measure() }
    beginIfReady()
    offerFollowers()
  }

  var isIdle: Bool { recovery.phase == .idle }
  var isStarting: Bool { recovery.phase == .opening && !recovery.isPaused }
  var isLive: Bool { current?.facts.isStation == true }

  /// The sources whose sound waits for the device.
  var buffers: [SourceContext] { lineup.sources.map(\.context) }

  private var lineup: Lineup<TrackSource> { sources.lineup }
  private var current: TrackSource? { lineup.current }
  private var fed: TrackSource? { lineup.fed }
  private var facts: Recovery.Facts { lineup.recoveryFacts(isOutputAway: output.isAway) }
}

// MARK: - Commands

extension PlaybackSession {
  func start(generation: Int, track: Track, followers: [Track], at position: Duration, paused: Bool) {
    reporter.generation = generation
    silence()
    recovery.open(paused: paused, now: .now)
    do throws(PlaybackError) { try sources.start(track, at: position) } catch {
      fail(error)
      return
    }
    // Some facts may have been known before the track became current.
    if let current { reportFacts(of: current) }
    stage(followers)
    handle(output.open())
    beginIfReady()
  }

  func seek(generation: Int, track: Track, followers: [Track], to position: Duration, paused: Bool) {
    guard let current, current.track == track, !isIdle, current.failure == nil, lineup.continuation == nil,
      current.facts.isSeekable || !current.isPrerolled
    else {
      if paused, postpone(to: position, in: track, generation: generation, followers) { return }
      return start(generation: generation, track: track, followers: followers, at: position, paused: paused)
    }
    reporter.generation = generation
    recue(current, at: position, paused: paused)
    stage(followers)
  }

  /// Moves the position in a broken stream while paused. The server is contacted only when playback resumes.
  /// - Returns: false if the stream is not broken.
  private func postpone(to position: Duration, in track: Track, generation: Int, _ followers: [Track]) -> Bool {
    guard recovery.isPaused, let current, current.track == track, current.failure?.isConnectionFailure == true else {
      return false
    }
    reporter.generation = generation
    silence()
    sources.removeFollowers()
    current.postpone(to: position)
    recovery.openAtResume()
    stage(followers)
    return true
  }

  /// Silences the output, discards all followers, also those in its buffer, and continues at another position.
  private func recue(_ source: TrackSource, at position: Duration, paused: Bool) {
    silence()
    sources.removeFollowers()
    recovery.open(paused: paused, now: .now)
    if !source.seek(to: position) { fail(.truncated) }
  }

  /// Ends the output's run, and cancels all planned reports and device actions.
  private func silence() {
    reporter.times.cancel()
    output.silence()
  }

  func pause() { perform(recovery.pause()) }

  func resume() { perform(recovery.resume(facts, now: .now)) }

  /// Ends playback, and releases the device a little later.
  func stop(generation: Int? = nil) {
    if let generation { reporter.generation = generation }
    silence()
    sources.removeAll()
    recovery.stop()
    output.scheduleRelease()
  }

  private func fail(_ error: PlaybackError) {
    stop()
    reporter.ended(error)
  }

  /// The output has played everything.
  private func ended() {
    reportJoins(isForced: true)
    let failure = current?.failure
    silence()
    sources.endCurrent()
    recovery.stop()
    output.scheduleRelease()
    reporter.ended(failure)
  }

  /// Sets ReplayGain for tracks that the feeder has not reached.
  func setReplayGain(_ replayGain: ReplayGainSettings) {
    sources.setReplayGain(replayGain)
    output.setDefaultTrackGain(replayGain.factor(for: nil))
    output.setTrackGains(sources.gains)
  }
}

// MARK: - Events of sources

extension PlaybackSession {
  func handle(_ event: SourceEvent, of id: Int) {
    adoptJoin()
    if let source = lineup.sources.first(where: { $0.owns(id) }) {
      if let news = source.handle(event, from: id) { handle(news, of: source) }
      if case .failed = event, source.id == id { source.context.failureHandled() }
    }
    beginIfReady()
    offerFollowers()
  }

  private func handle(_ news: SourceNews, of source: TrackSource) {
    switch news {
    case .prerolled, .changed:
      output.setTrackGains(sources.gains)
      reportFacts(of: source)
    case .filled: if source === fed { perform(recovery.filled(facts)) }
    case .low: if source === fed { recovery.low(facts) }
    case .decodedToEnd:
      reportFacts(of: source)
      if source === fed { perform(recovery.decodedToEnd(facts, now: .now)) }
      sources.openNext()
    case .failed(let failure): failed(source, failure)
    case .documentRead(let error): failed(source, error)
    case .seekRefused: if source === current { fail(.truncated) } else { failed(source, .truncated) }
    }
  }

  private func failed(_ source: TrackSource, _ failure: ElementFailure) {
    logger.debug("source \(source.id): \(failure.message) [\(failure.debug)]")
    if failure.cause == .rangeIgnored, opener.noteWithoutRanges(source.track.uri), readFromBeginning(source) { return }
    switch source.diagnose(failure, isContinuation: source === lineup.continuation) {
    case .atEnd: source.reachEnd()
    case .positionBeyondEnd:
      source.reachEnd()
      if source === current, recovery.phase == .opening { ended() }
    case .error(let error): failed(source, error)
    }
  }

  private func failed(_ source: TrackSource, _ error: PlaybackError) {
    switch source.fail(error) {
    case .readsDocument: return
    case .list(let tracks) where source !== lineup.continuation:
      reporter.report(.listed(trackID: source.track.id, tracks))
      if source === current { return }
    case .list, .noList: break
    }
    if withdraw(source, hasFailed: true) {
      // Not reported: the track is opened again when it becomes current.
      logger.info("Cannot open the next track ahead of time: \(error)")
    } else if let role = lineup.role(of: source) {
      perform(recovery.failed(role, error, facts, now: .now))
    }
  }

  /// Reopens a source whose server ignores range requests, to read it from the beginning.
  /// - Returns: false if the source is already heard.
  private func readFromBeginning(_ source: TrackSource) -> Bool {
    if withdraw(source, hasFailed: false) {
      sources.openNext()
      return true
    }
    guard let role = lineup.role(of: source), let actions = recovery.rangeRefused(role, facts, now: .now) else {
      return false
    }
    perform(actions)
    return true
  }
}

// MARK: - Recovery

extension PlaybackSession {
  private func perform(_ actions: [Recovery.Action]) {
    for action in actions {
      switch action {
      case .reopenCurrent: failing(sources.reopenCurrent)
      case .openContinuation: failing(sources.openContinuation)
      case .discardContinuation: sources.discardContinuation()
      case .withholdFollowers: setFollowing([])
      case .openFollowers: sources.openNext()
      case .setFailure(let error): fed?.setFailure(error)
      case .expectContinuation(let isExpected): if let fed { output.setExpectsMore(isExpected, of: fed.id) }
      case .disconnect: fed?.cutOff()
      case .holdOutput:
        reporter.times.cancel()
        output.hold()
      case .resumeOutput: output.resume()
      case .reportPaused:
        reportJoins()
        reporter.paused(current)
      case .reportBuffering: reporter.buffering(at: heardPosition ?? .zero)
      case .awaitFill(let amount): fed?.awaitFill(amount)
      case .fail(let error): fail(error)
      case .logReconnecting: logger.info("The stream broke off; reconnecting.")
      case .logOutage: logger.info("The server is unreachable; waiting for it to return.")
      }
    }
  }

  private func failing(_ body: () throws(PlaybackError) -> Void) {
    do throws(PlaybackError) { try body() } catch { fail(error) }
  }
}

// MARK: - Followers

extension PlaybackSession {
  /// Replaces the tracks after the current one.
  func stage(_ tracks: [Track]) {
    // Restrict the feeder to wanted tracks first: only then is it certain which ones it took before.
    if let following = lineup.following(agreeingWith: tracks) { setFollowing(following) }
    // If an unwanted track is already in the output's buffer, restart the output at the position that is heard.
    if lineup.hasJoinedOther(than: tracks), let current, current.facts.isSeekable, let position = heardPosition {
      recue(current, at: position, paused: recovery.isPaused)
    }
    sources.stage(tracks)
    sources.openNext()
  }

  /// Removes the source of a track that stays staged.
  /// - Returns: false if the source belongs to no staged track, or is already being fed.
  private func withdraw(_ source: TrackSource, hasFailed: Bool) -> Bool {
    if let following = lineup.following(before: source) { setFollowing(following) }
    return sources.withdraw(source, hasFailed: hasFailed)
  }

  /// Lets the feeder take all sources that are ready.
  private func offerFollowers() {
    guard let sources = lineup.readyFollowers else { return }
    setFollowing(sources)
    if lineup.continuation != nil { perform(recovery.continuationReady()) }
  }

  private func setFollowing(_ sources: [TrackSource]) {
    output.setFollowing(sources.map(\.feedSource))
    adoptJoin()
  }

  /// Updates the lineup if the feeder has moved on to a follower or the continuation.
  func adoptJoin() {
    switch sources.adopt(output.fedSourceID) {
    case .none: break
    case .followers: perform(recovery.movedOn())
    case .continuation(let source, _):
      reportFacts(of: source)
      perform(recovery.continued(facts, now: .now))
    }
  }
}

// MARK: - Output

extension PlaybackSession {
  private func beginIfReady() {
    guard recovery.phase == .opening, output.isOpen, let current, current.isReady else { return }
    // A held run would hold the announcement too.
    if recovery.isPaused, output.hasAnnouncement { return }
    let awaitsFollowers = lineup.awaitsFollowers(until: opener.settings.startFill)
    guard recovery.begin(awaitsFollowers: awaitsFollowers, now: .now) else { return }
    output.begin(
      with: current.feedSource, following: (lineup.readyFollowers ?? []).map(\.feedSource),
      expectsMore: current.failure?.isConnectionFailure == true, isHeld: recovery.isPaused,
      isPrompt: current.isPrompt)
    if recovery.isPaused { reporter.paused(current, at: current.start) }
  }

  func handle(_ event: OutputEvent) { handle(output.handle(event, demand: recovery.phase.demand)) }

  private func handle(_ event: OutputOwner.Event?) {
    switch event {
    case .playing:
      guard recovery.phase == .running, !recovery.isPaused else { return }
      reporter.playing(current)
      reportJoins()
    case .failed(let error): fail(error)
    case .ended: ended()
    case .interrupted: changeOutput { output.close() }
    // Opens the track again: a station has moved on while the output was away.
    case .returned: if recovery.phase == .opening, let current { restart(current, at: current.start) }
    case nil: break
    }
  }

  func handle(_ event: FeederEvent) {
    switch event {
    case .joined(let id, let runningTime):
      adoptJoin()
      if sources.joined(id, at: runningTime) { reportJoins() }
      sources.openNext()
    case .finished(let runningTime): output.finished(at: runningTime)
    case .starving: if output.isStarving { perform(recovery.starve(facts, now: .now)) }
    }
  }

  /// Changes the device. Playback continues on it at the audible position, or live for a station.
  /// - Parameter isShown: false to keep the state that is shown.
  func changeOutput(isShown: Bool = true, _ change: () -> Void) {
    reportJoins()
    let position = heardPosition
    silence()
    change()
    if let current, !isIdle, recovery.phase != .opening {
      let position = isLive ? .zero : position ?? current.start
      if isShown { reporter.buffering(at: position) }
      restart(current, at: position)
    }
    openOutput()
  }

  /// Opens the device if a track waits for it.
  func openOutput() {
    guard recovery.phase == .opening else { return }
    handle(output.open())
    beginIfReady()
  }

  private var heardPosition: Duration? { reporter.heardPosition(in: current) }

  private func reportFacts(of source: TrackSource) {
    if source === current { reporter.facts(of: source) }
  }

  /// Reports the followers that have become audible.
  /// - Parameter isForced: whether the output has played everything.
  private func reportJoins(isForced: Bool = false) {
    let hasJoined = reporter.joins(isPaused: recovery.isPaused) { sources.nextJoin(at: $0, isForced: isForced) }
    if hasJoined { sources.openNext() }
  }

  /// Reports the position. If the device's clock is wrong, restarts the output there.
  func measure() {
    guard recovery.phase == .running, !recovery.isPaused, let current, let position = heardPosition else { return }
    guard output.isClockBroken, current.facts.isSeekable, current.failure == nil, lineup.continuation == nil else {
      reporter.measured(position)
      return
    }
    logger.notice("The device's clock has jumped; restarting the output at the same position.")
    restart(current, at: position)
  }

  private func restart(_ current: TrackSource, at position: Duration) {
    seek(
      generation: reporter.generation, track: current.track, followers: lineup.followers, to: position,
      paused: recovery.isPaused)
  }
}
