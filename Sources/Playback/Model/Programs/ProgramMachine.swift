/// Decides when the program of a source runs, and how it takes turns with the other sources. Pure.
///
/// A program that becomes audible starts its source. When another source starts, the program is told to pause, and its sound is
/// ignored until it has been silent. So is the sound of a program that was just started again: one that keeps ending must not
/// interrupt others. A program that ends is started again after growing pauses; after five ends within ten
/// minutes it has failed, until somebody plays the source.
package struct ProgramMachine: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Event: Sendable, Equatable {
    /// The speaker starts.
    case begin
    /// The player plays the source.
    case opened
    /// The player has stopped the source, or plays another one.
    case closed
    case soundBegan, soundEnded
    /// Sound has begun while another source plays.
    case soundInterrupts
    /// The program has ended. The reason is a sentence without a subject.
    case exited(String)
    /// The time of `deadline` has come.
    case due
    /// The speaker ends.
    case end
  }

  package enum Action: Sendable, Equatable {
    case launch
    case terminate
    /// Play the source.
    case play
    /// Stop the source.
    case stop
    case control(ProgramControl)
    /// Report that it has ended, and when it starts again; nil for a program that has failed.
    case report(String, again: Duration?)
  }

  package enum Phase: Sendable, Equatable {
    case off
    case running
    case pausing(until: Instant)
    case failed
  }

  /// Ends within this time are counted.
  package static let window = Duration.seconds(600)
  package static let mostEnds = 5
  /// How long a program that was started again may not interrupt others.
  private static let start = Duration.seconds(10)
  private static let pauses: [Duration] = [.seconds(1), .seconds(3), .seconds(10), .seconds(30)]

  private let isOnDemand: Bool
  package private(set) var phase = Phase.off
  package private(set) var lastProblem: String?
  private var ends: [Instant] = []
  private var isOpen = false
  private var hasSound = false
  /// Whether the present sound is that from before another source started.
  private var isIgnored = false
  /// When the program was started again after an end; nil once it has been played or silent since.
  private var restart: Instant?
  private var hasEnded = false

  package init(isOnDemand: Bool) { self.isOnDemand = isOnDemand }

  package var deadline: Instant? { if case .pausing(let time) = phase { time } else { nil } }
  /// Ends within the last ten minutes.
  package var recentEnds: Int { ends.count }

  package mutating func handle(_ event: Event, now: Instant) -> [Action] {
    switch event {
    case .begin: return isOnDemand ? [] : launch(at: now)
    case .opened: return open(at: now)
    case .closed: return close()
    case .soundBegan:
      hasSound = true
      return takeOver
    case .soundInterrupts:
      (hasSound, isIgnored) = (true, isIgnored || !isOpen && isStarting(at: now))
      return takeOver
    case .soundEnded: return endSound()
    case .exited(let reason): return exit(reason, now: now)
    case .due:
      guard let deadline, deadline <= now else { return [] }
      return launch(at: now)
    case .end:
      hasEnded = true
      defer { phase = .off }
      return phase == .running ? [.terminate] : []
    }
  }

  private mutating func launch(at now: Instant) -> [Action] {
    guard !hasEnded, phase != .running else { return [] }
    phase = .running
    restart = ends.isEmpty ? nil : now
    return [.launch]
  }

  private mutating func open(at now: Instant) -> [Action] {
    let isPaused = isIgnored || !hasSound
    (isOpen, isIgnored, restart) = (true, false, nil)
    if phase == .running { return isPaused && !isOnDemand ? [.control(.play)] : [] }
    ends = []
    return launch(at: now)
  }

  private mutating func close() -> [Action] {
    guard isOpen else { return [] }
    isOpen = false
    if isOnDemand {
      hasSound = false
      defer { phase = .off }
      return phase == .running ? [.terminate] : []
    }
    guard hasSound else { return [] }
    isIgnored = true
    return [.control(.pause)]
  }

  private func isStarting(at now: Instant) -> Bool { restart.map { now - $0 < Self.start } ?? false }

  /// The sound becomes the current source, unless it is already or its turn is over.
  private var takeOver: [Action] { isOpen || isIgnored ? [] : [.play] }

  private mutating func endSound() -> [Action] {
    guard hasSound else { return [] }
    (hasSound, isIgnored, restart) = (false, false, nil)
    return isOpen && !isOnDemand ? [.stop] : []
  }

  private mutating func exit(_ reason: String, now: Instant) -> [Action] {
    // It was told to end, or has ended already.
    guard phase == .running, !hasEnded else { return [] }
    lastProblem = reason
    ends.removeAll { now - $0 >= Self.window }
    ends.append(now)
    let stop = endSound()
    guard ends.count < Self.mostEnds else {
      phase = .failed
      return stop + [.report(reason, again: nil)] + (stop.isEmpty && isOpen ? [.stop] : [])
    }
    let pause = Self.pauses[min(ends.count, Self.pauses.count) - 1]
    phase = .pausing(until: now + pause)
    return stop + [.report(reason, again: pause)]
  }
}
