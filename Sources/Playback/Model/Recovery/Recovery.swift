/// Decides how playback recovers from a stream that breaks off, runs dry or stalls, and when it gives up.
///
/// Pure: events, facts about the sources, and the time go in; actions come out, to be performed in order.
///
/// A broken stream is continued by another source, the continuation, which starts where the decoded sound ends.
/// Meanwhile the output plays the buffered sound. If that runs out, the output is held until the server returns or a
/// timeout passes.
package struct Recovery {
  package typealias Instant = ContinuousClock.Instant

  package enum Phase {
    case idle
    /// The current source has not delivered sound yet.
    case opening
    /// The output runs, or is paused.
    case running
    /// The output is held since the source ran dry.
    case starved

    /// The device that playback needs.
    package var demand: DeviceMachine.Demand {
      switch self {
      case .idle: .none
      case .opening: .starting
      case .running, .starved: .playing
      }
    }
  }

  package enum Action: Equatable {
    /// Replace the current source, which delivered nothing, by a new one.
    case reopenCurrent
    /// Open another source for the fed track where its decoded sound ends.
    case openContinuation
    case discardContinuation
    /// Keep the feeder from moving on to followers.
    case withholdFollowers
    /// Open the next follower if it is due.
    case openFollowers
    /// Set or clear the fed source's failure.
    case setFailure(PlaybackError?)
    /// Tell the feeder whether the end of the fed source is not the end of its track.
    case expectContinuation(Bool)
    /// End the fed source after the samples decoded so far.
    case disconnect
    case holdOutput
    case resumeOutput
    case reportPaused
    case reportBuffering
    /// Report when the fed source has buffered this much.
    case awaitFill(Duration)
    case fail(PlaybackError)
    case logReconnecting
    case logOutage
  }

  /// A timer. `fired` is called when it is due.
  package enum Timer: CaseIterable {
    /// Time limit for the current track to deliver sound.
    case open
    /// Time limit for the followers of a short track to become ready.
    case begin
    /// Time limit for a source that ran dry.
    case stall
    /// The next attempt to reconnect, or the time limit of the last one.
    case reconnect
    /// Checks whether the server has sent anything recently.
    case silence
  }

  package private(set) var phase = Phase.idle
  package private(set) var isPaused = false
  private var settings: PlayerSettings
  private var policy = ResumePolicy()
  /// Whether the wait for the followers of a short track has timed out.
  private var hasAwaitedFollowers = false
  /// The error of the last attempt to reconnect if the server is absent.
  private var absence: PlaybackError?
  /// Whether `PlayerSettings.outageTimeout` applies instead of `stallTimeout`.
  private var isLongWait = false
  /// Whether the output is held while a stream is read up to the wanted position.
  private var isReadingToPosition = false
  /// Whether an attempt to reconnect became due while paused. It is made at resume.
  private var isAttemptPostponed = false
  private var deadlines: [Timer: Instant] = [:]

  package init(settings: PlayerSettings) { self.settings = settings }

  /// When `fired` is to be called next.
  package var deadline: Instant? { deadlines.values.min() }

  package func due(at now: Instant) -> [Timer] {
    Timer.allCases.filter { timer in deadlines[timer].map { $0 <= now } ?? false }
  }

  /// - Returns: nothing if the timer was cancelled or renewed meanwhile.
  package mutating func fired(_ timer: Timer, _ facts: Facts, now: Instant) -> [Action] {
    guard let deadline = deadlines[timer], deadline <= now else { return [] }
    deadlines[timer] = nil
    switch timer {
    case .open:
      guard !facts.isOutputAway else {
        deadlines[.open] = now + settings.openTimeout
        return []
      }
      return [.fail(facts.currentFailure ?? .timedOut)]
    case .begin:
      // `begin` is called after every event.
      hasAwaitedFollowers = true
      return []
    case .stall: return giveUp(facts, now: now)
    case .reconnect:
      if isPaused, facts.continuation == .none { return postponeAttempt() }
      return reconnectNow(facts, now: now)
    case .silence: return checkSilence(facts, now: now)
    }
  }

  // MARK: Commands

  /// A track is being opened, or a seek begins.
  package mutating func open(paused: Bool, now: Instant) {
    self = Recovery(settings: settings)
    phase = .opening
    isPaused = paused
    deadlines[.open] = now + settings.openTimeout
  }

  /// A seek in a broken stream while paused: the stream is reopened at resume.
  package mutating func openAtResume() {
    self = Recovery(settings: settings)
    phase = .opening
    isPaused = true
    isAttemptPostponed = true
  }

  /// Playback stops.
  package mutating func stop() {
    let isPaused = isPaused
    self = Recovery(settings: settings)
    self.isPaused = isPaused
  }

  /// The current source and the device are ready.
  /// - Parameter awaitsFollowers: whether a follower is needed soon and not ready. The start waits for it briefly.
  /// - Returns: whether to start the output.
  package mutating func begin(awaitsFollowers: Bool, now: Instant) -> Bool {
    guard phase == .opening else { return false }
    if awaitsFollowers, !hasAwaitedFollowers {
      deadlines[.begin] = deadlines[.begin] ?? now + settings.startFill
      return false
    }
    deadlines[.open] = nil
    deadlines[.begin] = nil
    policy.delivered()
    phase = .running
    return true
  }

  package mutating func pause() -> [Action] {
    guard !isPaused, phase != .idle else { return [] }
    isPaused = true
    deadlines[.stall] = nil
    return phase == .running ? [.holdOutput, .reportPaused] : []
  }

  package mutating func resume(_ facts: Facts, now: Instant) -> [Action] {
    guard isPaused, phase != .idle else { return [] }
    isPaused = false
    var actions: [Action] = []
    switch phase {
    case .running: actions.append(.resumeOutput)
    case .starved: awaitServer(facts, now: now)
    case .opening, .idle: break
    }
    if isAttemptPostponed {
      isAttemptPostponed = false
      if phase == .opening { deadlines[.open] = now + settings.openTimeout }
      return actions + reconnectNow(facts, now: now)
    }
    let isAttemptDue = facts.fed?.isBroken == true && facts.continuation == .none && deadlines[.reconnect] == nil
    return actions + (isAttemptDue ? reconnect(facts, now: now) : [])
  }

  // MARK: Running dry

  /// The device is about to run dry. Holds the output first, so that the device discards nothing.
  package mutating func starve(_ facts: Facts, now: Instant) -> [Action] {
    guard phase == .running, !isPaused, let fed = facts.fed else { return [] }
    if let failure = fed.failure, !failure.isConnectionFailure { return [.fail(failure)] }
    phase = .starved
    awaitServer(facts, now: now)
    if deadlines[.silence] == nil { deadlines[.silence] = now + settings.silenceTimeout }
    return [.holdOutput, .reportBuffering, .awaitFill(settings.resumeFill)]
  }

  /// Starts the time limit for a source that ran dry.
  private mutating func awaitServer(_ facts: Facts, now: Instant) {
    isReadingToPosition = false
    isLongWait = facts.fed?.isLive == true
    deadlines[.stall] = now + (isLongWait ? settings.outageTimeout : settings.stallTimeout)
  }

  /// The fed source has buffered the amount of `awaitFill`.
  package mutating func filled(_ facts: Facts) -> [Action] {
    // A broken source reports its end as filled.
    facts.fed?.failure == nil ? recover() : []
  }

  /// The feeder has moved on to a follower, which is now the fed source. A held output waits for that one.
  package func movedOn() -> [Action] { phase == .starved ? [.awaitFill(settings.resumeFill)] : [] }

  private mutating func recover() -> [Action] {
    guard phase == .starved else { return [] }
    deadlines[.stall] = nil
    phase = .running
    return [isPaused ? .reportPaused : .resumeOutput]
  }

  private mutating func giveUp(_ facts: Facts, now: Instant) -> [Action] {
    guard let fed = facts.fed else { return [.fail(.stalled)] }
    let isReading = fed.isReadingToPosition && fed.lastArrival + settings.silenceTimeout > now
    if isReading || isReadingToPosition {
      // Restart the time limit once the position is reached.
      isReadingToPosition = isReading
      deadlines[.stall] = now + settings.stallTimeout
      return []
    }
    guard fed.isBroken else { return [.fail(.stalled)] }
    if absence != nil, !isLongWait, facts.staysOnServer {
      isLongWait = true
      deadlines[.stall] = now + settings.outageTimeout - settings.stallTimeout
      return [.logOutage]
    }
    deadlines[.reconnect] = nil
    // The failure is reported when the device has played the remaining sound.
    return (absence.map { [.setFailure($0)] } ?? []) + [.discardContinuation, .expectContinuation(false)] + recover()
  }

  // MARK: Silence

  /// The fed source has little buffered.
  package mutating func low(_ facts: Facts) {
    guard let fed = facts.fed else { return }
    deadlines[.silence] = fed.lastArrival + settings.silenceTimeout
  }

  /// Reconnects to a server that sends nothing: while buffered sound still plays if the stream is seekable, else only
  /// when the output is held.
  private mutating func checkSilence(_ facts: Facts, now: Instant) -> [Action] {
    guard phase == .starved || phase == .running, let fed = facts.fed, fed.failure == nil else { return [] }
    guard phase == .starved || fed.isLow else { return [] }
    guard phase == .starved || (fed.isSeekable && !isPaused) else {
      deadlines[.silence] = now + settings.silenceTimeout
      return []
    }
    let deadline = fed.lastArrival + settings.silenceTimeout
    guard deadline <= now else {
      deadlines[.silence] = deadline
      return []
    }
    // Disconnect, since the old connection could deliver again next to the new one.
    return [.setFailure(.stalled), .expectContinuation(true), .disconnect]
  }
}

