import Testing

@testable import PlaybackModel

@Suite struct ProgramMachineTests {
  typealias Event = ProgramMachine.Event
  typealias Action = ProgramMachine.Action

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isOnDemand = false
    /// Events with the second at which they happen.
    let events: [(Double, Event)]
    let actions: [[Action]]
  }

  private static let crash = Event.exited("ended with status 1")

  private static func report(_ seconds: Int?) -> Action {
    .report("ended with status 1", again: seconds.map { .seconds($0) })
  }

  static let rows = [
    Row(
      testDescription: "sound starts the source, silence stops it",
      events: [(0, .begin), (1, .soundBegan), (1, .opened), (9, .soundEnded), (9, .closed), (20, .soundBegan)],
      actions: [[.launch], [.play], [], [.stop], [], [.play]]),
    Row(
      testDescription: "another source pauses the program, whose present sound is ignored",
      events: [
        (0, .begin), (1, .soundBegan), (1, .opened), (5, .closed), (6, .soundBegan), (7, .soundEnded), (8, .soundBegan),
      ],
      actions: [[.launch], [.play], [], [.control(.pause)], [], [], [.play]]),
    Row(
      testDescription: "playing a silent program tells it to play",
      events: [(0, .begin), (1, .opened), (2, .soundBegan), (3, .closed)],
      actions: [[.launch], [.control(.play)], [], [.control(.pause)]]),
    Row(
      testDescription: "sound that is ignored is heard when somebody plays the source",
      events: [(0, .begin), (1, .soundBegan), (1, .opened), (2, .closed), (3, .opened), (4, .closed)],
      actions: [[.launch], [.play], [], [.control(.pause)], [.control(.play)], [.control(.pause)]]),
    Row(
      testDescription: "a line input runs only while it plays", isOnDemand: true,
      events: [
        (0, .begin), (1, .opened), (2, .soundBegan), (3, .soundEnded), (4, .closed), (5, .exited("")), (6, .opened),
      ],
      actions: [[], [.launch], [], [], [.terminate], [], [.launch]]),
    Row(
      testDescription: "ends are followed by growing pauses, and the fifth within ten minutes is the last",
      events: [
        (0, .begin), (0, crash), (1, .due), (2, crash), (4, .due), (5, .due), (6, crash), (16, .due), (17, crash),
        (47, .due),
        (50, crash), (500, .due),
      ],
      actions: [
        [.launch], [report(1)], [.launch], [report(3)], [], [.launch], [report(10)], [.launch], [report(30)], [.launch],
        [report(nil)], [],
      ]),
    Row(
      testDescription: "a program that was started again interrupts no other source with its first sound",
      events: [
        (0, .begin), (1, .soundBegan), (1, .opened), (2, crash), (2, .closed), (3, .due), (4, .soundInterrupts),
        (5, .soundEnded), (6, .soundInterrupts),
      ],
      actions: [[.launch], [.play], [], [.stop, report(1)], [], [.launch], [], [], [.play]]),
    Row(
      testDescription: "a program that was started again some time ago interrupts others",
      events: [(0, .begin), (2, crash), (3, .due), (14, .soundInterrupts)],
      actions: [[.launch], [report(1)], [.launch], [.play]]),
    Row(
      testDescription: "a program that was started again goes on if nothing else plays",
      events: [(0, .begin), (1, .soundBegan), (1, .opened), (2, crash), (2, .closed), (3, .due), (4, .soundBegan)],
      actions: [[.launch], [.play], [], [.stop, report(1)], [], [.launch], [.play]]),
    Row(
      testDescription: "old ends do not count",
      events: [
        (0, .begin), (0, crash), (1, .due), (400, crash), (403, .due), (800, crash), (803, .due), (1200, crash),
      ],
      actions: [
        [.launch], [report(1)], [.launch], [report(3)], [.launch], [report(3)], [.launch], [report(3)],
      ]),
    Row(
      testDescription: "playing a failed source tries again",
      events: [
        (0, .begin), (0, crash), (1, .due), (1, crash), (4, .due), (4, crash), (14, .due), (14, crash), (44, .due),
        (44, crash), (50, .opened), (50, crash),
      ],
      actions: [
        [.launch], [report(1)], [.launch], [report(3)], [.launch], [report(10)], [.launch], [report(30)], [.launch],
        [report(nil)], [.launch], [report(1)],
      ]),
    Row(
      testDescription: "a program that ends while it is heard stops the source",
      events: [(0, .begin), (1, .soundBegan), (1, .opened), (2, crash)],
      actions: [[.launch], [.play], [], [.stop, report(1)]]),
    Row(
      testDescription: "the end of the speaker ends the program for good",
      events: [(0, .begin), (1, .end), (2, crash), (3, .opened)], actions: [[.launch], [.terminate], [], []]),
  ]

  @Test(arguments: rows) func table(row: Row) {
    var machine = ProgramMachine(isOnDemand: row.isOnDemand)
    let begin = ContinuousClock.now
    let actions = row.events.map { machine.handle($1, now: begin + .milliseconds(Int($0 * 1000))) }
    #expect(actions == row.actions)
  }
}
