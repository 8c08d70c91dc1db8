/// Decides what happens while a track is opened, when its stream breaks off, runs dry or falls silent, and when to give up.
///
/// Pure: events, facts about the sources, and the time go in; actions come out, to be performed in order.
///
/// A stream that breaks off is continued by another source, the continuation, which begins where the decoded sound ends.
/// Meanwhile the output plays what is there. Where that ends, the output is held, and the server has a while to return.
package struct Recovery {
  package typealias Instant = ContinuousClock.Instant

  package enum Phase {
    case idle
    /// The current source does not deliver yet.
    case opening
    /// The output runs, or is paused.
    case running
    /// The output is held since the source ran dry.
    case starved
  }

  package enum Action: Equatable {
    /// Open the current track again in the place of its source, which delivered nothing.
    case reopenCurrent
    /// Open the fed track again where its decoded sound ends.
    case openContinuation
    case discardContinuation
    /// Keep the feeder from going on to followers.
    case withholdFollowers
    /// Open the next follower if it is due.
    case openFollowers
    /// Set why the fed source delivers no more.
    case setFailure(PlaybackError?)
    /// Tell the feeder whether the end of the fed source is not the end of its track.
    case expectContinuation(Bool)
    /// End the fed source: nothing more is read from its server.
    case disconnect
    case holdOutput
    case resumeOutput
    case reportPaused
    case reportBuffering
    /// Report when the fed source holds so much.
    case awaitFill(Duration)
    case fail(PlaybackError)
    case logReconnecting
    case logOutage
  }

  /// One of the times that `fired` is to be called at.
  package enum Timer: CaseIterable {
    /// The current track was to deliver by now.
    case open
    /// The followers of a short track were to be ready by now.
    case begin
    /// A source that ran dry was to go on by now.
    case stall
    /// The next attempt to reconnect is due, or the last one was to deliver by now.
    case reconnect
    /// The server may have sent nothing for too long.
    case silence
  }

  package private(set) var phase = Phase.idle
  package private(set) var isPaused = false
  private var settings: PlayerSettings
  private var policy = ResumePolicy()
  /// The followers of a short track have had their time.
  private var hasAwaitedFollowers = false
  /// Why the last attempt to reconnect failed, if that is because the server is away.
  private var absence: PlaybackError?
  /// The server is waited for `PlayerSettings.outageTimeout`.
  private var isLongWait = false
  /// The output is held while a stream is read up to the position that is wanted.
  private var isReadingToPosition = false
  private var deadlines: [Timer: Instant] = [:]

  package init(settings: PlayerSettings) { self.settings = settings }

  /// When `fired` is to be called next.
  package var deadline: Instant? { deadlines.values.min() }

  package func due(at now: Instant) -> [Timer] {
    Timer.allCases.filter { timer in deadlines[timer].map { $0 <= now } ?? false }
  }

  /// - Returns: nothing if the timer was cancelled or set anew meanwhile.
  package mutating func fired(_ timer: Timer, _ facts: Facts, now: Instant) -> [Action] {
    guard let deadline = deadlines[timer], deadline <= now else { return [] }
    deadlines[timer] = nil
    switch timer {
    case .open: return [.fail(facts.currentFailure ?? .timedOut)]
    case .begin:
      // `begin` is called after every event.
      hasAwaitedFollowers = true
      return []
    case .stall: return giveUp(facts, now: now)
    case .reconnect: return reconnectNow(facts, now: now)
    case .silence: return judgeSilence(facts, now: now)
    }
  }

  // MARK: Commands

  /// A track, or another position in it, is being opened.
  package mutating func open(paused: Bool, now: Instant) {
    self = Recovery(settings: settings)
    phase = .opening
    isPaused = paused
    deadlines[.open] = now + settings.openTimeout
  }

  /// Nothing is played any more.
  package mutating func stop() {
    let isPaused = isPaused
    self = Recovery(settings: settings)
    self.isPaused = isPaused
  }

  /// The current source and the device are ready.
  /// - Parameter awaitsFollowers: whether a follower is needed soon and not ready. It is waited for, but not for long.
  /// - Returns: whether the output is to start.
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
    if facts.fed?.isBroken == true, facts.continuation == .none { actions += reconnect(facts, now: now) }
    return actions
  }

  // MARK: Running dry

  /// The device is about to run dry: holds the output before, so that the device throws nothing away.
  package mutating func starve(_ facts: Facts, now: Instant) -> [Action] {
    guard phase == .running, !isPaused, let fed = facts.fed else { return [] }
    if let failure = fed.failure, !failure.isOfConnection { return [.fail(failure)] }
    phase = .starved
    awaitServer(facts, now: now)
    if deadlines[.silence] == nil { deadlines[.silence] = now + settings.silenceTimeout }
    return [.holdOutput, .reportBuffering, .awaitFill(settings.resumeFill)]
  }

  /// Gives a source that ran dry a while to go on.
  private mutating func awaitServer(_ facts: Facts, now: Instant) {
    isReadingToPosition = false
    isLongWait = facts.fed?.isLive == true
    deadlines[.stall] = now + (isLongWait ? settings.outageTimeout : settings.stallTimeout)
  }

  /// The fed source holds as much as `awaitFill` asked for.
  package mutating func filled(_ facts: Facts) -> [Action] {
    // A source that broke off is filled by its end.
    facts.fed?.failure == nil ? recover() : []
  }

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
      // Once the position is reached, the server has its time from there.
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
    // The end of the sound that is still in front of the device reports the failure.
    return (absence.map { [.setFailure($0)] } ?? []) + [.discardContinuation, .expectContinuation(false)] + recover()
  }

  // MARK: Silence

  /// Little is held of the fed source.
  package mutating func low(_ facts: Facts) {
    guard let fed = facts.fed else { return }
    deadlines[.silence] = fed.lastArrival + settings.silenceTimeout
  }

  /// A server that sends nothing at all is asked again on another connection: while there is still something to hear if
  /// its stream can be continued where it ends, else when the output is held.
  private mutating func judgeSilence(_ facts: Facts, now: Instant) -> [Action] {
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
    // If the server went on, its stream would come beside the new one.
    return [.setFailure(.stalled), .expectContinuation(true), .disconnect]
  }
}

