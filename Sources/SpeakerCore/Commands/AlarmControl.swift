import Playback
import PlaybackModel
import UPnP

/// Runs the alarms and the sleep timer: feeds their machines with facts and time, and performs what they decide. Lives on
/// the player's executor.
package final class AlarmControl {
  private let player: Player
  private let playlist: PlaylistSource
  private let sound: AlarmPlayback
  private let environment: AlarmEnvironment
  private var machine: AlarmMachine
  private var timer = SleepTimer()
  private var cancelWake: () -> Void = {}
  private var observers: [() -> Void] = []
  /// Events that arrived while another one was performed.
  private var waiting: [AlarmMachine.Event] = []
  private var isPerforming = false
  /// The state that observers know.
  private var shown = AlarmsState()
  /// Whether a command of a person is being performed.
  private var isFollowing = false
  /// Whether an announcement is heard or waits. `update` must be called when it changes.
  package var isAnnouncing: () -> Bool = { false }

  init(
    player: Player, playlist: PlaylistSource, radio: RadioSource, pins: PinBoard, pinInvoker: PinInvoker,
    _ environment: AlarmEnvironment
  ) {
    self.player = player
    self.playlist = playlist
    self.environment = environment
    sound = AlarmPlayback(player: player, radio: radio, pins: pins, pinInvoker: pinInvoker, tone: environment.tone)
    machine = AlarmMachine(environment.saved)
    sound.onFailure = { [weak self] in self?.handle(.ended(isFailure: true)) }
  }

  /// Calls the body after every change.
  package func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// Looks at the clock for the first time.
  package func start() { handle(.update) }

  /// Follows a change of the player or of an announcement.
  package func update(_ changes: PlayerChanges = []) {
    // The end of a command handles its changes.
    guard isBusy, !isFollowing else { return }
    let isFailure = player.immediately { $0.deck().failure != nil }
    handle(changes.contains(.finished) ? .ended(isFailure: isFailure) : .update)
  }

  // MARK: Commands

  /// Performs a command of a person, and then follows its effect.
  func following<Result>(
    _ command: SpeakerCommand, _ perform: () throws(CommandError) -> Result
  ) throws(CommandError) -> Result {
    guard isBusy else { return try perform() }
    let before = glimpse
    var isPerformed = false
    isFollowing = true
    defer {
      isFollowing = false
      let after = glimpse
      if after.isStandby { stepTimer(.cancel) }
      if after.trackID != before.trackID { stepTimer(.moved) }
      let event = PersonalAct.event(of: command, from: before, to: after)
      // Who pauses an alarm that cannot be heard wants it to end, although there is nothing to pause.
      handle(isPerformed || event == .stopped ? event ?? .update : .update)
    }
    let result = try perform()
    isPerformed = true
    return result
  }

  /// Whether an alarm rings or is snoozed, or the sleep timer runs. Otherwise only time matters.
  private var isBusy: Bool { machine.phase != .quiet || timer.end != nil }

  private var glimpse: PersonalAct.Glimpse {
    player.immediately {
      let deck = $0.deck()
      return .init(source: $0.source, trackID: deck.trackID, state: deck.state, isStandby: $0.isStandby)
    }
  }

  func sleep(_ end: SleepTimer.End?) throws(CommandError) {
    guard let end else { return stepTimer(.cancel) }
    do throws(AlarmError) {
      perform(try timer.start(end, timerFacts, now: .now))
    } catch {
      throw .alarm(error)
    }
    changed()
  }

  func perform(_ command: AlarmCommand) throws(CommandError) -> CommandResult {
    var result = CommandResult()
    do throws(AlarmError) {
      let now = environment.time.now()
      switch command {
      case .add(let alarm):
        try sound.check(alarm.sound)
        result.ids = [try machine.add(alarm, now: now)]
      case .change(let id, let alarm):
        if machine.list[id]?.sound != alarm.sound { try sound.check(alarm.sound) }
        try machine.change(id, to: alarm, now: now)
      case .enable(let id, let isOn):
        guard var alarm = machine.list[id] else { throw .unknown }
        alarm.isEnabled = isOn
        try machine.change(id, to: alarm, now: now)
      case .remove(let id): try machine.remove(id)
      case .snooze(let minutes): return try step(.snooze(minutes: minutes), result)
      case .dismiss: return try step(.dismiss, result)
      }
    } catch {
      throw .alarm(error)
    }
    save()
    changed()
    return result
  }

  private func step(_ event: AlarmMachine.Event, _ result: CommandResult) throws(AlarmError) -> CommandResult {
    perform(try machine.step(event, facts, now: environment.time.now(), zone: environment.time))
    changed()
    return result
  }

  // MARK: Steps

  private func handle(_ event: AlarmMachine.Event) {
    waiting.append(event)
    guard !isPerforming else { return }
    isPerforming = true
    while !waiting.isEmpty {
      let event = waiting.removeFirst()
      if case .ended = event { stepTimer(.ended) } else { stepTimer(.update) }
      // Only commands of persons can be refused.
      let actions = try? machine.step(event, facts, now: environment.time.now(), zone: environment.time)
      perform(actions ?? [])
    }
    isPerforming = false
    // The time zone changes without an event.
    if state == shown { schedule() } else { changed() }
  }

  private func stepTimer(_ event: SleepTimer.Event) {
    let before = (timer.end, timer.isFading)
    perform(timer.step(event, timerFacts, now: .now))
    if before != (timer.end, timer.isFading) { changed() }
  }

  private func changed() {
    shown = state
    if case .ringing(let ringing) = machine.phase, ringing.isTone {} else { sound.endTone() }
    schedule()
    for observer in observers { observer() }
  }

  private func schedule() {
    cancelWake()
    let wakes = [
      machine.wake(now: environment.time.now(), zone: environment.time), timer.wake(timerFacts, now: .now),
    ]
    guard let wake = wakes.compactMap(\.self).min() else {
      cancelWake = {}
      return
    }
    cancelWake = environment.schedule(wake) { [weak self] in self?.handle(.update) }
  }

  private func save() { environment.save(machine.saved(now: environment.time.now())) }

  // MARK: Actions

  private func perform(_ actions: [AlarmMachine.Action]) {
    for action in actions {
      switch action {
      case .setVolume(let volume, let isMuted):
        player.immediately { player in
          player.transaction { player in
            player.setVolume(volume)
            player.setMuted(isMuted)
          }
        }
      case .ramp(let duration):
        player.immediately { $0.start(Fade(from: duration == .zero ? 1 : 0, to: 1, over: duration)) }
      case .endRamp:
        player.immediately { $0.start(Fade(to: 1, over: $0.deck().state.isActive ? .seconds(1) : .zero)) }
      case .play(let wanted): sound.play(wanted)
      case .stop: player.immediately { $0.stop() }
      case .standby: player.immediately { $0.setStandby(true) }
      case .cancelSleepTimer: stepTimer(.cancel)
      case .save: save()
      case .report(let report): environment.report(report)
      }
    }
  }

  private func perform(_ actions: [SleepTimer.Action]) {
    for action in actions {
      player.immediately { player in
        switch action {
        case .fade(let duration): player.start(Fade(to: 0, over: duration))
        case .unfade(let duration): player.start(Fade(to: 1, over: duration))
        case .stop(let position):
          player.transaction { player in
            player.stop()
            if let position { try? player.seek(to: position) }
          }
        }
      }
    }
  }

  // MARK: Facts

  private var facts: AlarmMachine.Facts {
    var facts = AlarmMachine.Facts()
    player.immediately { player in
      (facts.volume, facts.volumeLimit, facts.isMuted) = (player.volume, player.volumeLimit, player.isMuted)
      (facts.isStandby, facts.isPlaying) = (player.isStandby, player.deck().state == .playing)
    }
    facts.isAnnouncing = isAnnouncing()
    return facts
  }

  private var timerFacts: SleepTimer.Facts {
    var facts = SleepTimer.Facts()
    let (deck, source) = player.immediately { player in
      (facts.volume, facts.isMuted) = (player.volume, player.isMuted)
      return (player.deck(), player.source)
    }
    (facts.state, facts.trackID) = (deck.state, deck.trackID)
    (facts.position, facts.duration) = (deck.position, deck.duration)
    (facts.isLive, facts.canSeek) = (deck.isLive, deck.abilities.seek)
    let hasNextTrack = deck.trackNumber < deck.trackCount
    facts.isLast = !hasNextTrack && (source == .playlist ? playlist.list.isAtEnd : deck.next == nil)
    return facts
  }
}

