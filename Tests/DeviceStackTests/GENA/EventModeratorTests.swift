import NIOCore
import Testing

@testable import DeviceStack

struct EventModeratorTests {
  private func at(_ milliseconds: Int64) -> NIODeadline {
    .uptimeNanoseconds(0) + .seconds(1) + .milliseconds(milliseconds)
  }

  @Test func tellsTheFirstAtOnceAndTheRestAtTheEndOfTheInterval() {
    var moderator = EventModerator(interval: .milliseconds(200))
    #expect(moderator.changed(now: at(0)) == .flushThisTurn)
    #expect(moderator.changed(now: at(0)) == .nothing)
    moderator.flushed(now: at(0))
    #expect(moderator.changed(now: at(50)) == .flush(at: at(200)))
    #expect(moderator.changed(now: at(150)) == .nothing)
    moderator.flushed(now: at(201))
    // Still busy: the next interval counts from what was sent last.
    #expect(moderator.changed(now: at(210)) == .flush(at: at(401)))
    moderator.flushed(now: at(401))
    // Quiet again.
    #expect(moderator.changed(now: at(601)) == .flushThisTurn)
  }

  @Test func unmoderatedIsToldInEachTurn() {
    var moderator = EventModerator(interval: .zero)
    for time: Int64 in [0, 0, 1] {
      #expect(moderator.changed(now: at(time)) == .flushThisTurn)
      moderator.flushed(now: at(time))
    }
  }
}
