import Testing

@testable import Companion

@Suite struct SleepMachineTests {
  typealias Step = (SleepMachine.Event, [SleepMachine.Action])

  @Test(
    arguments: [
      // A night.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
        (.wakes, [.recover, .takeInhibitor]), (.granted, []), (.sleeps, [.prepare]),
      ],
      // The machine wakes before the preparation has ended: the inhibitor is still held.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.wakes, [.recover]), (.prepared, []),
        (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
      ],
      // Refused: tried again. The speaker prepares all the same.
      [
        (.appeared, [.takeInhibitor]), (.refused, [.retryLater]), (.sleeps, [.prepare]), (.prepared, []),
        (.wakes, [.recover, .takeInhibitor]),
      ],
      // Granted too late: released at once.
      [
        (.appeared, [.takeInhibitor]), (.sleeps, [.prepare]), (.prepared, []), (.granted, [.releaseInhibitor]),
        (.wakes, [.recover, .takeInhibitor]),
      ],
      // logind restarts.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.vanished, [.releaseInhibitor]), (.appeared, [.takeInhibitor]),
        (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
      ],
      // Granted by a logind that has ended meanwhile.
      [(.appeared, [.takeInhibitor]), (.vanished, []), (.granted, [.releaseInhibitor]), (.appeared, [.takeInhibitor])],
      // logind ends while the machine sleeps: nobody would report that it is awake.
      [
        (.appeared, [.takeInhibitor]), (.granted, []), (.sleeps, [.prepare]), (.prepared, [.releaseInhibitor]),
        (.vanished, [.recover]), (.appeared, [.takeInhibitor]),
      ],
      // Signals that repeat or come out of the blue.
      [(.wakes, []), (.prepared, []), (.sleeps, [.prepare]), (.sleeps, []), (.refused, [])],
    ] as [[Step]]) func events(_ steps: [Step])
  {
    var machine = SleepMachine()
    for (number, (event, actions)) in steps.enumerated() {
      let performed = machine.handle(event)
      #expect(performed == actions, "step \(number)")
    }
  }
}
