import Testing

@testable import PlaybackStore

@Suite struct WriteScheduleTests {
  private let start = ContinuousClock.now

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

  @Test func idleUntilFirstChange() {
    #expect(WriteSchedule().step(now: start) == .idle)
  }

  @Test func firstChangeIsWrittenAtOnceNextAfterASecond() {
    var schedule = WriteSchedule()
    schedule.changed()
    #expect(schedule.step(now: at(0)) == .write)
    schedule.began(now: at(0))
    #expect(schedule.step(now: at(0)) == .idle)
    schedule.changed()
    #expect(schedule.step(now: at(200)) == .wait(until: at(1000)))
    schedule.changed()
    #expect(schedule.step(now: at(999)) == .wait(until: at(1000)))
    #expect(schedule.step(now: at(1000)) == .write)
    schedule.began(now: at(1000))
    #expect(schedule.step(now: at(1000)) == .idle)
  }

  @Test func changeDuringWriteGoesToNextWrite() {
    var schedule = WriteSchedule()
    schedule.changed()
    schedule.began(now: at(0))
    schedule.changed()
    #expect(schedule.step(now: at(500)) == .wait(until: at(1000)))
  }

  @Test func failureIsRetriedLater() {
    var schedule = WriteSchedule()
    schedule.changed()
    schedule.began(now: at(0))
    schedule.failed(now: at(100))
    schedule.changed()
    #expect(schedule.step(now: at(5000)) == .wait(until: at(5100)))
    #expect(schedule.step(now: at(5100)) == .write)
    schedule.began(now: at(5100))
    #expect(schedule.step(now: at(5100)) == .idle)
  }

  @Test(arguments: [false, true])
  func endWritesAtOnceAndOnce(fails: Bool) {
    var schedule = WriteSchedule()
    schedule.changed()
    schedule.began(now: at(0))
    schedule.changed()
    schedule.end()
    #expect(schedule.step(now: at(100)) == .write)
    schedule.began(now: at(100))
    if fails { schedule.failed(now: at(200)) }
    #expect(schedule.step(now: at(200)) == .end)
  }
}
