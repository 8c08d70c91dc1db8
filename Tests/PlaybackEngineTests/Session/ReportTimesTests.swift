import Testing

@testable import PlaybackEngine

struct ReportTimesTests {
  private static let start = ReportTimes.Instant.now

  private enum Event {
    case playing, measured, cancel
    /// Nanoseconds until a join is heard.
    case planJoin(Int64)
    case joined(Int64?)
  }

  /// The times, in milliseconds, at which a join and a measurement are due after events at time 0.
  @Test(
    arguments: [
      ([.playing], nil, 1_000), ([.playing, .measured], nil, 10_000), ([.planJoin(500_000_000)], 500, nil),
      // A join that is overdue is looked at again soon, not at once.
      ([.planJoin(-5)], 2, nil), ([.playing, .joined(nil)], nil, 1_000), ([.playing, .joined(0)], nil, 1_000),
      // A join that is reported early is measured when it is heard.
      ([.playing, .measured, .joined(300_000_000)], nil, 300), ([.playing, .planJoin(5_000_000), .cancel], nil, nil),
    ] as [([Event], Int?, Int?)])
  private func reportsAreDue(after events: [Event], join: Int?, measurement: Int?) {
    var times = ReportTimes()
    for event in events {
      switch event {
      case .playing: times.playing(now: Self.start)
      case .measured: times.measured(now: Self.start)
      case .cancel: times.cancel()
      case .planJoin(let remaining): times.planJoin(in: remaining, now: Self.start)
      case .joined(let remaining): times.joined(in: remaining, now: Self.start)
      }
    }
    let due = [join, measurement].compactMap(\.self).min().map { Self.start + .milliseconds($0) }
    #expect(times.deadline == due)
    #expect(Self.due { times.takeJoin(at: $0) } == join)
    #expect(Self.due { times.takeMeasurement(at: $0) } == measurement)
    #expect(times.deadline == nil)
  }

  /// The first millisecond at which `take` succeeds.
  private static func due(_ take: (ReportTimes.Instant) -> Bool) -> Int? {
    (0...10_000).first { take(start + .milliseconds($0)) }
  }
}