// MARK: - Broken streams

extension Recovery {
  /// A source failed. Its `failure` is already set.
  package mutating func failed(_ role: Role, _ error: PlaybackError, _ facts: Facts, now: Instant) -> [Action] {
    switch role {
    // Its server may close an idle connection. The track is opened again when the output is back.
    case .current where facts.isOutputAway && phase == .opening: return []
    case .continuation:
      // Its samples are used first; then the rest is requested again.
      if error.isConnectionFailure, facts.continuation == .ready { return [] }
      absence = error.isServerAbsent ? error : nil
      return reconnect(facts, now: now)
    case .current where awaitsSound(facts) && error == .truncated && policy.mayReopen:
      return retry(facts, now: now)
    case .current(isFed: true), .fed:
      return fedFailed(error, facts, isCurrent: role != .fed, now: now)
    case .current(isFed: false):
      return phase == .opening ? [.fail(error)] : []
    }
  }

  private mutating func fedFailed(
    _ error: PlaybackError, _ facts: Facts, isCurrent: Bool, now: Instant
  ) -> [Action] {
    if error.isConnectionFailure, let fed = facts.fed, fed.isPrerolled {
      // The continuation starts where the received data ends, so that is decoded first.
      return [.expectContinuation(true), .withholdFollowers] + (fed.isBroken ? reconnect(facts, now: now) : [])
    }
    if isCurrent, phase == .opening { return [.fail(error)] }
    // The decoded sound is played first; its end reports the failure.
    return [.withholdFollowers]
  }

