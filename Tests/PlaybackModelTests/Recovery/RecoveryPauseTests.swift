@testable import PlaybackModel

/// Cases of pauses.
extension RecoveryTests {
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
      "an attempt that becomes due while paused is made at resume", .running, deadline: 19_000,
      waitingForRetry + [
        Step(500, .pause, [], [.holdOutput, .reportPaused]), Step(540, .time, broken), Step(8_000, .time, broken),
        Step(9_000, .resume, broken, [.resumeOutput, .openContinuation]),
      ]),
    Case(
      "a short pause changes nothing about the next attempt", .running, deadline: 10_530,
      waitingForRetry + [
        Step(100, .pause, [], [.holdOutput, .reportPaused]), Step(110, .resume, broken, [.resumeOutput]),
        Step(530, .time, broken, [.openContinuation]),
      ]),
    Case(
      "an attempt that fails while paused is repeated at resume", .running, deadline: 19_000,
      reconnecting + [
        Step(25, .pause, [], [.holdOutput, .reportPaused]),
        Step(30, .failed(.continuation, .refused), broken + [.continuation(.opening)], awaited),
        Step(8_000, .time, broken), Step(8_500, .resume, broken, [.resumeOutput] + awaited),
        Step(9_000, .time, broken, [.openContinuation]),
      ]),
    Case(
      "a track that broke off before its first sound is not reopened while paused", .opening, deadline: 19_000,
      [
        Step(0, .open()),
        Step(
          10, .failed(.current(isFed: true), .truncated), broken + [.notPositioned], [.logReconnecting, .reopenCurrent]
        ),
        Step(20, .failed(.current(isFed: true), .truncated), broken + [.notPositioned]), Step(30, .pause),
        Step(520, .time, broken + [.notPositioned]), Step(8_000, .time, broken + [.notPositioned]),
        Step(9_000, .resume, broken + [.notPositioned], [.reopenCurrent]),
      ]),
    Case(
      "nor after a seek", .opening, deadline: 19_000,
      waitingForRetry + [
        Step(100, .pause, [], [.holdOutput, .reportPaused]), Step(200, .openAtResume),
        Step(8_000, .time, broken + [.notPositioned]),
        Step(9_000, .resume, broken + [.notPositioned], [.reopenCurrent]),
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
}
