import Testing

@testable import Companion

@Suite struct SleepMachineTests {
  typealias Step = (SleepMachine.Event, [SleepMachine.Action])

  @Test(
    arguments: [
      // The usual course.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
        (.wakes, [.recover, .takeInhibitor]), (.granted, []), (.recovered, []), (.sleeps, [.prepare]),
      ],
      // The machine sleeps again before the recovery has ended.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
        (.wakes, [.recover, .takeInhibitor]), (.granted, []), (.sleeps, [.cancelRecovery, .prepare]), (.recovered, []),
        (.prepared, [.releaseInhibitor]), (.wakes, [.recover, .takeInhibitor]), (.recovered, []), (.granted, []),
        (.sleeps, [.prepare]),
      ],
      // The recovery that was cancelled ends after the next one has begun.
      [
        (.sleeps, [.prepare]), (.wakes, [.recover]), (.sleeps, [.cancelRecovery, .prepare]), (.wakes, [.recover]),
        (.recovered, []), (.sleeps, [.cancelRecovery, .prepare]), (.recovered, []), (.wakes, [.recover]),
        (.recovered, []), (.sleeps, [.prepare]),
      ],
      // The machine wakes before the preparation has ended: the inhibitor is still held.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.wakes, [.recover]), (.prepared, []),
        (.recovered, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
      ],
      // A refused inhibitor is requested again. The speaker prepares for sleep without it.
      [
        (.appeared, [.takeInhibitor]), (.refused, [.retryLater]), (.sleeps, [.prepare]), (.prepared, []),
        (.wakes, [.recover, .takeInhibitor]),
      ],
      // An inhibitor that is granted after the preparation is released at once.
      [
        (.appeared, [.takeInhibitor]), (.sleeps, [.prepare]), (.prepared, []), (.granted, [.releaseInhibitor]),
        (.wakes, [.recover, .takeInhibitor]),
      ],
      // logind restarts.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.vanished, [.releaseInhibitor]), (.appeared, [.takeInhibitor]),
        (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
      ],
      // An inhibitor that was granted by an ended logind is released.
      [(.appeared, [.takeInhibitor]), (.vanished, []), (.granted, [.releaseInhibitor]), (.appeared, [.takeInhibitor])],
      // If logind ends while the machine sleeps, no signal reports the end of sleep.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
        (.vanished, [.recover]), (.appeared, [.takeInhibitor]),
      ],
      // Repeated and unexpected signals have no effect.
      [(.wakes, []), (.prepared, []), (.sleeps, [.prepare]), (.sleeps, []), (.refused, [])],
    ] as [[Step]]) func events(_ steps: [Step])
  {
    var machine = SleepMachine()
    for (number, (event, actions)) in steps.enumerated() {
      let performed = machine.handle(event)
      #expect(performed == actions, "step \(number)")
    }
  }

  private static let noLogind = SleepReport(problem: "logind is not running.")

  @Test(
    arguments: [
      ([], noLogind), ([.appeared], SleepReport(problem: nil)), ([.appeared, .granted], SleepReport(isReady: true)),
      ([.appeared, .granted, .sleeps], SleepReport(isReady: true)), ([.appeared, .granted, .vanished], noLogind),
      ([.appeared, .granted, .vanished, .appeared], SleepReport(isReady: false)),
    ] as [([SleepMachine.Event], SleepReport)]) func reports(_ events: [SleepMachine.Event], _ report: SleepReport)
  {
    var machine = SleepMachine()
    for event in events { _ = machine.handle(event) }
    #expect(SleepReport(machine, isOnBus: true, busProblem: nil, refusal: nil) == report)
    let lost = SleepReport(SleepMachine(), isOnBus: false, busProblem: "No bus.", refusal: nil)
    #expect(lost == SleepReport(problem: "No bus."))
  }

  @Test func aRefusalIsReportedUntilTheInhibitorIsGranted() {
    var machine = SleepMachine()
    _ = machine.handle(.appeared)
    _ = machine.handle(.refused)
    #expect(SleepReport(machine, isOnBus: true, busProblem: nil, refusal: "No.") == SleepReport(problem: "No."))
    _ = machine.handle(.granted)
    #expect(SleepReport(machine, isOnBus: true, busProblem: nil, refusal: "No.") == SleepReport(isReady: true))
  }
}
