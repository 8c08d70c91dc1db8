import Testing

@testable import Companion

@Suite struct ScanScheduleTests {
  private static let start = ContinuousClock.now
  private static func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func windowsAreShortAndPausesLonger() {
    var schedule = ScanSchedule(at: Self.start)
    let rows: [(Double, ScanSchedule.Action)] = [
      (0, .start), (0, .wait(until: Self.time(4))), (3.9, .wait(until: Self.time(4))), (4, .stop),
      (4, .wait(until: Self.time(20))), (19.9, .wait(until: Self.time(20))), (20, .start), (24, .stop), (40, .start),
    ]
    for (seconds, action) in rows { #expect(schedule.step(at: Self.time(seconds)) == action, "at \(seconds)") }
  }

  @Test func aWindowEndsEarlyWhenAllHaveBeenSeen() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(schedule.step(at: Self.start) == .start)
    #expect(schedule.step(at: Self.time(1), isDone: true) == .stop)
    #expect(!schedule.isScanning)
    #expect(schedule.step(at: Self.time(1)) == .wait(until: Self.time(17)))
  }

  @Test func thePauseIsShortBeforeADecision() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(schedule.step(at: Self.start) == .start)
    #expect(schedule.step(at: Self.time(4), isUndecided: true) == .stop)
    #expect(schedule.step(at: Self.time(4), isUndecided: true) == .wait(until: Self.time(5)))
    #expect(schedule.step(at: Self.time(5), isUndecided: true) == .start)
  }

  @Test func attemptsThatFailFollowWithGrowingPauses() {
    var schedule = ScanSchedule(at: Self.start)
    var now = Self.start
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(schedule.step(at: now) == .start)
      schedule.failed(at: now)
      #expect(schedule.step(at: now) == .wait(until: now + .seconds(pause)))
      now += .seconds(pause)
    }
    // A successful window resets the pauses.
    #expect(schedule.step(at: now) == .start)
    #expect(schedule.step(at: now + ScanSchedule.window) == .stop)
    schedule.failed(at: now)
    #expect(schedule.step(at: now) == .wait(until: now + .seconds(1)))
  }
}
