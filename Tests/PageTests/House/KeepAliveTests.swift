import NIOCore
import Testing

@testable import Page

@Suite struct KeepAliveTests {
  private enum Event {
    case open, close, request
  }

  private struct Case {
    var name: String
    var events: [(Int64, Event)]
    /// The seconds at which the control point is needed; `idle` has those at which it is not.
    var needed: [Int64]
    var idle: [Int64]
  }

  private let cases = [
    Case(name: "at rest", events: [], needed: [], idle: [0, 100]),
    Case(name: "a request", events: [(10, .request)], needed: [10, 39], idle: [40, 100]),
    Case(name: "requests", events: [(10, .request), (30, .request)], needed: [59], idle: [60]),
    Case(name: "a page", events: [(10, .open)], needed: [10, 1000], idle: []),
    Case(name: "a page that goes", events: [(10, .open), (100, .close)], needed: [104], idle: [105]),
    Case(name: "two pages", events: [(1, .open), (2, .open), (3, .close)], needed: [1000], idle: []),
    Case(name: "both", events: [(1, .open), (2, .request), (3, .close)], needed: [31], idle: [32]),
    Case(name: "more closed than opened", events: [(1, .close), (2, .open)], needed: [1000], idle: []),
  ]

  @Test func runsWhileSomeoneLooks() {
    for test in cases {
      var machine = KeepAlive()
      for (time, event) in test.events {
        switch event {
        case .open: machine.pageOpened()
        case .close: machine.pageClosed(now: at(time))
        case .request: machine.requested(now: at(time))
        }
      }
      for time in test.needed { #expect(machine.isNeeded(now: at(time)), "\(test.name) at \(time)") }
      for time in test.idle { #expect(!machine.isNeeded(now: at(time)), "\(test.name) at \(time)") }
    }
  }

  @Test func saysWhenToLookAgain() {
    var machine = KeepAlive()
    #expect(machine.deadline(now: at(0)) == nil)
    machine.requested(now: at(10))
    #expect(machine.deadline(now: at(11)) == at(40))
    machine.pageOpened()
    #expect(machine.deadline(now: at(12)) == nil)
    machine.pageClosed(now: at(50))
    #expect(machine.deadline(now: at(50)) == at(55) && machine.deadline(now: at(55)) == nil)
  }

  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(UInt64(seconds + 1000) * 1_000_000_000) }
}
