import Testing

@testable import PlaybackModel

@Suite struct DeviceMachineTests {
  private static let start = DeviceMachine.Instant.now
  private static let missing = OutputError("There is no audio device.", playbackError: .deviceMissing)
  private static let forbidden = OutputError("It may not be used.", playbackError: .deviceForbidden)

  private static let away = PlaybackError.outputUnreachable("music:4953: Connection refused")
  private static let awaits = OutputError(
    "The server of the output cannot be reached: music:4953: Connection refused. Playback waits for it.",
    playbackError: away)

  enum Event {
    case start
    case cancel
    case release(after: Int)
    case close
    case found
    case notFound(OutputError)
    case opened(Bool)
    case failed(PlaybackError)
    case deadline
  }

  /// An event at a time in milliseconds, the demand for the device at that time, and the expected actions.
  struct Step {
    let time: Int
    let demand: DeviceMachine.Demand
    let event: Event
    let actions: [DeviceMachine.Action]

    init(
      _ time: Int, _ demand: DeviceMachine.Demand, _ event: Event, _ actions: [DeviceMachine.Action] = []
    ) {
      (self.time, self.demand, self.event, self.actions) = (time, demand, event, actions)
    }
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var canSearch = true
    var missing: PlaybackError?
    let steps: [Step]
    /// When the machine wants to be called next, in milliseconds.
    var deadline: Int?
  }

  private static let openFirst: [Step] = [
    Step(0, .starting, .start, [.open(isProbed: false)]), Step(0, .starting, .opened(true)),
  ]

  private static let busyUntilItFails: [Step] =
    [Step(0, .starting, .start, [.open(isProbed: false)]), Step(0, .starting, .failed(.deviceBusy), [.close])]
    + (1...4).flatMap { attempt in
      [
        Step(attempt * 300, .starting, .deadline, [.open(isProbed: false)]),
        Step(attempt * 300, .starting, .failed(.deviceBusy), [.close]),
      ]
    } + [Step(1_500, .starting, .deadline, [.open(isProbed: false)])]

  static let servers: [Case] = [
    Case(
      testDescription: "a server that is away is tried every second, and reported once", canSearch: false,
      steps: [
        Step(0, .starting, .start, [.open(isProbed: false)]),
        Step(0, .starting, .failed(away), [.close, .log(awaits), .reportMissing]), Step(999, .starting, .deadline),
        Step(1_000, .starting, .deadline, [.open(isProbed: false)]), Step(4_000, .starting, .failed(away), [.close]),
        Step(5_000, .starting, .deadline, [.open(isProbed: false)]),
        Step(5_001, .starting, .opened(true), [.reportReturn]), Step(5_002, .starting, .opened(true)),
      ]),
    Case(
      testDescription: "a server that breaks every connection is not contacted more often",
      steps: openFirst + [
        Step(5, .playing, .failed(away), [.log(awaits), .reportMissing, .interrupt]), Step(5, .none, .close, [.close]),
        Step(5, .starting, .start), Step(1_005, .starting, .deadline, [.open(isProbed: false)]),
        Step(1_006, .starting, .opened(true), [.reportReturn]),
        Step(1_007, .playing, .failed(away), [.log(awaits), .reportMissing, .interrupt]),
        Step(1_007, .none, .close, [.close]), Step(1_008, .starting, .start),
      ], deadline: 2_007),
    Case(
      testDescription: "a stop ends the wait for a server",
      steps: [
        Step(0, .starting, .start, [.open(isProbed: false)]),
        Step(0, .starting, .failed(away), [.close, .log(awaits), .reportMissing]), Step(500, .none, .cancel),
        Step(1_000, .none, .deadline), Step(1_500, .starting, .start, [.open(isProbed: false)]),
        Step(1_501, .starting, .failed(away), [.close]),
      ], deadline: 2_501),
  ]

