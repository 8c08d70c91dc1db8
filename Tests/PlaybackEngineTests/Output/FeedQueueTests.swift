import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

struct FeedQueueTests {
  private static func source(_ id: Int) -> FeedSource { MemorySource([]).fed(id: id) }

  private static func queue(_ following: [Int] = [], expectsMore: Bool = false) -> FeedQueue {
    var queue = FeedQueue()
    queue.begin(RunID(1), source: source(1), following: following.map(source), expectsMore: expectsMore)
    return queue
  }

  @Test(arguments: [
    ("early for a join", [2], false, 1, 1, false, FeedQueue.Ending.early, 1),
    ("time for a join", [2], false, 0, 1, false, .over, 2),
    ("a join is not held back from a starving output", [2], false, 1, 1, true, .over, 2),
    ("a join comes before more of the track", [2], true, 0, 1, false, .over, 2),
    ("early for the end", [], false, 0, 1, false, .early, 1),
    ("time for the end", [], false, 0, 0, false, .last, 1),
    ("the end is not held back from a starving output", [], false, 1, 1, true, .last, 1),
    ("more of the track is missing", [], true, 0, 0, false, .incomplete, 1),
  ])
  func ends(
    _ name: String, following: [Int], expectsMore: Bool, untilJoin: Int64, untilEnd: Int64, isHurried: Bool,
    ending: FeedQueue.Ending, then source: Int
  ) {
    var queue = Self.queue(following, expectsMore: expectsMore)
    if isHurried { queue.hurry() }
    let result = queue.end(of: Self.source(1), in: RunID(1), untilJoin: untilJoin, untilEnd: untilEnd)
    #expect(result == ending)
    #expect(queue.source?.id == source)
    // After EOS the queue is idle.
    let isDone = queue.turn == nil
    #expect(isDone == (ending == .last))
  }

  @Test func aHaltEndsTheRun() {
    var queue = Self.queue([2])
    queue.halt()
    #expect(queue.turn == nil)
    let ending = queue.end(of: Self.source(1), in: RunID(1), untilJoin: 0, untilEnd: 0)
    let (feeds, starves) = (queue.feeds(RunID(1), nil), queue.starves(RunID(1)))
    #expect(ending == .over && !feeds && !starves)
  }

  @Test func sourcesThatWereAlreadyFedAreNotFedAgain() {
    var queue = Self.queue([2, 3])
    let ending = queue.end(of: Self.source(1), in: RunID(1), untilJoin: 0, untilEnd: 0)
    queue.setFollowing([2, 4].map(Self.source))
    #expect(ending == .over)
    #expect(queue.source?.id == 2)
    #expect(queue.following.map(\.id) == [4])
  }

  /// The feeder moves on by itself, so the request may come too late for its source.
  @Test(arguments: [(1, false), (2, true)]) func expectsMoreOfTheNamedSourceOnly(of id: Int, isExpected: Bool) {
    var queue = Self.queue([2])
    _ = queue.end(of: Self.source(1), in: RunID(1), untilJoin: 0, untilEnd: 0)
    queue.setExpectsMore(true, of: id)
    #expect(queue.expectsMore == isExpected)
  }

  @Test func starvingIsReportedOnce() {
    var queue = Self.queue()
    let results = [
      queue.starves(RunID(1)), queue.starves(RunID(1)), queue.feeds(RunID(1), nil), queue.starves(RunID(1)),
    ]
    #expect(results == [true, false, true, true])
  }

  @Test func findsTheStretchThatIsHeard() {
    var queue = Self.queue()
    #expect(queue.stretch(at: 5) == nil)
    for (track, time) in [(1, 10), (2, 20)] as [(Int, Int64)] {
      _ = queue.feeds(RunID(1), .init(trackID: track, runningTime: time, position: 0))
    }
    for (time, track) in [(0, 1), (10, 1), (19, 1), (20, 2), (99, 2)] as [(Int64, Int)] {
      #expect(queue.stretch(at: time)?.trackID == track)
    }
  }
}