// MARK: - Broken streams

extension Recovery {
  /// A source failed, whose `failure` is set by now.
  package mutating func failed(_ role: Role, _ error: PlaybackError, _ facts: Facts, now: Instant) -> [Action] {
    switch role {
    case .continuation:
      // What came of it is heard when its turn comes, and then what is still missing is requested.
      if error.isOfConnection, facts.continuation == .ready { return [] }
      absence = error.isOfAbsence ? error : nil
      return reconnect(facts, now: now)
    case .current where awaitsSound(facts) && error == .truncated && policy.mayBeginAgain:
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
    if error.isOfConnection, let fed = facts.fed, fed.isPrerolled {
      // What has arrived is decoded first: where that ends, the continuation begins.
      return [.expectContinuation(true), .withholdFollowers] + (fed.isBroken ? reconnect(facts, now: now) : [])
    }
    if isCurrent, phase == .opening { return [.fail(error)] }
    // The sound that is decoded already is heard; its end reports the failure.
    return [.withholdFollowers]
  }

  /// The fed source is decoded to its end.
  package mutating func decodedToEnd(_ facts: Facts, now: Instant) -> [Action] {
    var facts = facts
    var actions: [Action] = []
    if facts.fed?.isStation == true, facts.fed?.failure == nil {
      facts.fed?.failure = .truncated
      facts.fed?.isComplete = true
      actions += [.setFailure(.truncated), .expectContinuation(true)]
    }
    if facts.fed?.isBroken == true, facts.continuation == .none { actions += reconnect(facts, now: now) }
    return actions
  }

  /// The feeder has gone on to the continuation, which is the fed source now.
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

  /// The feeder may go on to the continuation. The output may be held with more in its buffer than it takes: that is
  /// heard first.
  package mutating func continuationReady() -> [Action] { recover() }

  /// The server does not send a source from where it was requested, which is to be read from its beginning.
  package mutating func rangeRefused(_ role: Role, _ facts: Facts, now: Instant) -> [Action]? {
    switch role {
    case .continuation: return [.discardContinuation] + openContinuation(facts, now: now)
    case .current where phase == .opening:
      deadlines[.open] = now + settings.openTimeout
      return [.reopenCurrent]
    default: return nil
    }
  }

  /// The fed source broke off, or the attempt to continue it did.
  private mutating func reconnect(_ facts: Facts, now: Instant) -> [Action] {
    deadlines[.reconnect] = nil
    let actions: [Action] = [.withholdFollowers, .discardContinuation]
    if facts.fed?.endsWhereItBegan == true {
      // Read once more, it ends at the same place: that is its end, whatever length the server announced.
      return actions + [.setFailure(nil), .expectContinuation(false)] + recover() + [.openFollowers]
    }
    // While nobody wants to hear it, the server is left alone.
    if isPaused { return actions }
    var facts = facts
    facts.continuation = .none
    return actions + retry(facts, now: now)
  }

  private mutating func retry(_ facts: Facts, now: Instant) -> [Action] {
    let actions: [Action] = policy.isFresh ? [.logReconnecting] : []
    let pause = policy.failed()
    if pause == .zero { return actions + reconnectNow(facts, now: now) }
    deadlines[.reconnect] = now + pause
    return actions
  }

  private mutating func reconnectNow(_ facts: Facts, now: Instant) -> [Action] {
    if awaitsSound(facts) { return [.reopenCurrent] }
    switch facts.continuation {
    case .none: return openContinuation(facts, now: now)
    case .ready: return []
    case .opening, .prerolled:
      // It has had its time.
      absence = facts.continuation == .prerolled ? nil : .timedOut
      return reconnect(facts, now: now)
    }
  }

  private mutating func openContinuation(_ facts: Facts, now: Instant) -> [Action] {
    guard facts.fed?.failure != nil else { return [] }
    deadlines[.reconnect] = now + settings.openTimeout
    return [.openContinuation]
  }

  /// Nothing has come yet from where the current track is wanted.
  private func awaitsSound(_ facts: Facts) -> Bool { phase == .opening && !facts.isCurrentPositioned }
}