// MARK: - State

extension AlarmControl {
  package var sleepState: SleepState? {
    timer.end.map { SleepState(end: $0, rest: timer.rest(timerFacts, now: .now), isFading: timer.isFading) }
  }

  package var state: AlarmsState {
    let (time, now) = (environment.time, environment.time.now().wall.components.seconds)
    let isKnown = machine.isClockSet ?? false
    var state = AlarmsState()
    state.entries = machine.list.alarms.map { alarm in
      let next = alarm.isEnabled && isKnown ? time.text(of: machine.list.next(of: alarm, now: now, time)) : nil
      return .init(alarm: alarm, next: next)
    }
    if isKnown, let next = machine.list.next(now: now, time) {
      state.next = .init(id: next.id, name: machine.list[next.id]?.name ?? "", time: time.text(of: next.due))
    }
    switch machine.phase {
    case .quiet: break
    case .waiting(let alarm, _): state.ringing = .init(id: alarm.id, name: alarm.name, isWaiting: true)
    case .ringing(let ringing):
      state.ringing = .init(id: ringing.alarm.id, name: ringing.alarm.name, isTone: ringing.isTone)
    case .snoozed(let alarm, _):
      state.snoozed = .init(id: alarm.id, name: alarm.name, time: machine.snoozeEnd.map { time.text(of: $0) })
    }
    state.missed = machine.list.missed.map { .init(id: $0.id, name: $0.name, time: time.text(of: $0.due)) }
    (state.isClockSet, state.zone) = (isKnown, time.zoneName)
    state.nextID = machine.list.nextID
    return state
  }
}
