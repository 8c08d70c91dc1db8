import Testing

@testable import PlaybackModel

@Suite struct AnnouncementQueueTests {
  private static let sound = AnnouncementSound([.init(rate: 8_000, channels: 1, samples: [1, 2, 3])])

  private static func request(_ name: String) -> AnnouncementRequest { AnnouncementRequest(.address(name)) }

  /// Adds and loads an announcement.
  private static func add(_ name: String, to queue: inout AnnouncementQueue) throws -> (Int, [AnnouncementQueue.Action])
  {
    let (id, actions) = try queue.add(request(name))
    #expect(actions == [.load(id, request(name))])
    return (id, queue.loaded(id, .success(sound)))
  }

  @Test func oneIsHeardAfterTheOther() throws {
    var queue = AnnouncementQueue()
    let (first, begins) = try Self.add("a", to: &queue)
    #expect(begins == [.queued(first), .play(first, Self.sound, Self.request("a"))])
    let (second, waits) = try Self.add("b", to: &queue)
    #expect(waits == [.queued(second)])
    #expect(queue.isPlaying)
    #expect(queue.count == 1)
    let follows = queue.ended(first, nil)
    #expect(follows == [.finished(first, nil), .play(second, Self.sound, Self.request("b"))])
    let last = queue.ended(second, nil)
    #expect(last == [.finished(second, nil)])
    #expect(!queue.isPlaying)
  }

  @Test func theMusicPausesOnceForTwo() throws {
    func add(_ name: String, to queue: inout AnnouncementQueue) throws -> (Int, [AnnouncementQueue.Action]) {
      var request = Self.request(name)
      request.mode = .pause
      let id = try queue.add(request).id
      return (id, queue.loaded(id, .success(Self.sound)))
    }
    var queue = AnnouncementQueue()
    let (first, _) = try add("a", to: &queue)
    let slow = try queue.add(Self.request("slow")).id
    let (second, follows) = try add("b", to: &queue)
    #expect(follows == [.queued(second), .follow(Self.sound.duration)])
    let (_, waits) = try add("c", to: &queue)
    #expect(waits.count == 1)
    // The place that was made is for that one.
    _ = queue.loaded(slow, .success(Self.sound))
    guard case .play(second, _, _) = queue.ended(first, nil).last else { throw Missing() }
    // The next one does not pause.
    guard case .play(slow, _, _) = queue.ended(second, nil).last else { throw Missing() }
  }

  private struct Missing: Error {}

  @Test func oneThatLoadsSlowlyHoldsUpNoOther() throws {
    var queue = AnnouncementQueue()
    let slow = try queue.add(Self.request("slow")).id
    let (fast, actions) = try Self.add("fast", to: &queue)
    #expect(actions == [.queued(fast), .play(fast, Self.sound, Self.request("fast"))])
    let arrives = queue.loaded(slow, .success(Self.sound))
    #expect(arrives == [.queued(slow)])
    let follows = queue.ended(fast, nil)
    #expect(follows.last == .play(slow, Self.sound, Self.request("slow")))
  }

  @Test func aFailureConcernsOnlyItsSender() throws {
    var queue = AnnouncementQueue()
    let (playing, _) = try Self.add("a", to: &queue)
    let failing = try queue.add(Self.request("b")).id
    let fails = queue.loaded(failing, .failure(.tooLarge))
    #expect(fails == [.finished(failing, .tooLarge)])
    #expect(queue.isPlaying)
    #expect(queue.count == 0)
    let lost = queue.ended(playing, .deviceBusy)
    #expect(lost == [.finished(playing, .failed(.deviceBusy))])
  }

  @Test func theNinthIsRefused() throws {
    var queue = AnnouncementQueue()
    _ = try Self.add("playing", to: &queue)
    for number in 1...AnnouncementQueue.maximumCount { _ = try queue.add(Self.request("\(number)")) }
    #expect(throws: AnnouncementError.full) { _ = try queue.add(Self.request("one more")) }
  }

  @Test func theSameAddressWaitsOnce() throws {
    var queue = AnnouncementQueue()
    let (first, _) = try Self.add("bell", to: &queue)
    // The one that is heard does not wait.
    let (second, _) = try Self.add("bell", to: &queue)
    #expect(throws: AnnouncementError.alreadyWaiting) { _ = try queue.add(Self.request("bell")) }
    _ = queue.ended(first, nil)
    _ = queue.ended(second, nil)
    _ = try queue.add(Self.request("bell"))
  }

  @Test func theSamplesThatWaitAreLimited() throws {
    var queue = AnnouncementQueue()
    let large = AnnouncementSound([
      .init(rate: 48_000, channels: 2, samples: [Int16](repeating: 0, count: AnnouncementSound.mostBytes / 2))
    ])
    _ = try Self.add("playing", to: &queue)
    for name in ["a", "b"] {
      let id = try queue.add(Self.request(name)).id
      let actions = queue.loaded(id, .success(large))
      #expect(actions == [.queued(id)])
    }
    let last = try queue.add(Self.request("c")).id
    let actions = queue.loaded(last, .success(large))
    #expect(actions == [.finished(last, .full)])
  }

  @Test(arguments: [
    (AnnouncementRequest.Volume.absolute(40), 30, 100, 40), (.absolute(90), 30, 60, 60), (.absolute(-1), 30, 100, 0),
    (.relative(0), 30, 100, 30), (.relative(10), 30, 100, 40), (.relative(50), 30, 60, 60),
    (.relative(-50), 30, 100, 0),
  ])
  func theVolumeIsLimited(volume: AnnouncementRequest.Volume, current: Int, limit: Int, step: Int) {
    #expect(volume.step(current: current, limit: limit) == step)
  }
}
