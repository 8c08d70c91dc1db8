import NIOCore
import Testing

@testable import DeviceStack

struct EventModeratorTests {
  private func at(_ milliseconds: Int64) -> NIODeadline {
    .uptimeNanoseconds(0) + .seconds(1) + .milliseconds(milliseconds)
  }

  private func moderator(_ moderation: Moderation) -> EventModerator {
    EventModerator(moderation, of: [.init("A"), .init("B"), .init("C")])
  }

  @Test func sendsTheFirstChangeAtOnceAndTheOthersAfterTheInterval() {
    var moderator = moderator(Moderation(.milliseconds(200)))
    #expect(moderator.changed(0, now: at(0)) == .flushThisTurn)
    #expect(moderator.changed(1, now: at(0)) == .nothing)
    #expect(moderator.flush(now: at(0)) == .all(3))
    #expect(moderator.changed(0, now: at(50)) == .flush(at: at(200)))
    #expect(moderator.changed(2, now: at(150)) == .nothing)
    #expect(moderator.nextDue == at(200))
    #expect(moderator.flush(now: at(199)).isEmpty)
    #expect(moderator.flush(now: at(201)) == .all(3))
    // Changes continue, so the next interval starts at the last event.
    #expect(moderator.changed(0, now: at(210)) == .flush(at: at(401)))
    #expect(moderator.flush(now: at(401)) == .all(3))
    #expect(moderator.nextDue == nil)
    // After a quiet interval, changes are sent at once again.
    #expect(moderator.changed(0, now: at(601)) == .flushThisTurn)
  }

  /// Each line: time, variable and value, and when the change is sent.
  @Test func urgentValuesAreSentAtOnce() {
    let moderation = Moderation(.milliseconds(200), urgent: ["A": ["stopped", "opening"]])
    var moderator = moderator(moderation)
    let steps: [(time: Int64, variable: Int, value: String, sent: Int64)] = [
      (0, 0, "playing", 0), (10, 0, "stopped", 10), (20, 1, "other", 210),
      // It takes along the changes that wait.
      (30, 0, "opening", 30), (40, 0, "playing", 230), (45, 0, "paused", 230),
      // The same value again within the interval.
      (50, 0, "stopped", 230), (60, 0, "opening", 230), (215, 0, "stopped", 215), (216, 1, "stopped", 415),
      (225, 0, "opening", 415), (240, 0, "opening", 240), (250, 0, "other", 440), (600, 0, "stopped", 600),
    ]
    for step in steps {
      let action = moderator.changed(step.variable, to: step.value, now: at(step.time))
      switch action {
      case .flushThisTurn: #expect(moderator.flush(now: at(step.time)) == .all(3), "\(step)")
      case .flush(let time): #expect(time == at(step.sent), "\(step)")
      case .nothing: #expect(moderator.nextDue == at(step.sent), "\(step)")
      }
      #expect((action == .flushThisTurn) == (step.time == step.sent), "\(step)")
      if step.time == 250 { #expect(moderator.flush(now: at(440)) == .all(3)) }
    }
  }

  @Test func unmoderatedChangesAreSentInEachTurn() {
    var moderator = moderator(Moderation(.zero))
    for time: Int64 in [0, 0, 1] {
      #expect(moderator.changed(1, now: at(time)) == .flushThisTurn)
      #expect(moderator.flush(now: at(time)) == .all(3))
    }
  }

  @Test func aVariableMayComeLessOftenThanTheOthers() {
    let (b, others) = (VariableSet(index: 1), VariableSet.all(3).subtracting(VariableSet(index: 1)))
    var moderator = moderator(Moderation(.zero, variables: ["B": .milliseconds(300)]))
    // Changes in one turn are sent together.
    #expect(moderator.changed(0, now: at(0)) == .flushThisTurn)
    #expect(moderator.changed(1, now: at(0)) == .flushThisTurn)
    #expect(moderator.flush(now: at(0)) == .all(3))
    #expect(moderator.flush(now: at(0)).isEmpty)
    // The slower variable waits, the others do not.
    #expect(moderator.changed(1, now: at(10)) == .flush(at: at(300)))
    #expect(moderator.changed(0, now: at(20)) == .flushThisTurn)
    #expect(moderator.flush(now: at(20)) == others)
    #expect(moderator.nextDue == at(300))
    // When its interval ends, its event includes everything due at that time.
    #expect(moderator.changed(2, now: at(300)) == .flushThisTurn)
    #expect(moderator.flush(now: at(300)) == .all(3))
    #expect(moderator.changed(1, now: at(310)) == .flush(at: at(600)))
    #expect(moderator.flush(now: at(600)) == b)
  }
}
