import NIOCore
import Testing

@testable import ControlPoint

/// Tables of events with their time in seconds, and the actions of the machine.
@Suite struct SubscriptionMachineTests {
  typealias Action = SubscriptionMachine.Action

  enum Step: Sendable {
    case start, leave, moved, elapsed
    case subscribed(String)
    case subscribeFailed(ControlPointError)
    case renewed(String?)
    case renewalFailed(ControlPointError)
    case notify(String, UInt32?, String?)
    case polled(String)
    case pollFailed(ControlPointError)
    case hint(SubscriptionMachine.Hint)
  }

  struct Row: Sendable {
    var at: Double
    var step: Step
    var actions: [Action]

    init(_ at: Double, _ step: Step, _ actions: [Action] = []) {
      (self.at, self.step, self.actions) = (at, step, actions)
    }
  }

  struct Table: CustomTestStringConvertible, Sendable {
    var name: String
    var source = SubscriptionMachine.Source.eventsThenPolling
    var rows: [Row]
    /// When the machine wants to be called after the last row.
    var deadline: Double?

    var testDescription: String { name }
  }

  private static func values(_ text: String) -> [EventedVariable] { [EventedVariable("V", text)] }
  private static func initial(_ text: String) -> Action { .deliver(.initial(values(text))) }
  private static func change(_ text: String) -> Action { .deliver(.change(values(text))) }
  private static func missed(_ count: Int) -> Action { .deliver(.missed(count)) }
  private static func lapsed(_ reason: LapseReason) -> Action { .deliver(.lapsed(reason)) }
  private static let refused = ControlPointError.unreachable("connection refused")

  /// Subscribed at 0 for 100 s, with its initial event.
  private static let begun = [
    Row(0, .start, [.subscribe]), Row(0, .subscribed("a")), Row(0, .notify("a", 0, "1"), [initial("1")]),
  ]

