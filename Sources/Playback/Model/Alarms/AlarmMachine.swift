/// Decides when alarms ring, and what happens until somebody dismisses them.
///
/// A pure value: events, facts and time go in, actions come out. The sound of an alarm that cannot be heard is replaced
/// by a tone. What a person does meanwhile wins: a pause dismisses the alarm, and other music keeps playing.
package struct AlarmMachine: Sendable {
  /// The facts about the speaker that decisions depend on.
  package struct Facts: Sendable, Equatable {
    package var volume = 0
    package var volumeLimit = 100
    package var isMuted = false
    package var isStandby = false
    /// Whether something is heard.
    package var isPlaying = false
    /// Whether an announcement is heard or waits.
    package var isAnnouncing = false

    package init() {}
  }

  package enum Event: Sendable, Equatable {
    /// Time has passed, the clock was set, or the facts have changed.
    case update
    /// Playback has ended by itself.
    case ended(isFailure: Bool)
    /// A person has paused or stopped playback, or chosen standby.
    case stopped
    /// A person has chosen something else to play.
    case replaced
    /// Nil for the minutes of the alarm.
    case snooze(minutes: Int?)
    case dismiss
  }

  package enum Action: Sendable, Equatable {
    case setVolume(Int, muted: Bool)
    /// Lets the sound rise from silence.
    case ramp(Duration)
    /// Ends the ramp at the full volume.
    case endRamp
    case play(AlarmSound)
    /// Stops what the alarm plays.
    case stop
    case standby
    case cancelSleepTimer
    /// The state to save has changed.
    case save
    case report(Report)
  }

  /// A change to tell users and the log about.
  package enum Report: Sendable, Equatable {
    case rings(ClockAlarm)
    case tone(ClockAlarm)
    case snoozed(ClockAlarm, minutes: Int)
    case ended(ClockAlarm)
    case missed(MissedAlarm)
    case waitsForClock
  }

  /// How the speaker was before the alarm.
  package struct Former: Sendable, Equatable {
    package var volume: Int
    package var isMuted: Bool
    package var isStandby: Bool

    package init(volume: Int, isMuted: Bool, isStandby: Bool) {
      (self.volume, self.isMuted, self.isStandby) = (volume, isMuted, isStandby)
    }
  }

  package struct Ringing: Sendable, Equatable {
    package let alarm: ClockAlarm
    package let former: Former
    /// The volume that the alarm has set.
    var volume: Int
    var ends: ContinuousClock.Instant
    package var isTone: Bool
    /// Since when nothing is heard; nil while it is.
    var silentSince: ContinuousClock.Instant?
    var isRamping = true
  }

  package enum Phase: Sendable, Equatable {
    case quiet
    /// The alarm waits for the end of an announcement.
    case waiting(ClockAlarm, Former?)
    case ringing(Ringing)
    case snoozed(ClockAlarm, until: ContinuousClock.Instant)
  }

  /// An alarm that rings or is snoozed, for a restart.
  package struct Pending: Sendable, Equatable {
    package var id: UInt32
    /// When it rings again, in seconds since 1970.
    package var due: Int64
    /// Nil while it is snoozed.
    package var former: Former?

    package init(id: UInt32, due: Int64, former: Former?) { (self.id, self.due, self.former) = (id, due, former) }
  }

  /// After this silence the tone sounds, and begins again if it is not heard.
  static let patience = Duration.seconds(30)
  /// The clock is compared with the alarms at least this often: it may be set, and the time zone may change.
  static let interval = Duration.seconds(60)
  /// Pause before the answer of systemd is read.
  static let answerInterval = Duration.seconds(1)

  package private(set) var list: AlarmList
  package private(set) var phase = Phase.quiet
  /// What rang or was snoozed at the last stop of the program, until the clock is set.
  package private(set) var pending: Pending?
  private var watch = ClockWatch()
  /// Whether the time is known; nil before the first step.
  package private(set) var isClockSet: Bool?
  private var snoozeDue: Int64?

  package init(list: AlarmList = AlarmList(), pending: Pending? = nil) {
    (self.list, self.pending) = (list, pending)
  }

  // MARK: Changes of the list

  private func settledTime(_ now: AlarmMoment) -> Int64? {
    now.trust.isSet(now.seconds, wasSet: watch.wasSet) ? now.seconds : nil
  }

  package mutating func add(_ alarm: ClockAlarm, now: AlarmMoment) throws(AlarmError) -> UInt32 {
    try list.add(alarm, now: settledTime(now))
  }

  package mutating func change(_ id: UInt32, to alarm: ClockAlarm, now: AlarmMoment) throws(AlarmError) {
    try list.change(id, to: alarm, now: settledTime(now))
    forgetSnooze(of: id)
  }

  package mutating func remove(_ id: UInt32) throws(AlarmError) {
    try list.remove(id)
    forgetSnooze(of: id)
  }

  private mutating func forgetSnooze(of id: UInt32) {
    if case .snoozed(let alarm, _) = phase, alarm.id == id { phase = .quiet }
    if pending?.id == id { pending = nil }
  }

  // MARK: Events

  package mutating func step(
    _ event: Event, _ facts: Facts, now: AlarmMoment, zone: some TimeZoneRules
  ) throws(AlarmError) -> [Action] {
    watch.note(now)
    var actions = checkClock(now)
    switch event {
    case .update: break
    case .ended(let isFailure): actions += ended(isFailure: isFailure, now)
    case .stopped: actions += leave(facts, stops: false)
    case .replaced: actions += replaced()
    case .snooze(let minutes): actions += try snooze(minutes, facts, now)
    case .dismiss: actions += try dismiss(facts)
    }
    actions += follow(facts, now)
    if isClockSet == true { actions += settle(facts, now, zone) }
    return actions
  }

  private mutating func checkClock(_ now: AlarmMoment) -> [Action] {
    let isSet = now.trust.isSet(now.seconds, wasSet: watch.wasSet)
    if !isSet, now.trust.isAsking { return [] }
    defer { isClockSet = isSet }
    return !isSet && isClockSet != false && wantsClock ? [.report(.waitsForClock)] : []
  }

  private var wantsClock: Bool { list.alarms.contains(where: \.isEnabled) || pending != nil }

  /// When the next step is due; nil if nothing happens by itself.
  package func wake(now: AlarmMoment, zone: some TimeZoneRules) -> Duration? {
    var times: [Duration] = []
    switch phase {
    case .quiet, .waiting: break
    case .ringing(let ringing):
      times.append(ringing.ends - now.time)
      if let silence = ringing.silentSince { times.append(silence + Self.patience - now.time) }
    case .snoozed(_, let until): times.append(until - now.time)
    }
    if wantsClock {
      times.append(now.trust.isAsking ? Self.answerInterval : Self.interval)
      if isClockSet == true, let next = list.next(now: now.seconds, zone) {
        times.append(.seconds(next.due) - now.wall)
      }
    }
    return times.min().map { max(.zero, $0) }
  }

  // MARK: Due alarms

  private mutating func settle(_ facts: Facts, _ now: AlarmMoment, _ zone: some TimeZoneRules) -> [Action] {
    var actions = resume(facts, now)
    let before = list
    let due = list.settle(now: now.seconds, zone)
    if list != before { actions.append(.save) }
    for missed in due.missed { actions.append(.report(.missed(missed))) }
    // Alarms of the same time ring together, with the sound of the first one.
    let latest = due.ringing.map(\.due).max()
    if let (alarm, _) = due.ringing.first(where: { $0.due == latest }) {
      actions += ring(alarm, former: nil, facts, now)
    }
    return actions
  }

  /// Continues what rang or was snoozed before a restart.
  private mutating func resume(_ facts: Facts, _ now: AlarmMoment) -> [Action] {
    guard let pending else { return [] }
    self.pending = nil
    guard let alarm = list[pending.id] else { return [.save] }
    if pending.due > now.seconds {
      // A snooze is at most an hour. A later time is that of a clock that was wrong.
      let rest = min(Int64(ClockAlarm.snoozes.upperBound) * 60, pending.due - now.seconds)
      phase = .snoozed(alarm, until: now.time + .seconds(rest))
      snoozeDue = now.seconds + rest
      return []
    }
    if now.seconds - pending.due <= AlarmList.tolerance { return ring(alarm, former: pending.former, facts, now) }
    list.miss(alarm, due: pending.due)
    let restore = pending.former.map { [Action.setVolume($0.volume, muted: $0.isMuted)] } ?? []
    return restore + [.report(.missed(MissedAlarm(id: alarm.id, name: alarm.name, due: pending.due))), .save]
  }

  private mutating func ring(_ alarm: ClockAlarm, former: Former?, _ facts: Facts, _ now: AlarmMoment) -> [Action] {
    var former = former
    if case .ringing(let ringing) = phase { former = ringing.former }
    guard !facts.isAnnouncing else {
      phase = .waiting(alarm, former)
      return [.save]
    }
    let volume = min(alarm.volume ?? max(former?.volume ?? facts.volume, ClockAlarm.quietest), facts.volumeLimit)
    phase = .ringing(
      Ringing(
        alarm: alarm,
        former: former
          ?? Former(volume: facts.volume, isMuted: facts.isMuted, isStandby: facts.isStandby),
        volume: volume, ends: now.time + .seconds(alarm.limit * 60), isTone: alarm.sound == .tone,
        silentSince: now.time))
    snoozeDue = nil
    return [
      .cancelSleepTimer, .ramp(.seconds(alarm.ramp)), .setVolume(volume, muted: false), .play(alarm.sound),
      .report(.rings(alarm)), .save,
    ]
  }

  // MARK: While it rings

  /// Follows the facts and the time.
  private mutating func follow(_ facts: Facts, _ now: AlarmMoment) -> [Action] {
    switch phase {
    case .quiet: return []
    case .waiting(let alarm, let former): return facts.isAnnouncing ? [] : ring(alarm, former: former, facts, now)
    case .snoozed(let alarm, let until):
      return until <= now.time ? ring(list[alarm.id] ?? alarm, former: nil, facts, now) : []
    case .ringing(var ringing):
      if ringing.ends <= now.time { return leave(facts, stops: true) }
      var actions: [Action] = []
      if ringing.isRamping, facts.volume != ringing.volume {
        ringing.isRamping = false
        actions.append(.endRamp)
      }
      if facts.isPlaying { ringing.silentSince = nil } else { ringing.silentSince = ringing.silentSince ?? now.time }
      let isSilent = ringing.silentSince.map { $0 + Self.patience <= now.time } ?? false
      phase = .ringing(ringing)
      return isSilent ? actions + tone(now) : actions
    }
  }

  private mutating func ended(isFailure: Bool, _ now: AlarmMoment) -> [Action] {
    // A tone that ends has failed: it begins again after a while.
    guard case .ringing(let ringing) = phase, !ringing.isTone else { return [] }
    // Music that was heard and is over begins again.
    guard isFailure || ringing.silentSince != nil else { return [.play(ringing.alarm.sound)] }
    return tone(now)
  }

  private mutating func tone(_ now: AlarmMoment) -> [Action] {
    guard case .ringing(var ringing) = phase else { return [] }
    let isFirst = !ringing.isTone
    (ringing.isTone, ringing.silentSince) = (true, now.time)
    phase = .ringing(ringing)
    return [.play(.tone)] + (isFirst ? [.report(.tone(ringing.alarm))] : [])
  }

  private mutating func snooze(_ minutes: Int?, _ facts: Facts, _ now: AlarmMoment) throws(AlarmError) -> [Action] {
    let alarm: ClockAlarm
    switch phase {
    case .ringing(let ringing): alarm = ringing.alarm
    case .snoozed(let snoozed, _), .waiting(let snoozed, _): alarm = snoozed
    case .quiet: throw .notRinging
    }
    let minutes = minutes ?? alarm.snooze
    var actions: [Action] = []
    if case .ringing = phase {
      actions = leave(facts, stops: true).filter { $0 != .save && $0 != .report(.ended(alarm)) }
    }
    phase = .snoozed(alarm, until: now.time + .seconds(minutes * 60))
    snoozeDue = now.seconds + Int64(minutes) * 60
    return actions + [.report(.snoozed(alarm, minutes: minutes)), .save]
  }

  private mutating func dismiss(_ facts: Facts) throws(AlarmError) -> [Action] {
    switch phase {
    case .ringing: return leave(facts, stops: true)
    case .waiting(let alarm, _), .snoozed(let alarm, _):
      phase = .quiet
      return [.report(.ended(alarm)), .save]
    case .quiet:
      guard !list.missed.isEmpty else { throw .notRinging }
      list.forgetMissed()
      return [.save]
    }
  }

  /// Ends the alarm and restores what it has changed.
  private mutating func leave(_ facts: Facts, stops: Bool) -> [Action] {
    guard case .ringing(let ringing) = phase else { return [] }
    phase = .quiet
    var actions: [Action] = stops ? [.stop] : []
    actions.append(.endRamp)
    let former = ringing.former
    // A volume that a person has set stays.
    if facts.volume == ringing.volume { actions.append(.setVolume(former.volume, muted: former.isMuted)) }
    if stops, former.isStandby { actions.append(.standby) }
    return actions + [.report(.ended(ringing.alarm)), .save]
  }

  private mutating func replaced() -> [Action] {
    guard case .ringing(let ringing) = phase else { return [] }
    phase = .quiet
    return [.report(.ended(ringing.alarm)), .save]
  }

  // MARK: Saving

  package init(_ saved: SavedAlarms) { self.init(list: saved.list, pending: saved.pending) }

  package func saved(now: AlarmMoment) -> SavedAlarms { SavedAlarms(list: list, pending: pending(now)) }

  /// When a snoozed alarm rings again, in seconds since 1970; nil without one.
  package var snoozeEnd: Int64? { if case .snoozed = phase { snoozeDue } else { nil } }

  private func pending(_ now: AlarmMoment) -> Pending? {
    switch phase {
    case .quiet: pending
    case .waiting(let alarm, let former): Pending(id: alarm.id, due: now.seconds, former: former)
    case .ringing(let ringing): Pending(id: ringing.alarm.id, due: now.seconds, former: ringing.former)
    case .snoozed(let alarm, _): snoozeDue.map { Pending(id: alarm.id, due: $0, former: nil) }
    }
  }
}

/// The alarms and what rings, for a restart.
package struct SavedAlarms: Sendable, Equatable {
  package var list: AlarmList
  package var pending: AlarmMachine.Pending?

  package init(list: AlarmList = AlarmList(), pending: AlarmMachine.Pending? = nil) {
    (self.list, self.pending) = (list, pending)
  }
}
