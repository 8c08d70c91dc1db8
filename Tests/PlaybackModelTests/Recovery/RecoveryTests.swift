import Testing

@testable import PlaybackModel

@Suite struct RecoveryTests {
  static let start = Recovery.Instant.now

  static func instant(_ milliseconds: Int) -> Recovery.Instant { start + .milliseconds(milliseconds) }

  enum Event {
    case open(paused: Bool = false)
    case begin(awaitsFollowers: Bool = false)
    case stop
    case pause
    case resume
    case starve
    case filled
    case low
    case failed(Recovery.Role, PlaybackError)
    case decodedToEnd
    case continued
    case continuationReady
    case movedOn
    /// A seek while paused.
    case openAtResume
    case rangeRefused(Recovery.Role)
    /// The timers that are due.
    case time
  }

  /// Deviations from the default facts: a seekable source that is not complete and last delivered at 0 ms.
  enum Fact {
    case failure(PlaybackError)
    case complete
    case arrived(Int)
    case low
    case notSeekable
    case live
    case brokenOff
    case readingToPosition
    case notPrerolled
    case span(Int, Int)
    case continuation(Recovery.Continuation)
    case notPositioned
    case successorElsewhere
    case outputAway
  }

  /// An event at a time in milliseconds, the facts at that time, and the expected actions.
  struct Step {
    let time: Int
    let event: Event
    let facts: [Fact]
    let actions: [Recovery.Action]

    init(_ time: Int, _ event: Event, _ facts: [Fact] = [], _ actions: [Recovery.Action] = []) {
      (self.time, self.event, self.facts, self.actions) = (time, event, facts, actions)
    }
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var steps: [Step]
    var phase: Recovery.Phase
    /// When the next timer is due, in milliseconds.
    var deadline: Int?

    init(_ description: String, _ phase: Recovery.Phase, deadline: Int? = nil, _ steps: [Step]) {
      (testDescription, self.steps, self.phase, self.deadline) = (description, steps, phase, deadline)
    }
  }

  @Test(arguments: opening + dryness + breaks + outages + silences + pauses + readings) func decides(_ test: Case) {
    var machine = Recovery(settings: PlayerSettings())
    for (index, step) in test.steps.enumerated() {
      #expect(Self.perform(step, on: &machine) == step.actions, "step \(index)")
    }
    #expect(machine.phase == test.phase)
    #expect(machine.deadline == test.deadline.map(Self.instant))
  }

  private static func perform(_ step: Step, on machine: inout Recovery) -> [Recovery.Action] {
    let (now, facts) = (instant(step.time), facts(step.facts))
    switch step.event {
    case .open(let paused): machine.open(paused: paused, now: now)
    case .begin(let awaitsFollowers): _ = machine.begin(awaitsFollowers: awaitsFollowers, now: now)
    case .stop: machine.stop()
    case .pause: return machine.pause()
    case .resume: return machine.resume(facts, now: now)
    case .starve: return machine.starve(facts, now: now)
    case .filled: return machine.filled(facts)
    case .low: machine.low(facts)
    case .failed(let role, let error): return machine.failed(role, error, facts, now: now)
    case .decodedToEnd: return machine.decodedToEnd(facts, now: now)
    case .continued: return machine.continued(facts, now: now)
    case .openAtResume: machine.openAtResume()
    case .continuationReady: return machine.continuationReady()
    case .movedOn: return machine.movedOn()
    case .rangeRefused(let role): return machine.rangeRefused(role, facts, now: now) ?? [.fail(.failed("not read"))]
    case .time: return machine.due(at: now).flatMap { machine.fired($0, facts, now: now) }
    }
    return []
  }

  private static func facts(_ changes: [Fact]) -> Recovery.Facts {
    var fed = Recovery.Fed(lastArrival: start)
    var facts = Recovery.Facts(fed: nil)
    for change in changes {
      switch change {
      case .failure(let error): (fed.failure, facts.currentFailure) = (error, error)
      case .complete: fed.isComplete = true
      case .arrived(let time): fed.lastArrival = instant(time)
      case .low: fed.isLow = true
      case .notSeekable: fed.isSeekable = false
      case .live: fed.isLive = true
      case .brokenOff: fed.isBrokenOff = true
      case .readingToPosition: fed.isReadingToPosition = true
      case .notPrerolled: fed.isPrerolled = false
      case .span(let from, let to): (fed.start, fed.end) = (.milliseconds(from), .milliseconds(to))
      case .continuation(let continuation): facts.continuation = continuation
      case .notPositioned: facts.isCurrentPositioned = false
      case .successorElsewhere: facts.staysOnServer = false
      case .outputAway: facts.isOutputAway = true
      }
    }
    facts.fed = fed
    return facts
  }

