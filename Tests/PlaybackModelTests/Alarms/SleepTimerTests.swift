import Testing

@testable import PlaybackModel

@Suite struct SleepTimerTests {
  enum Step: Sendable {
    case start(SleepTimer.End)
    /// Lets time pass; the timer wakes when it asks for it.
    case pass(Int)
    case event(SleepTimer.Event)
    case facts(@Sendable (inout SleepTimer.Facts) -> Void)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    /// Each action with the second at which it happens.
    let log: [String]

    var testDescription: String { name }

    init(_ name: String, _ steps: [Step], _ log: [String]) { (self.name, self.steps, self.log) = (name, steps, log) }
  }

  /// A track of four minutes, at its beginning, that something follows.
  private struct Table {
    var timer = SleepTimer()
    var facts = SleepTimer.Facts()
    var seconds = 0
    let begin = ContinuousClock.now
    var log: [String] = []

    var now: ContinuousClock.Instant { begin + .seconds(seconds) }

    init() {
      (facts.state, facts.trackID, facts.duration) = (.playing, 1, .seconds(240))
      (facts.isLast, facts.canSeek, facts.volume) = (false, true, 40)
    }

    mutating func run(_ step: Step) {
      switch step {
      case .start(let end):
        do { note(try timer.start(end, facts, now: now)) } catch { log.append("\(error)") }
      case .event(let event): note(timer.step(event, facts, now: now))
      case .facts(let change):
        change(&facts)
        note(timer.step(.update, facts, now: now))
      case .pass(let count): pass(count)
      }
    }

    private mutating func pass(_ count: Int) {
      let end = seconds + count
      while let wake = timer.wake(facts, now: now), seconds + Int(wake.components.seconds) <= end {
        advance(Int(wake.components.seconds))
        note(timer.step(.update, facts, now: now))
        if log.count > 100 { return }
      }
      advance(end - seconds)
    }

    private mutating func advance(_ count: Int) {
      seconds += count
      if facts.state == .playing { facts.position += .seconds(count) }
    }

    private mutating func note(_ actions: [SleepTimer.Action]) {
      for action in actions {
        switch action {
        case .fade(let time): log.append("\(seconds) fade \(time.components.seconds)")
        case .unfade(let time): log.append("\(seconds) unfade \(time.components.seconds)")
        case .stop(let position):
          log.append("\(seconds) stop" + (position.map { " \($0.components.seconds)" } ?? ""))
          facts.state = .stopped
        }
      }
    }
  }

  private static func track(_ id: Int, isLast: Bool = false) -> Step {
    .facts { ($0.trackID, $0.position, $0.isLast) = (id, .zero, isLast) }
  }

