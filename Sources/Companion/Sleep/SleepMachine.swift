/// Holds the machine's sleep up until the speaker is prepared, by a delay inhibitor of logind.
///
/// A pure state machine: events in, actions out.
struct SleepMachine: Equatable {
  enum Event: Equatable {
    /// logind is there, perhaps another one than before.
    case appeared
    case vanished
    /// An inhibitor was granted or refused.
    case granted
    case refused
    /// logind's signal: the machine is about to sleep.
    case sleeps
    /// The speaker has saved its state and said goodbye.
    case prepared
    /// logind's signal: the machine is awake again.
    case wakes
  }

  enum Action: Equatable {
    case takeInhibitor
    case releaseInhibitor
    case prepare
    case recover
    case retryLater
  }

  /// Whether logind is there, as far as is known.
  private(set) var isPresent = false
  /// Whether logind waits for the speaker.
  private(set) var isHeld = false

  private enum Phase { case awake, preparing, asleep }
  private var phase = Phase.awake
  private var isAsking = false

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .appeared:
      isPresent = true
      return phase == .asleep ? [] : take()
    case .vanished:
      (isPresent, isAsking) = (false, false)
      defer { isHeld = false }
      // Its signal of waking up will not arrive: recovering twice does no harm, and staying silent does.
      return (isHeld ? [.releaseInhibitor] : []) + wake()
    case .granted:
      isAsking = false
      isHeld = true
      // It was asked for before the machine went to sleep: too late.
      if phase == .asleep || !isPresent { return release() }
      return []
    case .refused:
      isAsking = false
      return isPresent && phase != .asleep ? [.retryLater] : []
    case .sleeps:
      guard phase == .awake else { return [] }
      phase = .preparing
      return [.prepare]
    case .prepared:
      guard phase == .preparing else { return [] }
      phase = .asleep
      return release()
    case .wakes: return wake() + take()
    }
  }

  private mutating func wake() -> [Action] {
    guard phase != .awake else { return [] }
    phase = .awake
    return [.recover]
  }

  private mutating func take() -> [Action] {
    guard isPresent, !isHeld, !isAsking else { return [] }
    isAsking = true
    return [.takeInhibitor]
  }

  private mutating func release() -> [Action] {
    guard isHeld else { return [] }
    isHeld = false
    return [.releaseInhibitor]
  }
}

extension SleepReport {
  /// - Parameters:
  ///   - busProblem: why there is no connection to the bus.
  ///   - refusal: why logind has refused the last inhibitor.
  init(_ machine: SleepMachine, isOnBus: Bool, busProblem: String?, refusal: String?) {
    isReady = machine.isHeld
    problem =
      switch (isOnBus, machine.isPresent) {
      case (false, _): busProblem
      case (true, false): "There is no logind on the system bus."
      case (true, true): machine.isHeld ? nil : refusal
      }
  }
}
