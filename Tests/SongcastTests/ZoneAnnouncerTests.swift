import NIOCore
import Testing

@testable import Songcast

@Suite struct ZoneAnnouncerTests {
  private struct Run {
    var announcer: ZoneAnnouncer
    var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    var sent: [(at: Int, message: OHZMessage)] = []

    init(preset: UInt32 = 0) {
      announcer = ZoneAnnouncer(zone: "z", uri: .none, preset: preset, metadata: "m", now: now)
    }

    mutating func advance(milliseconds: Int) {
      let end = now + .milliseconds(Int64(milliseconds))
      while let next = announcer.next, next <= end {
        now = max(next, now)
        let at = Int(now.uptimeNanoseconds / 1_000_000) - 1000
        sent += announcer.due(now).map { (at, $0) }
      }
      now = end
    }

    /// When a message was sent since the last call, in milliseconds.
    mutating func times(of message: OHZMessage) -> [Int] {
      defer { sent.removeAll { $0.message == message } }
      return sent.filter { $0.message == message }.map(\.at)
    }
  }

  private static let none = OHZMessage.zoneURI(zone: "z", uri: "ohu://0.0.0.0:0")
  private static let group = OHZMessage.zoneURI(zone: "z", uri: "ohm://239.253.1.44:51970")

  @Test func announcesAChangeThreeTimes() {
    var run = Run()
    run.advance(milliseconds: 1000)
    #expect(run.times(of: Self.none) == [0, 100, 200])
    #expect(run.times(of: .presetInfo(preset: 0, metadata: "m")) == [0, 100, 200])
    run.announcer.set(.channel(300), now: run.now)
    run.announcer.set(.channel(300), now: run.now)
    run.announcer.set(preset: 7, now: run.now)
    run.advance(milliseconds: 1000)
    #expect(run.times(of: Self.group) == [1000, 1100, 1200])
    #expect(run.times(of: .presetInfo(preset: 7, metadata: "m")) == [1000, 1100, 1200])
    #expect(run.sent.isEmpty)
  }

  @Test func announcesThePresentURIAlways() {
    var run = Run()
    run.announcer.set(.channel(300), now: run.now)
    run.announcer.set(.channel(301), now: run.now)
    run.announcer.set(.channel(300), now: run.now)
    run.advance(milliseconds: 2000)
    #expect(run.times(of: Self.group) == Array(stride(from: 0, through: 800, by: 100)))
    #expect(run.times(of: Self.none) == [])
  }

  @Test func answersQueriesForItselfOnce() {
    var run = Run(preset: 7)
    run.advance(milliseconds: 1000)
    run.sent = []
    for query: OHZMessage in [
      .zoneQuery(zone: "y"), .presetQuery(preset: 8), .presetQuery(preset: 0), .zoneURI(zone: "z", uri: "ohm://1"),
    ] { run.announcer.receive(query) }
    run.advance(milliseconds: 100)
    #expect(run.sent.isEmpty)
    run.announcer.receive(.zoneQuery(zone: "z"))
    run.announcer.receive(.presetQuery(preset: 7))
    run.advance(milliseconds: 100)
    #expect(run.times(of: Self.none) == [1100])
    #expect(run.times(of: .presetInfo(preset: 7, metadata: "m")) == [1100])
  }

  @Test func noPresetIsNobodys() {
    var run = Run()
    run.advance(milliseconds: 1000)
    run.sent = []
    run.announcer.receive(.presetQuery(preset: 0))
    run.advance(milliseconds: 100)
    #expect(run.sent.isEmpty)
  }

  @Test func aFloodOfQueriesHasFewAnswers() {
    var run = Run()
    run.advance(milliseconds: 1000)
    run.sent = []
    for _ in 0..<1000 {
      run.announcer.receive(.zoneQuery(zone: "z"))
      run.advance(milliseconds: 1)
    }
    #expect((40...51).contains(run.sent.count))
  }

  @Test func endsWithNone() { #expect(Run().announcer.end() == Self.none) }
}