  @Test(arguments: [
    Row("minutes", [.start(.minutes(2)), .pass(600)], ["90 fade 30", "120 stop 90", "120 unfade 0"]),
    Row("one minute", [.start(.minutes(1)), .pass(600)], ["30 fade 30", "60 stop 30", "60 unfade 0"]),
    Row(
      "a live stream has no position",
      [.facts { ($0.isLive, $0.duration) = (true, nil) }, .start(.minutes(1)), .pass(60)],
      ["30 fade 30", "60 stop", "60 unfade 0"]),
    Row("off", [.start(.minutes(2)), .pass(60), .event(.cancel), .pass(600)], []),
    Row(
      "off while it fades", [.start(.minutes(2)), .pass(100), .event(.cancel), .pass(600)],
      ["90 fade 30", "100 unfade 1"]),
    Row(
      "a louder volume wins", [.start(.minutes(2)), .pass(100), .facts { $0.volume = 42 }, .pass(600)],
      ["90 fade 30", "100 unfade 1"]),
    Row(
      "a softer volume wins, too", [.start(.minutes(2)), .pass(100), .facts { $0.volume = 10 }, .pass(600)],
      ["90 fade 30", "100 unfade 1"]),
    Row(
      "a volume before the fade does not matter", [.start(.minutes(2)), .facts { $0.volume = 10 }, .pass(600)],
      ["90 fade 30", "120 stop 90", "120 unfade 0"]),
    Row(
      "longer", [.start(.minutes(2)), .pass(60), .start(.minutes(3)), .pass(600)],
      ["210 fade 30", "240 stop 210", "240 unfade 0"]),
    Row(
      "longer while it fades", [.start(.minutes(2)), .pass(100), .start(.minutes(3)), .pass(600)],
      ["90 fade 30", "100 unfade 1", "250 fade 30", "280 stop 250", "280 unfade 0"]),
    Row("nothing plays at its end", [.start(.minutes(2)), .facts { $0.state = .stopped }, .pass(600)], []),
    Row(
      "a pause stays", [.start(.minutes(2)), .pass(100), .facts { $0.state = .paused }, .pass(600)],
      ["90 fade 30", "120 unfade 0"]),
    Row(
      "another track while it fades", [.start(.minutes(2)), .pass(100), track(2), .pass(600)],
      ["90 fade 30", "120 stop", "120 unfade 0"]),
    // The end of the track.
    Row("track", [.start(.track), .pass(240), track(2)], ["209 fade 30", "240 stop", "240 unfade 0"]),
    Row("the last track", [.start(.track), .pass(240), .event(.ended)], ["209 fade 30", "240 unfade 0"]),
    Row(
      "a short rest", [.facts { $0.position = .seconds(230) }, .start(.track), .pass(10), track(2)],
      ["0 fade 9", "10 stop", "10 unfade 0"]),
    Row(
      "another track by hand",
      [
        .start(.track), .pass(10), .facts { ($0.trackID, $0.position) = (2, .zero) }, .event(.moved), .pass(240),
        track(3),
      ], ["219 fade 30", "250 stop", "250 unfade 0"]),
    Row(
      "a seek back", [.start(.track), .pass(220), .facts { $0.position = .seconds(100) }, .pass(140), track(2)],
      ["209 fade 30", "220 unfade 1", "329 fade 30", "360 stop", "360 unfade 0"]),
    Row(
      "a pause",
      [
        .start(.track), .pass(100), .facts { $0.state = .paused }, .pass(1000), .facts { $0.state = .playing },
        .pass(140), track(2),
      ], ["1209 fade 30", "1240 stop", "1240 unfade 0"]),
    Row(
      "an unknown duration", [.facts { $0.duration = nil }, .start(.track), .pass(300), track(2)],
      ["300 stop", "300 unfade 0"]),
    Row("a stop", [.start(.track), .facts { $0.state = .stopped }, .facts { $0.state = .playing }, .pass(600)], []),
    Row(
      "nothing plays", [.facts { $0.state = .stopped }, .start(.track), .start(.queue)],
      ["nothingPlays", "nothingPlays"]),
    Row("no end", [.facts { $0.isLive = true }, .start(.track), .start(.queue)], ["noEnd", "noEnd"]),
    // The end of the queue.
    Row(
      "queue", [.start(.queue), .pass(240), track(2), .pass(240), track(3, isLast: true), .pass(240), .event(.ended)],
      ["689 fade 30", "720 unfade 0"]),
    Row(
      "a queue that repeats", [.start(.queue), .pass(240), track(2, isLast: true), .pass(240), track(1)],
      ["449 fade 30", "480 stop", "480 unfade 0"]),
    Row(
      "a queue that grows while it fades",
      [.facts { $0.isLast = true }, .start(.queue), .pass(220), .facts { $0.isLast = false }, .pass(20), track(2)],
      ["209 fade 30", "220 unfade 1"]),
  ])
  func ends(_ row: Row) {
    var table = Table()
    for step in row.steps { table.run(step) }
    #expect(table.log == row.log)
  }

  @Test func theRestIsShown() throws {
    var timer = SleepTimer()
    var facts = SleepTimer.Facts()
    (facts.state, facts.duration, facts.position, facts.isLast) = (.playing, .seconds(240), .seconds(40), false)
    let now = ContinuousClock.now
    #expect(timer.rest(facts, now: now) == nil)
    _ = try timer.start(.minutes(10), facts, now: now)
    #expect(timer.rest(facts, now: now + .seconds(60)) == .seconds(540))
    _ = try timer.start(.track, facts, now: now)
    #expect(timer.rest(facts, now: now) == .seconds(200))
    _ = try timer.start(.queue, facts, now: now)
    #expect(timer.rest(facts, now: now) == nil)
  }
}
