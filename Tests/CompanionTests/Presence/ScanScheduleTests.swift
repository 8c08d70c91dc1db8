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
    for (seconds, action) in rows { #expect(Self.step(&schedule, at: seconds) == action, "at \(seconds)") }
  }

  /// Performs a step. BlueZ confirms a start at once.
  private static func step(
    _ schedule: inout ScanSchedule, at seconds: Double, isUndecided: Bool = false, isDone: Bool = false
  ) -> ScanSchedule.Action {
    let action = schedule.step(at: time(seconds), isUndecided: isUndecided, isDone: isDone)
    if action == .start { schedule.began(at: time(seconds)) }
    return action
  }

  /// A scan that BlueZ has not begun has no end, so it cannot miss anybody, and nothing overtakes its start.
  @Test func aWindowBeginsWhenBluezHasStartedTheScan() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(schedule.step(at: Self.start) == .start)
    #expect(schedule.isActive && !schedule.isScanning)
    for seconds in [0, 4, 9.9] { #expect(schedule.step(at: Self.time(seconds), isDone: true) == .awaitStart) }
    schedule.began(at: Self.time(10))
    #expect(schedule.isActive && schedule.isScanning)
    #expect(schedule.step(at: Self.time(10)) == .wait(until: Self.time(14)))
    #expect(schedule.step(at: Self.time(14)) == .stop)
    #expect(!schedule.isActive)
    // Late replies change nothing.
    schedule.began(at: Self.time(15))
    schedule.failed(at: Self.time(15))
    #expect(schedule.step(at: Self.time(15)) == .wait(until: Self.time(30)))
  }

  @Test func nothingIsScannedWhileNoScanIsNeeded() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(schedule.step(at: Self.start, isNeeded: false) == .rest)
    #expect(Self.step(&schedule, at: 1) == .start)
    #expect(schedule.step(at: Self.time(2), isNeeded: false, isDone: true) == .stop)
    #expect(schedule.step(at: Self.time(100), isNeeded: false) == .rest)
    #expect(schedule.step(at: Self.time(101)) == .start)
  }

  @Test func aWindowEndsEarlyWhenAllHaveBeenSeen() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(Self.step(&schedule, at: 0) == .start)
    #expect(schedule.step(at: Self.time(1), isDone: true) == .stop)
    #expect(!schedule.isScanning)
    #expect(schedule.step(at: Self.time(1)) == .wait(until: Self.time(17)))
  }

  @Test func thePauseIsShortBeforeADecision() {
    var schedule = ScanSchedule(at: Self.start)
    #expect(Self.step(&schedule, at: 0) == .start)
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
    schedule.began(at: now)
    now += ScanSchedule.window
    #expect(schedule.step(at: now) == .stop)
    now += ScanSchedule.pause
    #expect(schedule.step(at: now) == .start)
    schedule.failed(at: now)
    #expect(schedule.step(at: now) == .wait(until: now + .seconds(1)))
  }
}
