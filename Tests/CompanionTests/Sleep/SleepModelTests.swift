import PlaybackTestKit
import Testing

@testable import Companion

/// Random courses of logind, the machine's sleep and the speaker's work, with the rules that must hold all the time.
@Suite struct SleepModelTests {
  private enum Job: Equatable {
    case prepare
    case recover(isCancelled: Bool)
  }

  private struct World {
    var machine = SleepMachine()
    var isPresent = false
    var isAsleep = false
    /// Whether an inhibitor was requested and is neither granted nor refused.
    var isAsked = false
    var isHeld = false
    var hasRetry = false
    /// The running work and the work after it.
    var jobs: [Job] = []
    var lastJob: Job?
    var problems: [String] = []

    mutating func send(_ event: SleepMachine.Event) {
      for action in machine.handle(event) { perform(action, event) }
      if isHeld != machine.isHeld { problems.append("\(event): the inhibitor is \(isHeld ? "held" : "not held")") }
    }

    private mutating func perform(_ action: SleepMachine.Action, _ event: SleepMachine.Event) {
      switch action {
      case .takeInhibitor:
        if isAsked || isHeld || !isPresent { problems.append("\(event): a needless request") }
        isAsked = true
      case .releaseInhibitor:
        isHeld = false
      case .cancelRecovery: jobs = jobs.map { $0 == .prepare ? .prepare : .recover(isCancelled: true) }
      case .prepare:
        if jobs.contains(.recover(isCancelled: false)) { problems.append("the preparation waits for a recovery") }
        if lastJob == .prepare { problems.append("a second preparation without a recovery") }
        add(.prepare)
      case .recover:
        if lastJob != .prepare { problems.append("a recovery without a preparation") }
        add(.recover(isCancelled: false))
      case .retryLater: hasRetry = true
      }
    }

    private mutating func add(_ job: Job) {
      jobs.append(job)
      lastJob = job
    }

    /// The running work ends.
    mutating func finishJob() {
      guard !jobs.isEmpty else { return }
      let job = jobs.removeFirst()
      send(job == .prepare ? .prepared : .recovered)
    }

    mutating func answer(isGranted: Bool) {
      guard isAsked else { return }
      isAsked = false
      if isGranted { isHeld = true }
      send(isGranted ? .granted : .refused)
    }

    mutating func retry() {
      guard hasRetry else { return }
      hasRetry = false
      if machine.isPresent { send(.appeared) }
    }

    mutating func step(_ number: Int) {
      switch number {
      case 0 where !isPresent:
        isPresent = true
        send(.appeared)
      case 1 where isPresent:
        isPresent = false
        send(.vanished)
        // The call fails. No signal reports the end of sleep.
        answer(isGranted: false)
        isAsleep = false
      case 2, 3, 4:
        guard isPresent else { return }
        isAsleep.toggle()
        send(isAsleep ? .sleeps : .wakes)
      case 5, 6: finishJob()
      case 7: answer(isGranted: true)
      case 8: answer(isGranted: false)
      case 9: retry()
      default: break
      }
    }

    /// Everything that is under way ends.
    mutating func settle() {
      while !jobs.isEmpty || isAsked || hasRetry {
        while !jobs.isEmpty { finishJob() }
        retry()
        answer(isGranted: true)
      }
    }
  }

  @Test func theRulesHoldInEveryCourse() {
    for seed in 1...1000 as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      var world = World()
      for _ in 0..<60 { world.step(Int.random(in: 0...9, using: &random)) }
      world.settle()
      // Awake, the inhibitor is held whenever there is a logind. Asleep, it is not.
      if world.isHeld != (world.isPresent && !world.isAsleep) { world.problems.append("in the end") }
      if let last = world.lastJob, (last == .prepare) != world.isAsleep { world.problems.append("the last work") }
      guard world.problems.isEmpty else {
        Issue.record("seed \(seed): \(world.problems)")
        return
      }
    }
  }
}
