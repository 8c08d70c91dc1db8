import Testing

@testable import PlaybackModel

@Suite struct RecoveryTests {
  private static let start = Recovery.Instant.now

  private static func instant(_ milliseconds: Int) -> Recovery.Instant { start + .milliseconds(milliseconds) }

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
    case rangeRefused(Recovery.Role)
    /// The timers that are due.
    case time
  }

  /// Facts in short: each changes those of a seekable source of which more is coming, and that delivered last at 0 ms.
  enum Fact {
    case failure(PlaybackError)
    case complete
    case arrived(Int)
    case low
    case notSeekable
    case live
    case station
    case readingToPosition
    case notPrerolled
    case underDiagnosis
    case span(Int, Int)
    case continuation(Recovery.Continuation)
    case notPositioned
    case successorElsewhere
  }

  /// An event at a time in milliseconds, the facts by then, and the actions that follow.
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
    case .continuationReady: return machine.continuationReady()
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
      case .station: fed.isStation = true
      case .readingToPosition: fed.isReadingToPosition = true
      case .notPrerolled: fed.isPrerolled = false
      case .underDiagnosis: fed.isUnderDiagnosis = true
      case .span(let from, let to): (fed.start, fed.end) = (.milliseconds(from), .milliseconds(to))
      case .continuation(let continuation): facts.continuation = continuation
      case .notPositioned: facts.isCurrentPositioned = false
      case .successorElsewhere: facts.staysOnServer = false
      }
    }
    facts.fed = fed
    return facts
  }

  // MARK: Steps that several cases begin with

  private static let playing = [Step(0, .open()), Step(10, .begin())]
  private static let starved = playing + [Step(1_000, .starve, [], dry)]
  private static let dry: [Recovery.Action] = [.holdOutput, .reportBuffering, .awaitFill(.seconds(2))]
  private static let broken: [Fact] = [.failure(.truncated), .complete, .span(0, 1_500)]
  private static let reopened: [Recovery.Action] = [.withholdFollowers, .discardContinuation, .openContinuation]
  private static let awaited: [Recovery.Action] = [.withholdFollowers, .discardContinuation]
  private static let breaksOff: [Recovery.Action] =
    [.expectContinuation(true), .withholdFollowers] + awaited + [.logReconnecting, .openContinuation]
  /// Broken off at 20 ms, when the continuation is opened.
  private static let reconnecting =
    playing + [Step(20, .failed(.current(isFed: true), .truncated), broken, breaksOff)]

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
        Step(0, .open()), Step(10_000, .time, [.failure(.unreachable), .underDiagnosis], [.fail(.unreachable)]),
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
        Step(259, .time), Step(260, .time, [.notPositioned], [.reopenCurrent]),
        Step(300, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned]),
        Step(800, .time, [.notPositioned], [.reopenCurrent]),
        Step(
          900, .failed(.current(isFed: true), .truncated), [.failure(.truncated), .notPrerolled, .notPositioned],
          [.fail(.truncated)]),
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

  // MARK: Broken streams

  static let breaks = [
    Case("a stream that breaks off is continued at once", .running, deadline: 10_020, reconnecting),
    Case(
      "after what has arrived is decoded", .running, deadline: 10_500,
      playing + [
        Step(
          20, .failed(.current(isFed: true), .truncated), [.failure(.truncated)],
          [.expectContinuation(true), .withholdFollowers]),
        Step(500, .decodedToEnd, broken, awaited + [.logReconnecting, .openContinuation]),
      ]),
    Case(
      "also one that is fed and not heard yet", .running, deadline: 10_020,
      playing + [
        Step(20, .failed(.fed, .truncated), broken, breaksOff)
      ]),
    Case(
      "a track that is heard while another is fed needs nothing more", .running,
      playing + [
        Step(20, .failed(.current(isFed: false), .truncated), [.failure(.truncated)])
      ]),
    Case(
      "damage is heard when its turn comes", .running,
      playing + [
        Step(20, .failed(.current(isFed: true), .damaged), [.failure(.damaged), .complete], [.withholdFollowers])
      ]),
    Case(
      "the pauses between attempts grow, and sound resets them", .running, deadline: 12_001,
      reconnecting + [
        Step(100, .failed(.continuation, .truncated), broken + [.continuation(.prerolled)], awaited),
        Step(350, .time, broken, [.openContinuation]),
        Step(400, .failed(.continuation, .truncated), broken + [.continuation(.opening)], awaited),
        Step(899, .time), Step(900, .time, broken, [.openContinuation]),
        Step(1_000, .failed(.continuation, .truncated), broken + [.continuation(.opening)], awaited),
        Step(2_000, .time, broken, [.openContinuation]), Step(2_000, .continued, [.span(1_500, 1_600)]),
        Step(2_001, .failed(.current(isFed: true), .truncated), broken, breaksOff),
      ]),
    Case(
      "a continuation that does not deliver in time is opened anew", .running, deadline: 10_270,
      reconnecting + [
        Step(10_019, .time, broken + [.continuation(.opening)]),
        Step(10_020, .time, broken + [.continuation(.opening)], awaited),
      ]),
    Case(
      "one that is ready has had its time, too", .running,
      reconnecting + [
        Step(10_020, .time, broken + [.continuation(.ready)])
      ]),
    Case(
      "a continuation that breaks off is heard as far as it goes", .running, deadline: 10_020,
      reconnecting + [
        Step(100, .failed(.continuation, .truncated), broken + [.continuation(.ready)])
      ]),
    Case(
      "and then continued itself", .running, deadline: 10_900,
      reconnecting + [
        Step(100, .failed(.continuation, .truncated), broken + [.continuation(.ready)]),
        Step(
          900, .continued, [.failure(.truncated), .complete, .span(1_500, 3_000)],
          [.expectContinuation(true)] + awaited + [.logReconnecting, .openContinuation]),
      ]),
    Case(
      "or when it is decoded", .running,
      reconnecting + [
        Step(100, .failed(.continuation, .truncated), broken + [.continuation(.ready)]),
        Step(900, .continued, [.failure(.truncated), .span(1_500, 3_000)], [.expectContinuation(true)]),
      ]),
    Case(
      "the continuation ends the wait of a starved source", .running, deadline: 5_000,
      starved + [
        Step(1_100, .failed(.current(isFed: true), .truncated), broken, breaksOff),
        Step(1_200, .continued, [.span(1_500, 1_600)], [.resumeOutput]),
      ]),
    Case(
      "a stream that ends twice at the same place has ended", .running,
      reconnecting + [
        Step(100, .continued, [.failure(.truncated), .span(1_500, 1_500)], [.expectContinuation(true)]),
        Step(
          200, .decodedToEnd, [.failure(.truncated), .complete, .span(1_500, 1_500)],
          awaited + [.setFailure(nil), .expectContinuation(false), .openFollowers]),
      ]),
    Case(
      "while it is waited for, its end is heard", .running, deadline: 5_000,
      starved + [
        Step(
          1_200, .decodedToEnd, [.failure(.truncated), .complete, .span(1_500, 1_500)],
          awaited + [.setFailure(nil), .expectContinuation(false), .resumeOutput, .openFollowers])
      ]),
    Case(
      "a station's end means a lost connection", .running, deadline: 10_500,
      playing + [
        Step(
          500, .decodedToEnd, [.station, .live, .complete],
          [.setFailure(.truncated), .expectContinuation(true)] + awaited + [.logReconnecting, .openContinuation])
      ]),
    Case("a file's end is its end", .running, playing + [Step(500, .decodedToEnd, [.complete])]),
    Case(
      "nothing is done while the reason is looked for", .running,
      playing + [
        Step(500, .decodedToEnd, [.failure(.unreachable), .underDiagnosis, .complete])
      ]),
    Case(
      "nor a second time while the continuation comes", .running, deadline: 10_020,
      reconnecting + [
        Step(500, .decodedToEnd, broken + [.continuation(.opening)])
      ]),
    Case(
      "a continuation without ranges is read from the beginning", .running, deadline: 10_030,
      reconnecting + [
        Step(
          30, .rangeRefused(.continuation), broken + [.continuation(.opening)],
          [.discardContinuation, .openContinuation])
      ]),
  ]

  // MARK: Outages

  /// The server refuses connections after 20 ms, and the source runs dry at 1 s.
  private static let away =
    reconnecting + [
      Step(100, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
      Step(350, .time, broken, [.openContinuation]),
      Step(360, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
      Step(860, .time, broken, [.openContinuation]), Step(1_000, .starve, broken, dry), Step(5_000, .time, broken),
    ]

  static let outages = [
    Case(
      "a broken stream that cannot be continued ends there", .running,
      reconnecting + [
        Step(100, .failed(.continuation, .notFound), broken + [.continuation(.opening)], awaited),
        Step(350, .time, broken, [.openContinuation]), Step(1_000, .starve, broken, dry), Step(5_000, .time, broken),
        Step(10_350, .time, broken + [.continuation(.prerolled)], awaited),
        Step(10_850, .time, broken, [.openContinuation]),
        Step(10_900, .failed(.continuation, .notFound), broken + [.continuation(.opening)], awaited),
        Step(21_000, .time, broken, [.discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
    Case(
      "a server that is away is waited for", .starved, deadline: 24_000,
      away + [
        Step(20_800, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
        Step(21_000, .time, broken, [.logOutage]), Step(21_800, .time, broken, [.openContinuation]),
        Step(22_000, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
      ]),
    Case(
      "and heard when it comes back", .running,
      away + [
        Step(21_000, .time, broken, [.logOutage, .openContinuation]),
        Step(21_100, .continued, [.span(1_500, 1_600)], [.resumeOutput]),
      ]),
    Case(
      "after five minutes the track fails with the reason", .running,
      away + [
        Step(21_000, .time, broken, [.logOutage, .openContinuation]),
        Step(300_000, .time, broken + [.continuation(.opening)], awaited), Step(300_999, .time, broken),
        Step(
          301_000, .time, broken,
          [.setFailure(.timedOut), .discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
    Case(
      "a follower on another server is not kept waiting", .running,
      away + [
        Step(10_800, .failed(.continuation, .unknownHost), broken + [.continuation(.opening)], awaited),
        Step(
          21_000, .time, broken + [.successorElsewhere, .continuation(.opening)],
          [.setFailure(.unknownHost), .discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
    Case(
      "a server that answers is not away", .running,
      away + [
        Step(10_800, .failed(.continuation, .serverError(503)), broken + [.continuation(.opening)], awaited),
        Step(
          21_000, .time, broken + [.continuation(.opening)],
          [.discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
  ]

  // MARK: Silence

  private static let asksAgain: [Recovery.Action] = [.setFailure(.stalled), .expectContinuation(true), .disconnect]

  static let silences = [
    Case(
      "a silent server is asked again while there is something to hear", .running,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(5_899, .time, [.arrived(1_900), .low]),
        Step(5_900, .time, [.arrived(1_900), .low], asksAgain),
      ]),
    Case(
      "its silence is counted from what it sent last", .running,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(5_900, .time, [.arrived(2_500), .low]),
        Step(6_499, .time, [.arrived(2_500), .low]), Step(6_500, .time, [.arrived(2_500), .low], asksAgain),
      ]),
    Case(
      "its stream is continued once the sound is decoded", .running, deadline: 15_950,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(5_900, .time, [.arrived(1_900), .low], asksAgain),
        Step(
          5_950, .decodedToEnd, [.failure(.stalled), .complete],
          awaited + [.logReconnecting, .openContinuation]),
      ]),
    Case(
      "a server that sends enough is left alone", .running,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(5_900, .time, [.arrived(1_900)]),
      ]),
    Case(
      "one whose stream cannot be continued is asked when the output is held", .starved, deadline: 28_000,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(5_900, .time, [.arrived(1_900), .low, .notSeekable]),
        Step(8_000, .starve, [.arrived(1_900), .low, .notSeekable], dry),
        Step(9_900, .time, [.arrived(1_900), .low, .notSeekable], asksAgain),
      ]),
    Case(
      "a source that runs dry is watched from then on", .starved, deadline: 21_000,
      starved + [
        Step(4_999, .time), Step(5_000, .time, [.arrived(900)], asksAgain),
      ]),
    Case(
      "a server that stays silent is given up", .running,
      starved + [
        Step(5_000, .time, [.arrived(900)], asksAgain),
        Step(5_010, .decodedToEnd, [.failure(.stalled), .complete], awaited + [.logReconnecting, .openContinuation]),
        Step(15_010, .time, [.failure(.stalled), .complete, .continuation(.prerolled)], awaited),
        Step(15_260, .time, [.failure(.stalled), .complete], [.openContinuation]),
        Step(
          21_000, .time, [.failure(.stalled), .complete, .continuation(.prerolled)],
          [.discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
    Case(
      "while paused nobody is asked", .running, deadline: 9_900,
      playing + [
        Step(2_000, .low, [.arrived(1_900), .low]), Step(3_000, .pause, [], [.holdOutput, .reportPaused]),
        Step(5_900, .time, [.arrived(1_900), .low]),
      ]),
  ]

  // MARK: Pauses

  static let pauses = [
    Case(
      "the output is held and resumed", .running,
      playing + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]), Step(600, .pause), Step(700, .resume, [], [.resumeOutput]),
        Step(800, .resume),
      ]),
    Case(
      "before there is sound nothing is held", .opening, deadline: 10_000,
      [
        Step(0, .open()), Step(500, .pause), Step(700, .resume),
      ]),
    Case(
      "a track may begin paused", .running,
      [
        Step(0, .open(paused: true)), Step(10, .begin()), Step(700, .resume, [], [.resumeOutput]),
      ]),
    Case("nothing is paused that does not play", .idle, [Step(0, .pause), Step(1, .resume)]),
    Case(
      "a stream that breaks off is not continued while paused", .running,
      playing + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]),
        Step(
          600, .failed(.current(isFed: true), .truncated), broken,
          [.expectContinuation(true), .withholdFollowers] + awaited),
      ]),
    Case(
      "but afterwards", .running, deadline: 10_700,
      playing + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]),
        Step(
          600, .failed(.current(isFed: true), .truncated), broken,
          [.expectContinuation(true), .withholdFollowers] + awaited),
        Step(700, .resume, broken, [.resumeOutput] + awaited + [.logReconnecting, .openContinuation]),
      ]),
    Case(
      "a continuation that is coming is kept", .running, deadline: 10_020,
      reconnecting + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]),
        Step(700, .resume, broken + [.continuation(.opening)], [.resumeOutput]),
      ]),
    Case(
      "a source that ran dry is not given up while paused", .starved,
      starved + [
        Step(2_000, .pause), Step(5_000, .time, [.failure(.stalled)]), Step(90_000, .time),
      ]),
    Case(
      "and has its whole time afterwards", .starved, deadline: 110_000,
      starved + [
        Step(2_000, .pause), Step(5_000, .time, [.failure(.stalled)]), Step(90_000, .resume),
      ]),
    Case(
      "a source that is filled while paused stays paused", .running, deadline: 5_000,
      starved + [
        Step(2_000, .pause), Step(3_000, .filled, [], [.reportPaused]),
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
