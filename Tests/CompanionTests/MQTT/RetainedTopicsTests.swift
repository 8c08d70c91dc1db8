import PlaybackStore
import Testing

@testable import Companion

@Suite struct RetainedTopicsTests {
  typealias Action = RetainedTopics.Action

  private enum Event {
    /// A connection to the broker on a host, with a prefix; the flag says whether Home Assistant discovery is on.
    case connects(String, String, Bool)
    /// The broker has a retained availability below the prefix.
    case found(String, below: String)
    /// The broker has removed the topics below the prefix.
    case removed(String)
    case removedAnnouncement
  }

  private static let rows: [(String, [(Event, [Action])])] = [
    ("nothing changes", [(.connects("a", "x", false), [.save]), (.connects("a", "x", false), [])]),
    (
      "another prefix",
      [
        (.connects("a", "x", false), [.save]), (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
        (.found("offline", below: "x"), [.clear(prefix: "x")]), (.removed("x"), [.save]),
        (.connects("a", "y", false), []),
      ]
    ),
    (
      "the connection ends before the topics are removed",
      [
        (.connects("a", "x", false), [.save]), (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
        (.found("offline", below: "x"), [.clear(prefix: "x")]), (.connects("A", "y", false), [.ask(prefix: "x")]),
      ]
    ),
    (
      "another speaker uses the old prefix",
      [
        (.connects("a", "x", false), [.save]), (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
        (.found("online", below: "x"), [.save]), (.connects("a", "y", false), []),
      ]
    ),
    (
      "there and back",
      [
        (.connects("a", "x", false), [.save]), (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
        (.connects("a", "x", false), [.save, .ask(prefix: "y")]),
        (.found("offline", below: "y"), [.clear(prefix: "y")]), (.removed("y"), [.save]),
        (.connects("a", "x", false), []),
      ]
    ),
    (
      "another broker, and back with another prefix",
      [
        (.connects("a", "x", false), [.save]), (.connects("b", "x", false), [.save]),
        (.connects("b", "y", false), [.save, .ask(prefix: "x")]),
        (.found("offline", below: "x"), [.clear(prefix: "x")]), (.removed("x"), [.save]),
        (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
      ]
    ),
    (
      "Home Assistant is switched off",
      [
        (.connects("a", "x", true), [.save]), (.connects("a", "x", false), [.clearAnnouncement]),
        // Repeated until the broker has removed the announcement.
        (.connects("a", "x", false), [.clearAnnouncement]), (.removedAnnouncement, [.save]),
        (.connects("a", "x", false), []),
      ]
    ),
    (
      "Home Assistant is switched off together with the prefix",
      [
        (.connects("a", "x", true), [.save]),
        (.connects("a", "y", false), [.save, .clearAnnouncement, .ask(prefix: "x")]),
        (.removedAnnouncement, [.save]), (.connects("a", "y", false), [.ask(prefix: "x")]),
      ]
    ),
    (
      "Home Assistant gets another prefix",
      [(.connects("a", "x", true), [.save]), (.connects("a", "y", true), [.save, .ask(prefix: "x")])]
    ),
    (
      "the availability arrives after the prefix was forgotten",
      [
        (.connects("a", "x", false), [.save]), (.connects("a", "y", false), [.save, .ask(prefix: "x")]),
        (.removed("x"), [.save]), (.found("offline", below: "x"), [.clear(prefix: "x")]), (.removed("x"), [.save]),
      ]
    ),
  ]

  @Test(arguments: rows.indices) func decides(_ row: Int) {
    let (name, steps) = Self.rows[row]
    var traces = RetainedTopics()
    for (number, (event, expected)) in steps.enumerated() {
      let actions =
        switch event {
        case .connects(let host, let prefix, let announces):
          traces.connected(host: host, prefix: prefix, announces: announces)
        case .found(let availability, let prefix): traces.found(availability, prefix: prefix)
        case .removed(let prefix): traces.forget(prefix: prefix)
        case .removedAnnouncement: traces.forgetAnnouncement()
        }
      #expect(actions == expected, "\(name), step \(number)")
      // Every step may be followed by a restart.
      #expect(RetainedTopics(traces.text).traces == traces.traces)
    }
  }

  @Test func remembersALimitedNumber() {
    var traces = RetainedTopics()
    for number in 1...20 { _ = traces.connected(host: "a", prefix: "p\(number)", announces: false) }
    #expect(traces.traces.map(\.prefix) == (13...20).map { "p\($0)" })
  }

  @Test func invalidTextIsIgnored() {
    var text = StateText()
    text.add("host", "a")
    #expect(RetainedTopics(text).traces.isEmpty)
    #expect(RetainedTopics(nil).traces.isEmpty)
  }
}