  static let tables = [
    Table(
      name: "delivers changes and gaps",
      rows: begun + [
        Row(1, .notify("a", 1, "2"), [change("2")]), Row(2, .notify("a", 1, "2")),
        Row(3, .notify("a", 4, "3"), [missed(2), change("3")]), Row(3, .notify("b", 5, "4")),
        // An event that cannot be decoded is lost.
        Row(4, .notify("a", 5, nil), [missed(1)]),
      ], deadline: 50),
    Table(
      name: "keeps the initial event that precedes the answer",
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .notify("a", 1, "2")), Row(0, .notify("b", 0, "9")),
        Row(0, .notify("a", 0, "1")), Row(0, .subscribed("a"), [initial("1"), change("2")]),
      ], deadline: 50),
    Table(
      name: "renews at half of the lifetime, and follows a new SID",
      rows: begun + [
        Row(49, .elapsed), Row(50, .elapsed, [.renew(sid: "a")]), Row(51, .renewed(nil)),
        Row(101, .elapsed, [.renew(sid: "a")]), Row(101, .renewed("b")), Row(102, .notify("b", 1, "2"), [change("2")]),
      ], deadline: 151),
    Table(
      name: "tries a renewal again until the subscription expires",
      rows: begun + [
        Row(50, .elapsed, [.renew(sid: "a")]), Row(60, .renewalFailed(.timeout)),
        Row(61, .elapsed, [.renew(sid: "a")]), Row(99, .renewalFailed(.status(503))),
        Row(100, .elapsed, [.renew(sid: "a")]),
        Row(101, .renewalFailed(.timeout), [lapsed(.failed(.timeout)), .startPolling]),
      ], deadline: 102),
    Table(
      name: "subscribes at once when the device forgot the subscription",
      rows: begun + [
        Row(50, .elapsed, [.renew(sid: "a")]),
        Row(50, .renewalFailed(.status(412)), [lapsed(.lost), .startPolling, .subscribe]),
        Row(50, .subscribed("b")), Row(50, .notify("b", 0, "1"), [.stopPolling, initial("1")]),
      ], deadline: 100),
    Table(
      name: "lapses after three renewals without a server", source: .events,
      rows: begun + [
        Row(10, .hint(.departed)), Row(12, .elapsed, [.renew(sid: "a")]), Row(12, .renewalFailed(refused)),
        Row(13, .elapsed, [.renew(sid: "a")]), Row(13, .renewalFailed(refused)),
        Row(15, .elapsed, [.renew(sid: "a")]), Row(15, .renewalFailed(refused), [lapsed(.failed(refused))]),
      ], deadline: 16),
    Table(
      name: "backs off from a device that refuses, and reports it once", source: .events,
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .subscribeFailed(.status(503)), [lapsed(.failed(.status(503)))]),
        Row(1, .elapsed, [.subscribe]), Row(1, .subscribeFailed(.timeout)), Row(3, .elapsed, [.subscribe]),
        Row(3, .subscribeFailed(.timeout)), Row(7, .elapsed, [.subscribe]), Row(7, .subscribeFailed(.timeout)),
      ], deadline: 15),
    Table(
      name: "subscribes at most once per second, however often a device announces itself", source: .events,
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .subscribeFailed(.timeout), [lapsed(.failed(.timeout))]),
        Row(1, .elapsed, [.subscribe]), Row(1, .subscribeFailed(.timeout)), Row(1.1, .hint(.appeared)),
        Row(1.2, .hint(.restarted)), Row(1.5, .elapsed),
      ], deadline: 2),
    Table(
      name: "renews soon after a restart, and keeps a subscription that survives",
      rows: begun + [
        Row(10, .hint(.restarted)), Row(11, .elapsed, [.renew(sid: "a")]), Row(11, .hint(.departed)),
        Row(11, .renewed(nil)),
      ], deadline: 61),
    Table(
      name: "polls a device that sends no initial event",
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .subscribed("a")), Row(4.9, .elapsed),
        Row(5, .elapsed, [lapsed(.silent), .startPolling]), Row(5, .polled("1"), [initial("1")]),
        Row(6, .polled("1")), Row(7, .polled("2"), [change("2")]), Row(8, .notify("a", 3, "3"), [change("3")]),
      ], deadline: 50),
    Table(
      name: "stops polling when a late initial event arrives",
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .subscribed("a")), Row(5, .elapsed, [lapsed(.silent), .startPolling]),
        Row(5, .polled("1"), [initial("1")]), Row(6, .notify("a", 0, "2"), [.stopPolling, initial("2")]),
      ], deadline: 50),
    Table(
      name: "reports a missing initial event without polling", source: .events,
      rows: [
        Row(0, .start, [.subscribe]), Row(0, .subscribed("a")), Row(5, .elapsed, [lapsed(.silent)]),
        Row(6, .notify("a", 0, "1"), [initial("1")]),
      ], deadline: 50),
    Table(
      name: "polls while subscribing fails",
      rows: [
        Row(0, .start, [.subscribe]),
        Row(0, .subscribeFailed(.status(412)), [lapsed(.failed(.status(412))), .startPolling]),
        Row(0, .polled("1"), [initial("1")]), Row(1, .elapsed, [.subscribe]), Row(1, .subscribed("a")),
        Row(1, .notify("a", 0, "2"), [.stopPolling, initial("2")]), Row(2, .polled("3")),
      ], deadline: 51),
    Table(
      name: "reports polls that fail once, and begins with an initial element again", source: .pollingOnly,
      rows: [
        Row(0, .start, [.startPolling]), Row(0, .polled("1"), [initial("1")]),
        Row(1, .pollFailed(.timeout), [lapsed(.failed(.timeout))]), Row(2, .pollFailed(refused)),
        Row(3, .polled("1"), [initial("1")]), Row(4, .leave, [.stopPolling, .finish]),
      ]),
    Table(
      name: "ends at once without events and getters", source: .none,
      rows: [Row(0, .start, [lapsed(.notEvented), .finish]), Row(1, .leave)]),
    Table(
      name: "unsubscribes when the watcher leaves",
      rows: begun + [
        Row(1, .leave, [.unsubscribe(sid: "a"), .finish]), Row(1, .notify("a", 1, "2")), Row(2, .leave),
        Row(60, .elapsed),
      ]),
    Table(
      name: "unsubscribes once SUBSCRIBE is answered if the watcher has left before",
      rows: [
        Row(0, .start, [.subscribe]), Row(1, .leave, [.finish]), Row(2, .leave),
        Row(3, .subscribed("a"), [.unsubscribe(sid: "a")]),
      ]),
    Table(
      name: "subscribes with the new address after a change of networks", source: .events,
      rows: begun + [
        Row(10, .moved, [.unsubscribe(sid: "a"), lapsed(.lost), .subscribe]), Row(10, .subscribed("b")),
        Row(10, .notify("a", 1, "9")), Row(10, .notify("b", 0, "1"), [initial("1")]),
      ], deadline: 60),
  ]

  @Test(arguments: tables) func follows(table: Table) {
    var machine = SubscriptionMachine(source: table.source)
    for row in table.rows {
      #expect(Self.perform(row, on: &machine) == row.actions, "at \(row.at): \(row.step)")
    }
    #expect(machine.deadline == table.deadline.map(Self.instant))
  }

  private static func instant(_ seconds: Double) -> NIODeadline {
    .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(Int64(seconds * 1000))
  }

  private static func perform(_ row: Row, on machine: inout SubscriptionMachine) -> [Action] {
    let now = instant(row.at)
    return switch row.step {
    case .start: machine.start(at: now)
    case .leave: machine.leave()
    case .moved: machine.moved(at: now)
    case .elapsed: machine.elapsed(at: now)
    case .subscribed(let sid): machine.subscribed(sid: sid, lifetime: .seconds(100), at: now)
    case .subscribeFailed(let error): machine.subscribeFailed(error, at: now)
    case .renewed(let sid): machine.renewed(sid: sid, lifetime: .seconds(100), at: now)
    case .renewalFailed(let error): machine.renewalFailed(error, at: now)
    case .notify(let sid, let number, let value):
      machine.notify(sid: sid, number: number, variables: value.map(values))
    case .polled(let value): machine.polled(values(value))
    case .pollFailed(let error): machine.pollFailed(error)
    case .hint(let hint): machine.hint(hint, at: now)
    }
  }
}
