/// Delays the machine's sleep until the speaker is prepared, with a delay inhibitor of logind.
///
/// A pure state machine: events in, actions out.
struct SleepMachine: Equatable {
  enum Event: Equatable {
    /// logind is on the bus, perhaps after a restart.
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
    /// A recovery has ended or was cancelled.
    case recovered
  }

  enum Action: Equatable {
    case takeInhibitor
    case releaseInhibitor
    case prepare
    /// Recover after the preparations before it have ended.
    case recover
    /// Cancel the recoveries: they may wait a minute for a network, but logind waits only seconds for a preparation.
    case cancelRecovery
    case retryLater
  }

  /// Whether logind is known to be on the bus.
  private(set) var isPresent = false
  /// Whether the speaker holds an inhibitor.
  private(set) var isHeld = false

  private enum Phase { case awake, preparing, asleep }
  private var phase = Phase.awake
  private var isAsking = false
  /// Number of recoveries that have not ended.
  private var recoveries = 0

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .appeared:
      isPresent = true
      return phase == .asleep ? [] : take()
    case .vanished:
      (isPresent, isAsking) = (false, false)
      defer { isHeld = false }
      // The wake-up signal will not arrive, so recover now. A second recovery does no harm.
      return (isHeld ? [.releaseInhibitor] : []) + wake()
    case .granted:
      isAsking = false
      isHeld = true
      // Requested before the machine went to sleep, but granted too late.
      if phase == .asleep || !isPresent { return release() }
      return []
    case .refused:
      isAsking = false
      return isPresent && phase != .asleep ? [.retryLater] : []
    case .sleeps:
      guard phase == .awake else { return [] }
      phase = .preparing
      return (recoveries > 0 ? [.cancelRecovery] : []) + [.prepare]
    case .prepared:
      guard phase == .preparing else { return [] }
      phase = .asleep
      return release()
    case .wakes: return wake() + take()
    case .recovered:
      recoveries = max(0, recoveries - 1)
      return []
    }
  }

  private mutating func wake() -> [Action] {
    guard phase != .awake else { return [] }
    phase = .awake
    recoveries += 1
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
      case (true, false): "logind is not running."
      case (true, true): machine.isHeld ? nil : refusal
      }
  }
}
