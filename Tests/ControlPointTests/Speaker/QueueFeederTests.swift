import Testing

@testable import ControlPoint

/// Decides about the next track of a renderer without a queue.
@Suite struct QueueFeederTests {
  typealias Action = QueueFeeder.Action

  /// An event and the actions that it must cause.
  struct Step {
    var event: QueueFeeder.Event
    var at: Duration
    var actions: [Action]

    init(_ event: QueueFeeder.Event, at seconds: Int = 0, _ actions: Action...) {
      self.event = event
      at = .seconds(seconds)
      self.actions = actions
    }

    /// An observation: a state, a URI, position and duration in seconds.
    init(
      _ state: PlaybackState, _ uri: String? = nil, _ position: Int? = nil, of duration: Int? = nil,
      error: Bool = false, at seconds: Int, _ actions: Action...
    ) {
      event = .observed(
        .init(
          state: state, uri: uri, position: position.map { .seconds($0) }, duration: duration.map { .seconds($0) },
          hasError: error))
      at = .seconds(seconds)
      self.actions = actions
    }
  }

  struct Scenario: CustomTestStringConvertible {
    var testDescription: String
    var uris = ["a", "b", "c"]
    var offersNext = true
    var steps: [Step]

    init(_ description: String, of uris: [String] = ["a", "b", "c"], offersNext: Bool = true, _ steps: Step...) {
      testDescription = description
      self.uris = uris
      self.offersNext = offersNext
      self.steps = steps
    }
  }

  @Test func cancellationClearsTheNextItem() {
    var feeder = QueueFeeder(uris: ["a", "b"], offersNext: true)
    _ = feeder.take(.begin, at: .zero)
    let playing = QueueFeeder.Observation(state: .playing, uri: "a", position: .zero, duration: .seconds(60))
    #expect(feeder.take(.observed(playing), at: .seconds(1)).last == .setNext(1))
    #expect(feeder.cancel() == [.clearNext])
    #expect(feeder.cancel() == [])
    #expect(feeder.isEnded)
  }

  @Test(arguments: [[0], []])
  func fileThatStandsStillFails(files: Set<Int>) {
    var feeder = QueueFeeder(uris: ["a", "b"], offersNext: false, files: files)
    _ = feeder.take(.begin, at: .zero)
    let playing = QueueFeeder.Event.observed(.init(state: .playing, uri: "a", position: .zero))
    _ = feeder.take(playing, at: .seconds(1))
    #expect(feeder.take(playing, at: .seconds(30)) == [])
    #expect(feeder.take(playing, at: .seconds(40)) == (files.isEmpty ? [] : [.report(.failed(0)), .play(1)]))
  }

  private static func ended(_ ending: QueueFeedProgress.Ending) -> Action { .report(.ended(ending)) }

