@testable import PlaybackModel

/// A speaker with alarms on simulated clocks. It obeys the machine, and writes down what that does.
struct AlarmTable {
  enum Step: Sendable {
    /// Adds an alarm: days, time, and changes.
    case add(String, String, @Sendable (inout ClockAlarm) -> Void)
    /// Lets time pass; the machine wakes when it asks for it.
    case pass(Duration)
    /// Sets the wall clock forward, or back if negative. The machine notices that only when it wakes.
    case jump(Duration)
    case zone(TestZone)
    case event(AlarmMachine.Event)
    case facts(@Sendable (inout AlarmMachine.Facts) -> Void)
    /// The clock has been set, by a time server.
    case synchronize
    /// The program ends and starts again after a time.
    case restart(Duration)

    static func add(_ days: String, _ time: String) -> Step { .add(days, time) { _ in } }
  }

  private(set) var machine = AlarmMachine()
  private(set) var log: [String] = []
  private var facts = AlarmMachine.Facts()
  private var zone: TestZone
  private var now: AlarmMoment
  private var saved = SavedAlarms()
  /// The music that plays cannot be heard.
  var isBroken = false

  init(_ start: String, _ zone: TestZone = .utc, trust: ClockTrust = ClockTrust(isSynchronized: true)) {
    self.zone = zone
    now = AlarmMoment(wall: .seconds(TestZone.utc(start)), time: .now, trust: trust)
    facts.volume = 40
  }

  mutating func run(_ steps: [Step]) {
    step(.update)
    for step in steps { run(step) }
  }

  private mutating func run(_ step: Step) {
    switch step {
    case .add(let days, let time, let change):
      guard let days = Weekdays(text: days), let time = TimeOfDay(time) else { return log.append("bad alarm") }
      var alarm = ClockAlarm(time: time, sound: .queue)
      (alarm.days, alarm.name) = (days, time.description)
      change(&alarm)
      do { _ = try machine.add(alarm, now: now) } catch { log.append("\(error)") }
      saved = machine.saved(now: now)
    case .pass(let time): pass(time)
    case .jump(let time): now.wall += time
    case .zone(let zone): self.zone = zone
    case .event(let event): self.step(event)
    case .facts(let change):
      change(&facts)
      self.step(.update)
    case .synchronize:
      now.trust.isSynchronized = true
      self.step(.update)
    case .restart(let time):
      now.wall += time
      now.time += time
      machine = AlarmMachine(saved)
      facts.isPlaying = false
      self.step(.update)
    }
  }

  private mutating func pass(_ time: Duration) {
    let end = now.time + time
    var wakes = 0
    while let wake = machine.wake(now: now, zone: zone), now.time + wake <= end {
      advance(by: wake)
      step(.update)
      wakes += 1
      // A machine that wakes without a pause is a defect.
      if wakes > 100_000 { return log.append("busy") }
    }
    advance(by: end - now.time)
  }

  private mutating func advance(by time: Duration) {
    now.wall += time
    now.time += time
  }

  private mutating func step(_ event: AlarmMachine.Event) {
    do {
      for action in try machine.step(event, facts, now: now, zone: zone) { perform(action) }
    } catch {
      log.append("\(error)")
    }
  }

  private mutating func perform(_ action: AlarmMachine.Action) {
    switch action {
    case .setVolume(let volume, let isMuted):
      (facts.volume, facts.isMuted) = (volume, isMuted)
      log.append("volume \(volume)\(isMuted ? " muted" : "")")
    case .ramp(let time): log.append("ramp \(time.components.seconds)")
    case .endRamp: log.append("full")
    case .play(let sound):
      facts.isStandby = false
      facts.isPlaying = !isBroken || sound == .tone
      log.append("play \(sound.word)")
    case .stop:
      facts.isPlaying = false
      log.append("stop")
    case .standby:
      facts.isStandby = true
      log.append("standby")
    case .cancelSleepTimer: break
    case .save: saved = machine.saved(now: now)
    case .report(let report): log.append(text(report))
    }
  }

  private func text(_ report: AlarmMachine.Report) -> String {
    switch report {
    case .rings(let alarm): "\(alarm.name) rings at \(zone.text(of: now.seconds).dropFirst(8).prefix(11))"
    case .tone(let alarm): "\(alarm.name) tone"
    case .snoozed(let alarm, let minutes): "\(alarm.name) snoozed \(minutes)"
    case .ended(let alarm): "\(alarm.name) ended"
    case .missed(let missed): "missed \(zone.text(of: missed.due).dropFirst(8).prefix(8))"
    case .waitsForClock: "waits for the clock"
    }
  }
}
