@testable import PlaybackModel

/// Cases of broken streams, absent servers and silent servers.
extension RecoveryTests {
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
      "the pauses between attempts grow, and sound resets them", .running, deadline: 13_701,
      reconnecting + [
        Step(100, .failed(.continuation, .truncated), broken + [.continuation(.prerolled)], awaited),
        Step(600, .time, broken, [.openContinuation]),
        Step(650, .failed(.continuation, .truncated), broken + [.continuation(.opening)], awaited),
        Step(1_649, .time), Step(1_650, .time, broken, [.openContinuation]),
        Step(1_700, .failed(.continuation, .truncated), broken + [.continuation(.opening)], awaited),
        Step(3_700, .time, broken, [.openContinuation]), Step(3_700, .continued, [.span(1_500, 1_600)]),
        Step(3_701, .failed(.current(isFed: true), .truncated), broken, breaksOff),
      ]),
    Case(
      "a continuation that does not deliver in time is opened anew", .running, deadline: 10_520,
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
          500, .decodedToEnd, [.brokenOff, .live, .complete],
          [.setFailure(.truncated), .expectContinuation(true)] + awaited + [.logReconnecting, .openContinuation])
      ]),
    Case("a file's end is its end", .running, playing + [Step(500, .decodedToEnd, [.complete])]),
    Case(
      "nothing is done a second time while the continuation comes", .running, deadline: 10_020,
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
  static let away =
    reconnecting + [
      Step(100, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
      Step(600, .time, broken, [.openContinuation]),
      Step(610, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
      Step(1_000, .starve, broken, dry), Step(1_610, .time, broken, [.openContinuation]), Step(5_000, .time, broken),
    ]

  static let outages = [
    Case(
      "a broken stream that cannot be continued ends there", .running,
      reconnecting + [
        Step(100, .failed(.continuation, .notFound), broken + [.continuation(.opening)], awaited),
        Step(600, .time, broken, [.openContinuation]), Step(1_000, .starve, broken, dry), Step(5_000, .time, broken),
        Step(10_600, .time, broken + [.continuation(.prerolled)], awaited),
        Step(11_600, .time, broken, [.openContinuation]),
        Step(11_650, .failed(.continuation, .notFound), broken + [.continuation(.opening)], awaited),
        Step(21_000, .time, broken, [.discardContinuation, .expectContinuation(false), .resumeOutput]),
      ]),
    Case(
      "a server that is away is waited for", .starved, deadline: 25_000,
      away + [
        Step(20_800, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
        Step(21_000, .time, broken, [.logOutage]), Step(22_800, .time, broken, [.openContinuation]),
        Step(23_000, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
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

  static let asksAgain: [Recovery.Action] = [.setFailure(.stalled), .expectContinuation(true), .disconnect]

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
        Step(15_510, .time, [.failure(.stalled), .complete], [.openContinuation]),
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
}