  /// The fed source is decoded to its end.
  package mutating func decodedToEnd(_ facts: Facts, now: Instant) -> [Action] {
    var facts = facts
    var actions: [Action] = []
    if facts.fed?.isBrokenOff == true, facts.fed?.failure == nil {
      facts.fed?.failure = .truncated
      facts.fed?.isComplete = true
      actions += [.setFailure(.truncated), .expectContinuation(true)]
    }
    // With an attempt due, the break has been counted already.
    if facts.fed?.isBroken == true, facts.continuation == .none, deadlines[.reconnect] == nil {
      actions += reconnect(facts, now: now)
    }
    return actions
  }

  /// The feeder has moved on to the continuation, which is now the fed source.
  package mutating func continued(_ facts: Facts, now: Instant) -> [Action] {
    deadlines[.reconnect] = nil
    policy.delivered()
    absence = nil
    var actions = recover()
    guard let fed = facts.fed, fed.failure != nil else { return actions }
    actions.append(.expectContinuation(true))
    if fed.isBroken { actions += reconnect(facts, now: now) }
    return actions
  }

  /// The continuation is ready. Resumes a held output, whose buffer may be too full to accept its samples.
  package mutating func continuationReady() -> [Action] { recover() }

  /// The server ignored a source's range request, so the source must be read from its beginning.
  /// - Returns: nil if the source has already delivered sound.
  package mutating func rangeRefused(_ role: Role, _ facts: Facts, now: Instant) -> [Action]? {
    switch role {
    case .continuation: return [.discardContinuation] + openContinuation(facts, now: now)
    case .current where phase == .opening:
      deadlines[.open] = now + settings.openTimeout
      return [.reopenCurrent]
    default: return nil
    }
  }

  /// The fed source or its continuation broke off.
  private mutating func reconnect(_ facts: Facts, now: Instant) -> [Action] {
    deadlines[.reconnect] = nil
    let actions: [Action] = [.withholdFollowers, .discardContinuation]
    if facts.fed?.endsWhereItBegan == true {
      // The reopened stream ended at the same position: that is its true end, even if the server announced more.
      return actions + [.setFailure(nil), .expectContinuation(false)] + recover() + [.openFollowers]
    }
    // Do not bother the server while paused.
    if isPaused { return actions }
    var facts = facts
    facts.continuation = .none
    return actions + retry(facts, now: now)
  }

  private mutating func retry(_ facts: Facts, now: Instant) -> [Action] {
    if isPaused { return postponeAttempt() }
    let actions: [Action] = policy.isFresh ? [.logReconnecting] : []
    let pause = policy.failed()
    if pause == .zero { return actions + reconnectNow(facts, now: now) }
    deadlines[.reconnect] = now + pause
    return actions
  }

  private mutating func postponeAttempt() -> [Action] {
    isAttemptPostponed = true
    deadlines[.open] = nil
    return []
  }

  private mutating func reconnectNow(_ facts: Facts, now: Instant) -> [Action] {
    if awaitsSound(facts) { return [.reopenCurrent] }
    switch facts.continuation {
    case .none: return openContinuation(facts, now: now)
    case .ready: return []
    case .opening, .prerolled:
      // The attempt has timed out.
      absence = facts.continuation == .prerolled ? nil : .timedOut
      return reconnect(facts, now: now)
    }
  }

  private mutating func openContinuation(_ facts: Facts, now: Instant) -> [Action] {
    guard facts.fed?.failure != nil else { return [] }
    deadlines[.reconnect] = now + settings.openTimeout
    return [.openContinuation]
  }

  /// The current track has not delivered sound from the wanted position.
  private func awaitsSound(_ facts: Facts) -> Bool { phase == .opening && !facts.isCurrentPositioned }
}