  static let cases: [Case] = [
    Case(
      testDescription: "an open device is not probed again",
      steps: openFirst + [
        Step(1, .starting, .start, [.open(isProbed: true)])
      ]),
    Case(
      testDescription: "the device is closed some time after a stop",
      steps: openFirst + [
        Step(10, .none, .release(after: 500)), Step(509, .none, .deadline), Step(510, .none, .deadline, [.close]),
        Step(600, .starting, .start, [.open(isProbed: false)]),
      ]),
    Case(
      testDescription: "a track that starts in time keeps the device open",
      steps: openFirst + [
        Step(10, .none, .release(after: 500)), Step(20, .starting, .start, [.open(isProbed: true)]),
      ]),
    Case(
      testDescription: "a fixed device that fails is not searched", canSearch: false,
      steps: openFirst + [
        Step(5, .playing, .failed(.deviceMissing), [.close, .fail(.deviceMissing)])
      ]),
    Case(
      testDescription: "a fixed output that cannot be built fails each track", canSearch: false,
      missing: .deviceFailed("x"),
      steps: [
        Step(0, .starting, .start, [.close, .fail(.deviceFailed("x"))]),
        Step(9, .starting, .start, [.close, .fail(.deviceFailed("x"))]),
      ]),
    Case(
      testDescription: "without a demand a failure means nothing",
      steps: openFirst + [
        Step(5, .none, .failed(.deviceMissing))
      ]),
    Case(
      testDescription: "a busy device is tried five times more, then the track fails", canSearch: false,
      steps: busyUntilItFails + [Step(1_500, .starting, .failed(.deviceBusy), [.close, .fail(.deviceBusy)])]),
    Case(
      testDescription: "the patience is the same for the next track", canSearch: false,
      steps: busyUntilItFails + [
        Step(1_500, .starting, .failed(.deviceBusy), [.close, .fail(.deviceBusy)]),
        Step(2_000, .starting, .start, [.open(isProbed: false)]),
        Step(2_000, .starting, .failed(.deviceBusy), [.close]),
      ], deadline: 2_300),
    Case(
      testDescription: "a device that becomes busy while playing fails at once",
      steps: openFirst + [
        Step(5, .playing, .failed(.deviceBusy), [.close, .fail(.deviceBusy)])
      ]),
    Case(
      testDescription: "a start elsewhere cancels the attempts",
      steps: [
        Step(0, .starting, .start, [.open(isProbed: false)]), Step(0, .starting, .failed(.deviceBusy), [.close]),
        Step(1, .none, .cancel), Step(300, .none, .deadline),
      ]),
    Case(
      testDescription: "a device lost while playing is searched once, then every five seconds",
      steps: openFirst + [
        Step(5, .playing, .failed(.deviceFailed("x")), [.close, .detach, .search]),
        Step(5, .playing, .notFound(missing), [.log(missing), .reportMissing, .fail(.deviceFailed("x"))]),
        Step(5_005, .none, .deadline, [.search]), Step(5_005, .none, .notFound(missing), [.reportMissing]),
        Step(10_005, .none, .deadline, [.search]), Step(10_005, .none, .found),
      ]),
    Case(
      testDescription: "a device lost while playing and found again still fails the track",
      steps: openFirst + [
        Step(5, .playing, .failed(.deviceFailed("x")), [.close, .detach, .search]),
        Step(5, .playing, .found, [.fail(.deviceFailed("x"))]),
      ]),
    Case(
      testDescription: "a device that failed to open is opened under another name, once",
      steps: [
        Step(0, .starting, .start, [.open(isProbed: false)]),
        Step(0, .starting, .failed(.deviceMissing), [.close, .detach, .search]), Step(0, .starting, .found),
        Step(0, .starting, .deadline, [.open(isProbed: false)]),
        Step(1, .starting, .failed(.deviceMissing), [.close, .detach, .search]),
        Step(1, .starting, .found, [.fail(.deviceMissing)]),
      ]),
    Case(
      testDescription: "a busy device that stays busy is opened at once once more",
      steps: busyUntilItFails + [
        Step(1_500, .starting, .failed(.deviceBusy), [.close]),
        Step(1_500, .starting, .deadline, [.open(isProbed: false)]),
        Step(1_501, .starting, .failed(.deviceBusy), [.close, .fail(.deviceBusy)]),
      ]),
    Case(
      testDescription: "a reason given later counts as a failure to open", canSearch: false,
      steps: [
        Step(0, .starting, .start, [.open(isProbed: false)]), Step(0, .starting, .opened(false)),
        Step(1, .starting, .failed(.deviceForbidden), [.close, .fail(.deviceForbidden)]),
      ]),
    Case(
      testDescription: "a missing device is searched by each track", missing: .deviceMissing,
      steps: [
        Step(0, .starting, .start, [.search]),
        Step(0, .starting, .notFound(missing), [.log(missing), .reportMissing, .close, .fail(.deviceMissing)]),
        Step(70, .starting, .start, [.search]), Step(70, .starting, .found, [.open(isProbed: false)]),
      ]),
    Case(
      testDescription: "a failure to find one is logged when it changes", missing: .deviceMissing,
      steps: [
        Step(0, .starting, .start, [.search]),
        Step(0, .starting, .notFound(missing), [.log(missing), .reportMissing, .close, .fail(.deviceMissing)]),
        Step(5_000, .none, .deadline, [.search]), Step(5_000, .none, .notFound(missing), [.reportMissing]),
        Step(10_000, .none, .deadline, [.search]),
        Step(10_000, .none, .notFound(forbidden), [.log(forbidden), .reportMissing]),
      ], deadline: 15_000),
    Case(
      testDescription: "a device that is found is not searched any more", missing: .deviceMissing,
      steps: [
        Step(0, .starting, .start, [.search]),
        Step(0, .starting, .notFound(missing), [.log(missing), .reportMissing, .close, .fail(.deviceMissing)]),
        Step(5_000, .none, .deadline, [.search]), Step(5_000, .none, .found), Step(20_000, .none, .deadline),
      ]),
    Case(
      testDescription: "a stop closes the device at once if that is asked",
      steps: openFirst + [
        Step(10, .none, .release(after: 500)), Step(11, .none, .close, [.close]), Step(600, .none, .deadline),
      ]),
  ]

  @Test(arguments: cases + servers) func decides(_ test: Case) {
    var machine = DeviceMachine(canSearch: test.canSearch, missing: test.missing)
    for (index, step) in test.steps.enumerated() {
      let now = Self.start + .milliseconds(step.time)
      #expect(Self.perform(step, on: &machine, now: now) == step.actions, "step \(index)")
    }
    #expect(test.deadline == nil || machine.deadline == Self.start + .milliseconds(test.deadline ?? 0))
  }

  private static func perform(
    _ step: Step, on machine: inout DeviceMachine, now: DeviceMachine.Instant
  ) -> [DeviceMachine.Action] {
    let demand = step.demand
    switch step.event {
    case .start: return machine.start(now: now)
    case .cancel: machine.cancel()
    case .release(let delay): machine.scheduleRelease(at: now + .milliseconds(delay))
    case .close: return machine.close()
    case .found: return machine.found(demand: demand, now: now)
    case .notFound(let error): return machine.notFound(error, demand: demand, now: now)
    case .opened(let isOpen): return machine.opened(isOpen)
    case .failed(let error): return machine.failed(error, demand: demand, now: now)
    case .deadline: return machine.handleDeadline(demand: demand, now: now)
    }
    return []
  }
}
