import Testing

@testable import PlaybackModel

@Suite struct ClockTrustTests {
  private static let now: Int64 = 1_795_676_400

  @Test(arguments: [
    // A board starts with the time of its last shutdown.
    (ClockTrust(isBoard: true), false, false), (ClockTrust(isBoard: true), true, true),
    (ClockTrust(isSynchronized: true, isBoard: true), false, true),
    // A board with a clock that is right, a clock that was never set, and one that shows local time.
    (ClockTrust(hardwareClock: now, isBoard: true), false, true),
    (ClockTrust(hardwareClock: 100, isBoard: true), false, false),
    (ClockTrust(hardwareClock: now + 14 * 3600, isBoard: true), false, true),
    // A machine without a time server, and one whose host sets the clock.
    (ClockTrust(hardwareClock: now), false, true), (ClockTrust(), false, true),
    (ClockTrust(hardwareClock: 100), false, false),
  ])
  func aPlausibleTime(trust: ClockTrust, wasSet: Bool, isSet: Bool) {
    #expect(trust.isSet(Self.now, wasSet: wasSet) == isSet)
  }

  @Test(arguments: [
    ClockTrust(), ClockTrust(isSynchronized: true), ClockTrust(hardwareClock: 1_000_000_000),
  ])
  func aTimeBeforeThisProgramIsWrong(trust: ClockTrust) {
    #expect(!trust.isSet(1_000_000_000, wasSet: true))
  }

  @Test(arguments: [(Duration.zero, false), (.seconds(1), false), (.seconds(3), true), (.seconds(-3), true)])
  func aStepIsNoticed(step: Duration, wasSet: Bool) {
    var watch = ClockWatch()
    let time = ContinuousClock.now
    watch.note(AlarmMoment(wall: .seconds(100), time: time))
    watch.note(AlarmMoment(wall: .seconds(160) + step, time: time + .seconds(60)))
    watch.note(AlarmMoment(wall: .seconds(220) + step, time: time + .seconds(120)))
    #expect(watch.wasSet == wasSet)
  }
}