  @Test(arguments: [
    Scenario("nothing", of: [], Step(.begin, ended(.played))),
    Scenario(
      "gapless", of: ["a", "b"], Step(.begin, .play(0)), Step(.buffering, "a", at: 1),
      Step(.playing, "a", 0, of: 60, at: 2, .report(.playing(0)), .setNext(1)), Step(.playing, "a", 30, of: 60, at: 32),
      Step(.playing, "b", 0, of: 60, at: 62, .report(.playing(1))), Step(.playing, "b", 59, of: 60, at: 121),
      Step(.stopped, "b", 0, at: 122, ended(.played))),
    Scenario(
      "without SetNext", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 58, of: 60, at: 1, .report(.playing(0))), Step(.stopped, "a", 0, of: 60, at: 3, .play(1)),
      Step(.stopped, "a", at: 4), Step(.playing, "b", 0, of: 60, at: 5, .report(.playing(1)))),
    Scenario(
      "a renderer that ignores SetNext", of: ["a", "b"], Step(.begin, .play(0)),
      Step(.playing, "a", 58, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.stopped, "a", 0, of: 60, at: 3, .clearNext, .play(1))),
    Scenario(
      "a refused SetNext is not tried again", Step(.begin, .play(0)),
      Step(.playing, "a", 59, of: 60, at: 1, .report(.playing(0)), .setNext(1)), Step(.refused(.setNext(1))),
      Step(.playing, "a", 60, of: 60, at: 2), Step(.noMedia, at: 3, .play(1)),
      Step(.playing, "b", 0, of: 60, at: 4, .report(.playing(1)))),
    Scenario(
      "stopped by a person", Step(.begin, .play(0)),
      Step(.playing, "a", 10, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.stopped, "a", 0, of: 60, at: 3, .clearNext, ended(.stopped)), Step(.playing, "a", at: 4)),
    Scenario(
      "paused for long, then stopped", offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 10, of: 60, at: 1, .report(.playing(0))), Step(.paused, "a", 11, of: 60, at: 2),
      Step(.stopped, "a", at: 900, ended(.stopped))),
    Scenario(
      "no position and duration: a stop is the end", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", at: 1, .report(.playing(0))), Step(.stopped, "a", at: 2, .play(1))),
    Scenario(
      "another control point", Step(.begin, .play(0)),
      Step(.playing, "a", 1, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.buffering, "x", at: 2, ended(.takenOver))),
    Scenario(
      "the item before is still reported", Step(.begin, .play(0)), Step(.playing, "old", 5, of: 9, at: 1),
      Step(.buffering, "a", at: 2), Step(.playing, "a", 0, of: 60, at: 3, .report(.playing(0)), .setNext(1))),
    Scenario(
      "it never accepts ours", Step(.begin, .play(0)), Step(.playing, "x", at: 1),
      Step(.playing, "x", at: 11, ended(.takenOver))),
    Scenario(
      "another control point skips", Step(.begin, .play(0)),
      Step(.playing, "a", 1, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.playing, "b", 0, of: 60, at: 2, .report(.playing(1)), .setNext(2)),
      Step(.playing, "a", 0, of: 60, at: 3, .report(.playing(0)), .setNext(1))),
    Scenario(
      "skip and back", Step(.begin, .play(0)),
      Step(.playing, "a", 1, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.skip, at: 2, .clearNext, .play(1)),
      Step(.playing, "b", 0, of: 60, at: 3, .report(.playing(1)), .setNext(2)),
      Step(.goBack, at: 4, .clearNext, .play(0)),
      Step(.skip, .play(1)), Step(.skip, .play(2)), Step(.skip, .stop, ended(.played))),
    Scenario(
      "stop", Step(.begin, .play(0)), Step(.playing, "a", 1, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.stop, .clearNext, .stop, ended(.stopped)), Step(.skip)),
    Scenario(
      "failing tracks are skipped", Step(.begin, .play(0)), Step(.refused(.play(0)), .report(.failed(0)), .play(1)),
      Step(.buffering, "b", at: 1), Step(.stopped, "b", at: 2, .report(.failed(1)), .play(2)),
      Step(.stopped, "c", error: true, at: 3, .report(.failed(2)), ended(.givenUp))),
    Scenario(
      "a track breaks off with an error", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 5, of: 60, at: 1, .report(.playing(0))),
      Step(.stopped, "a", error: true, at: 2, .report(.failed(0)), .play(1)),
      Step(.refused(.play(1)), .report(.failed(1)), ended(.played))),
    Scenario(
      "failures are bounded", of: ["a", "b", "c", "d", "e", "f", "g"], Step(.begin, .play(0)),
      Step(.refused(.play(0)), .report(.failed(0)), .play(1)), Step(.refused(.play(1)), .report(.failed(1)), .play(2)),
      Step(.refused(.play(2)), .report(.failed(2)), .play(3)), Step(.refused(.play(3)), .report(.failed(3)), .play(4)),
      Step(.refused(.play(4)), .report(.failed(4)), ended(.givenUp))),
    Scenario(
      "a renderer that stays stopped or loads for ever", Step(.begin, .play(0)), Step(.stopped, "a", at: 4),
      Step(.stopped, "a", at: 6, .report(.failed(0)), .play(1)), Step(.buffering, "b", at: 50),
      Step(.buffering, "b", at: 67, .report(.failed(1)), .play(2))),
    Scenario(
      "the next item fails at the join", Step(.begin, .play(0)),
      Step(.playing, "a", 59, of: 60, at: 1, .report(.playing(0)), .setNext(1)),
      Step(.stopped, "b", error: true, at: 2, .report(.failed(1)), .play(2))),
    Scenario(
      "a renderer that hangs", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 0, of: 60, at: 1, .report(.playing(0))), Step(.playing, "a", 5, of: 60, at: 6),
      Step(.paused, "a", 5, of: 60, at: 100), Step(.playing, "a", 5, of: 60, at: 129),
      Step(.playing, "a", 5, of: 60, at: 131, .report(.failed(0)), .play(1))),
    Scenario(
      "a renderer without positions", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 0, at: 1, .report(.playing(0))), Step(.playing, "a", 0, at: 600)),
    Scenario(
      "equal URIs play one after the other", of: ["a", "a"], Step(.begin, .play(0)),
      Step(.playing, "a", 58, of: 60, at: 1, .report(.playing(0))), Step(.stopped, "a", at: 4, .play(1)),
      Step(.playing, "a", 0, of: 60, at: 5, .report(.playing(1)))),
    Scenario(
      "URIs escaped by the renderer", of: ["http://h/?x&y&amp;z", "b"], Step(.begin, .play(0)),
      Step(.playing, "http://h/?x&amp;y&amp;z", 0, of: 60, at: 1, .report(.playing(0)), .setNext(1))),
    Scenario(
      "stopped for a moment at the join", Step(.begin, .play(0)),
      Step(.playing, "a", 59, of: 60, at: 1, .report(.playing(0)), .setNext(1)), Step(.stopped, "b", at: 2),
      Step(.buffering, "b", at: 3), Step(.playing, "b", 0, of: 60, at: 4, .report(.playing(1)), .setNext(2))),
    Scenario(
      "stopped for good at the join", Step(.begin, .play(0)),
      Step(.playing, "a", 59, of: 60, at: 1, .report(.playing(0)), .setNext(1)), Step(.stopped, "b", at: 2),
      Step(.noMedia, "b", at: 8, .play(1)), Step(.playing, "b", 0, of: 60, at: 9, .report(.playing(1)), .setNext(2))),
    Scenario(
      "loads for ever in the middle of a track", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 0, of: 600, at: 1, .report(.playing(0))), Step(.playing, "a", 5, of: 600, at: 6),
      Step(.buffering, "a", 5, of: 600, at: 7), Step(.buffering, "a", 5, of: 600, at: 60),
      Step(.buffering, "a", 5, of: 600, at: 68, .report(.failed(0)), .play(1))),
    Scenario(
      "a station loads after an hour without positions", of: ["a", "b"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", at: 1, .report(.playing(0))), Step(.playing, "a", at: 3600), Step(.buffering, "a", at: 3601),
      Step(.playing, "a", at: 3602)),
    Scenario(
      "a station after a track with positions", of: ["a", "b", "c"], offersNext: false, Step(.begin, .play(0)),
      Step(.playing, "a", 0, of: 60, at: 1, .report(.playing(0))), Step(.playing, "a", 60, of: 60, at: 60),
      Step(.stopped, "a", at: 61, .play(1)), Step(.playing, "b", 0, at: 62, .report(.playing(1))),
      Step(.playing, "b", 0, at: 600)),
    Scenario(
      "URIs normalised by the renderer", of: ["http://Host:80/a%20b/%c3%a9", "b"], Step(.begin, .play(0)),
      Step(.playing, "http://host/a b/é", 0, of: 60, at: 1, .report(.playing(0)), .setNext(1))),
    Scenario(
      "append", of: ["a"], Step(.begin, .play(0)), Step(.playing, "a", 0, of: 60, at: 1, .report(.playing(0))),
      Step(.append(["b"])), Step(.playing, "a", 1, of: 60, at: 2, .setNext(1))),
  ])
  func scenario(_ scenario: Scenario) {
    var feeder = QueueFeeder(uris: scenario.uris, offersNext: scenario.offersNext)
    for (index, step) in scenario.steps.enumerated() {
      let actions = feeder.take(step.event, at: step.at)
      #expect(actions == step.actions, "step \(index)")
    }
  }
}