  // MARK: Steps that several cases begin with

  static let playing = [Step(0, .open()), Step(10, .begin())]
  static let starved = playing + [Step(1_000, .starve, [], dry)]
  static let dry: [Recovery.Action] = [.holdOutput, .reportBuffering, .awaitFill(.seconds(2))]
  static let broken: [Fact] = [.failure(.truncated), .complete, .span(0, 1_500)]
  static let reopened: [Recovery.Action] = [.withholdFollowers, .discardContinuation, .openContinuation]
  static let awaited: [Recovery.Action] = [.withholdFollowers, .discardContinuation]
  static let breaksOff: [Recovery.Action] =
    [.expectContinuation(true), .withholdFollowers] + awaited + [.logReconnecting, .openContinuation]
  /// The stream breaks off at 20 ms, and the continuation is opened at once.
  static let reconnecting =
    playing + [Step(20, .failed(.current(isFed: true), .truncated), broken, breaksOff)]

  /// The first attempt failed, and the next one is made at 530 ms.
  static let waitingForRetry =
    reconnecting + [Step(30, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited)]

  // MARK: Opening

  static let opening = [
    Case(
      "a track that does not begin in time fails", .opening,
      [
        Step(0, .open()), Step(9_999, .time), Step(10_000, .time, [], [.fail(.timedOut)]),
      ]),
    Case(
      "with the reason that is known by then", .opening,
      [
        Step(0, .open()), Step(10_000, .time, [.failure(.unreachable)], [.fail(.unreachable)]),
      ]),
    Case(
      "while the output's server is away, it has time", .opening, deadline: 20_000,
      [
        Step(0, .open()), Step(10_000, .time, [.outputAway]),
      ]),
    Case(
      "and may lose its connection", .opening, deadline: 10_000,
      [
        Step(0, .open()), Step(9_000, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .outputAway]),
      ]),
    Case("a track that begins has no deadline", .running, playing + [Step(20_000, .time)]),
    Case(
      "a short track waits a little for its followers", .opening, deadline: 600,
      [
        Step(0, .open()), Step(200, .begin(awaitsFollowers: true)), Step(300, .begin(awaitsFollowers: true)),
      ]),
    Case(
      "and no longer", .running,
      [
        Step(0, .open()), Step(200, .begin(awaitsFollowers: true)), Step(600, .time),
        Step(600, .begin(awaitsFollowers: true)),
      ]),
    Case(
      "it begins when they are ready", .running,
      [
        Step(0, .open()), Step(200, .begin(awaitsFollowers: true)), Step(300, .begin()),
      ]),
    Case(
      "a failure ends the opening", .opening, deadline: 10_000,
      [
        Step(0, .open()),
        Step(5, .failed(.current(isFed: true), .notFound), [.failure(.notFound), .notPrerolled], [.fail(.notFound)]),
      ]),
    Case(
      "so does a lost connection before there is sound", .opening, deadline: 10_000,
      [
        Step(0, .open()),
        Step(
          5, .failed(.current(isFed: true), .refused), [.failure(.refused), .notPrerolled, .notPositioned],
          [.fail(.refused)]),
      ]),
    Case(
      "a stream that breaks off before there is sound is opened thrice more", .opening, deadline: 10_000,
      [
        Step(0, .open()),
        Step(
          5, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned],
          [.logReconnecting, .reopenCurrent]),
        Step(10, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned]),
        Step(509, .time), Step(510, .time, [.notPositioned], [.reopenCurrent]),
        Step(550, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned]),
        Step(1_550, .time, [.notPositioned], [.reopenCurrent]),
        Step(
          1_600, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned],
          [.fail(.truncated)]),
      ]),
    Case(
      "its end, decoded while it waits to be opened again, is not another break", .opening, deadline: 1_550,
      [
        Step(0, .open()),
        Step(
          5, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned],
          [.logReconnecting, .reopenCurrent]),
        Step(10, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned]),
        Step(11, .decodedToEnd, [.failure(.truncated), .complete, .notPrerolled, .notPositioned]),
        Step(510, .time, [.failure(.truncated), .complete, .notPositioned], [.reopenCurrent]),
        Step(550, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned]),
      ]),
    Case(
      "a refused range is read from the beginning, with new time", .opening, deadline: 17_000,
      [
        Step(0, .open()), Step(7_000, .rangeRefused(.current(isFed: true)), [], [.reopenCurrent]),
      ]),
    Case(
      "but not if it is heard already", .running,
      playing + [
        Step(20, .rangeRefused(.current(isFed: true)), [], [.fail(.failed("not read"))]),
        Step(20, .rangeRefused(.fed), [], [.fail(.failed("not read"))]),
      ]),
    Case("a stop cancels everything", .idle, reconnecting + [Step(30, .stop), Step(90_000, .time)]),
  ]

  // MARK: Running dry

  static let dryness = [
    Case(
      "a source that runs dry is waited for", .running, deadline: 5_000,
      starved + [
        Step(1_900, .filled, [], [.resumeOutput])
      ]),
    Case(
      "for as long as the settings say", .starved, deadline: 22_000,
      starved + [
        Step(5_000, .time, [.arrived(18_000)]), Step(20_999, .time),
        Step(21_000, .time, [.arrived(18_000)], [.fail(.stalled)]),
      ]),
    Case(
      "a live stream is waited for longer", .starved, deadline: 5_000,
      playing + [
        Step(1_000, .starve, [.live], dry)
      ]),
    Case(
      "until the server has been away for five minutes", .starved,
      playing + [
        Step(1_000, .starve, [.live], dry), Step(5_000, .time, [.failure(.truncated), .live]),
        Step(300_999, .time), Step(301_000, .time, [.live], [.fail(.stalled)]),
      ]),
    Case(
      "a source that failed for good fails the track", .running,
      playing + [
        Step(1_000, .starve, [.failure(.damaged)], [.fail(.damaged)])
      ]),
    Case(
      "nothing runs dry while it is paused", .running,
      playing + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]), Step(1_000, .starve),
      ]),
    // Regression: the output stayed held, because the amount was requested from the track before.
    Case(
      "a track that joins while the output is held is waited for", .running, deadline: 5_000,
      starved + [Step(1_100, .movedOn, [], [.awaitFill(.seconds(2))]), Step(1_200, .filled, [], [.resumeOutput])]),
    Case("a track that joins while the output runs is not", .running, playing + [Step(500, .movedOn)]),
    Case(
      "a broken source that is filled by its end does not go on", .starved, deadline: 5_000,
      starved + [
        Step(1_100, .filled, broken)
      ]),
    Case(
      "what is there is heard first when the continuation is ready", .running, deadline: 5_000,
      starved + [
        Step(1_100, .continuationReady, [], [.resumeOutput]), Step(1_200, .continuationReady),
      ]),
  ]

  // MARK: Streams that are read up to a position

  static let readings = [
    Case(
      "a stream that is read up to a position has all the time", .starved, deadline: 41_000,
      starved + [
        Step(5_000, .time, [.failure(.stalled)]),
        Step(21_000, .time, [.readingToPosition, .arrived(20_000)]),
      ]),
    Case(
      "and as much again from there", .starved, deadline: 61_000,
      starved + [
        Step(5_000, .time, [.failure(.stalled)]),
        Step(21_000, .time, [.readingToPosition, .arrived(20_000)]), Step(41_000, .time, [.arrived(40_000)]),
      ]),
    Case(
      "but not for ever", .starved,
      starved + [
        Step(5_000, .time, [.failure(.stalled)]),
        Step(21_000, .time, [.readingToPosition, .arrived(20_000)]), Step(41_000, .time, [.arrived(40_000)]),
        Step(61_000, .time, [.arrived(60_000)], [.fail(.stalled)]),
      ]),
    Case(
      "unless nothing comes", .starved,
      starved + [
        Step(5_000, .time, [.failure(.stalled)]),
        Step(21_000, .time, [.readingToPosition, .arrived(17_000)], [.fail(.stalled)]),
      ]),
  ]
}
