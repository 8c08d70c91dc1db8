/// Decides which triggers a key fires. Pure: presses, releases and times in, triggers out.
///
/// A trigger fires as soon as the press cannot become another one:
///
/// | configured | click fires | double fires | hold fires |
/// |---|---|---|---|
/// | click | with the press | | |
/// | click, hold | with the release | | after `holdTime` |
/// | click, double | when `doubleTime` is over | with the second press | |
/// | click, double, hold | when `doubleTime` is over and the key is released | with the second press | after `holdTime` |
struct ButtonMachine: Equatable {
  typealias Instant = ContinuousClock.Instant

  /// A press that lasts this long is no click.
  static let holdTime = Duration.milliseconds(600)
  /// The longest time from the first press to the second one of a double click.
  static let doubleTime = Duration.milliseconds(400)
  /// Time from the press to the first repetition.
  static let repeatDelay = Duration.milliseconds(400)
  /// Slow enough to stop at the wanted volume. The devices' own repeat rates differ too much.
  static let repeatPeriod = Duration.milliseconds(150)

  private enum Stage: Equatable {
    /// Nothing is pending. The key may still be down.
    case decided
    /// Down since this time. The press can still become a click, a double click or a hold.
    case pressed(Instant)
    /// Released after a short press at that time; a second press makes it a double click.
    case released(pressed: Instant)
  }

  private let triggers: Set<ButtonTrigger>
  private var stage = Stage.decided
  private(set) var isDown = false
  private var nextRepeat: Instant?

  init(_ triggers: Set<ButtonTrigger>) { self.triggers = triggers }

  /// Whether nothing is pending, so that a new machine would do the same.
  var isIdle: Bool { !isDown && stage == .decided }

  /// When to call `advance(to:)`; nil if nothing is pending.
  var deadline: Instant? { [decision, nextRepeat].compactMap(\.self).min() }

  private var decision: Instant? {
    switch stage {
    case .decided: nil
    case .pressed(let time):
      if has(.hold) { time + Self.holdTime } else { has(.double) ? time + Self.doubleTime : nil }
    case .released(let time): time + Self.doubleTime
    }
  }

  mutating func press(at time: Instant) -> [ButtonTrigger] {
    var fired = advance(to: time)
    // A second press without a release in between is the device's own repetition.
    guard !isDown else { return fired }
    isDown = true
    if has(.repeat) { nextRepeat = time + Self.repeatDelay }
    fired += configured(.down)
    if case .released = stage {
      stage = .decided
      fired += configured(.double)
    } else if has(.double) || has(.hold) {
      stage = .pressed(time)
    } else {
      fired += configured(.click)
    }
    return fired
  }

  mutating func release(at time: Instant) -> [ButtonTrigger] {
    var fired = advance(to: time)
    guard isDown else { return fired }
    isDown = false
    nextRepeat = nil
    if case .pressed(let start) = stage {
      if has(.double), time < start + Self.doubleTime {
        stage = .released(pressed: start)
      } else {
        stage = .decided
        fired += configured(.click)
      }
    }
    return fired + configured(.up)
  }

  /// Fires the triggers whose time has come.
  mutating func advance(to time: Instant) -> [ButtonTrigger] {
    var fired: [ButtonTrigger] = []
    while let deadline, deadline <= time {
      if decision == deadline {
        if case .pressed = stage, has(.hold) { fired += configured(.hold) } else { fired += configured(.click) }
        stage = .decided
      } else {
        fired += configured(.repeat)
        nextRepeat = nextRepeat.map { $0 + Self.repeatPeriod }
      }
    }
    return fired
  }

  /// Forgets the key, because the device is gone. A key that was down fires `up`.
  mutating func reset() -> [ButtonTrigger] {
    defer { self = ButtonMachine(triggers) }
    return isDown ? configured(.up) : []
  }

  private func has(_ trigger: ButtonTrigger) -> Bool { triggers.contains(trigger) }

  private func configured(_ trigger: ButtonTrigger) -> [ButtonTrigger] { has(trigger) ? [trigger] : [] }
}
