import Testing

@testable import PlaybackModel

/// The reactions of the machine to a failed track.
@Suite struct PlayerMachineFailureTests {
  private let now = PlayerTable.now
  private let a = PlayerTable.a
  private let b = PlayerTable.b

  /// `PlaylistSource` limits its attempts by `failedItems`, so a reset must be reported.
  @Test func playingAfterFailuresIsReportedWhilePaused() throws {
    var machine = PlayerTable.machine(in: .playing)
    _ = try machine.pause(now: now)
    _ = machine.handle(.failed(generation: 1, .notFound), now: now)
    #expect(machine.state == .paused)
    #expect(notice(machine.handle(.playing(generation: 2, position: .zero), now: now)) == .error)
  }

  @Test func errorRemainsUntilNextStart() throws {
    var machine = PlayerTable.machine(in: .transitioning, next: false)
    #expect(
      notice(machine.handle(.failed(generation: 1, .refused), now: now)) == [
        .state, .error, .position, .finished,
      ])
    #expect(machine.state == .stopped)
    #expect(machine.error == .refused)
    _ = try machine.play(now: now)
    #expect(machine.error == nil)
    #expect(machine.state == .transitioning)
  }

  /// The commands that start, stop or move playback end the display of failures; the others do not.
  @Test func failuresStayUntilACommand() throws {
    typealias Command = (inout PlayerMachine) throws -> Void
    let commands: [(String, isEnd: Bool, Command)] = [
      ("setItem", true, { _ = $0.setItem(self.b) }), ("setItem(nil)", true, { _ = $0.setItem(nil) }),
      ("play", true, { _ = try $0.play(now: self.now) }), ("stop", true, { _ = $0.stop() }),
      ("seek", true, { _ = try $0.seek(to: .zero) }), ("skipToNext", true, { _ = try $0.skipToNext() }),
      ("selectTrack", true, { _ = try $0.selectTrack(1) }), ("another source plays", true, { _ = $0.yield() }),
      ("cue", false, { _ = $0.cue(self.b) }), ("setUpcoming", false, { _ = $0.setUpcoming([]) }),
      ("setRepeatsOne", false, { _ = $0.setRepeatsOne(true) }),
    ]
    for (name, isEnd, command) in commands {
      var machine = PlayerMachine()
      _ = machine.setItem(a)
      _ = machine.setUpcoming([b])
      _ = try machine.play(now: now)
      _ = machine.handle(.failed(generation: 1, .notFound), now: now)
      _ = machine.handle(.failed(generation: machine.generation, .damaged), now: now)
      _ = machine.setUpcoming([a])
      #expect(machine.skipped?.uri == a.uri && machine.failure?.uri == b.uri, "\(name)")
      try command(&machine)
      #expect((machine.skipped == nil, machine.failure == nil) == (isEnd, isEnd), "\(name)")
    }
  }

  /// A track that was skipped is tried again in the next round.
  @Test func skippedTrackIsForgottenWhenItPlays() throws {
    for joins in [false, true] {
      var machine = PlayerMachine()
      _ = machine.setItem(a)
      _ = machine.setUpcoming([b, a])
      _ = try machine.play(now: now)
      _ = machine.handle(.failed(generation: 1, .notFound), now: now)
      _ = machine.handle(.playing(generation: 2, position: .zero), now: now)
      #expect(machine.skipped == TrackFailure(error: .notFound, uri: a.uri))
      if joins {
        let follower = machine.upcoming.count == 1 ? machine.deck.queue.followers[0].track.id : 0
        _ = machine.handle(.trackStarted(generation: 2, trackID: follower, position: .zero), now: now)
      } else {
        _ = machine.handle(.ended(generation: 2), now: now)
        #expect(machine.skipped != nil)
        _ = machine.handle(.playing(generation: 3, position: .zero), now: now)
      }
      #expect(machine.item == a)
      #expect(machine.skipped == nil)
    }
  }

  @Test func nextItemPlaysAfterFailure() {
    var machine = PlayerMachine()
    _ = machine.setItem(a)
    _ = machine.setUpcoming([b])
    _ = try? machine.play(now: now)
    let first = machine.handle(.failed(generation: 1, .notFound), now: now)
    #expect(machine.item == b)
    #expect(machine.state == .transitioning)
    #expect(machine.failedItems == 1)
    #expect(!notice(first).contains(.finished))
    // The last item fails.
    let last = machine.handle(.failed(generation: 2, .notFound), now: now)
    #expect(machine.state == .stopped)
    #expect(machine.failedItems == 2)
    #expect(notice(last).contains([.finished, .error]))
  }

  /// Regression: in an outage a playlist was skipped to its end, and its place was lost.
  @Test(arguments: [
    (PlaybackError.refused, "http://host/b", false), (.unreachable, "http://host/b", false),
    (.timedOut, "http://host:80/b", false), (.unknownHost, "http://host/b", false),
    // The next server may be reachable.
    (.refused, "http://host:8080/b", true), (.refused, "https://host/b", true), (.refused, "http://other/b", true),
    (.refused, "file:///b", true),
    // The server is reachable.
    (.notFound, "http://host/b", true), (.truncated, "http://host/b", true), (.stalled, "http://host/b", true),
    (.serverError(503), "http://host/b", true),
  ])
  func absentServerKeepsPlace(_ error: PlaybackError, next: String, goesOn: Bool) throws {
    var machine = PlayerMachine()
    let next = MediaItem(uri: next)
    _ = machine.setItem(a)
    _ = machine.setUpcoming([next])
    _ = try machine.play(now: now)
    let actions = machine.handle(.failed(generation: 1, error), now: now)
    #expect(machine.item == (goesOn ? next : a))
    #expect(machine.state == (goesOn ? .transitioning : .stopped))
    #expect(machine.error == (goesOn ? nil : error))
    #expect(machine.next == (goesOn ? nil : next))
    // Playback has not finished.
    #expect(!notice(actions).contains(.finished))
    #expect(machine.failedItems == (goesOn ? 1 : 0))
    // `play` tries again.
    _ = try machine.play(now: now)
    #expect(machine.state == .transitioning)
  }

  /// A reachable item later in the list is found.
  @Test func absentServerDoesNotKeepPlaceIfAnotherServerFollows() throws {
    var machine = PlayerMachine()
    _ = machine.setItem(a)
    _ = machine.setUpcoming([b, a, MediaItem(uri: "http://other/")])
    _ = try machine.play(now: now)
    for _ in 0..<3 { _ = machine.handle(.failed(generation: machine.generation, .refused), now: now) }
    #expect(machine.item?.uri == "http://other/")
    #expect(machine.state == .transitioning)
  }

  /// Without a network all servers are absent.
  @Test func placeIsKeptAfterEightAbsentServers() throws {
    var machine = PlayerMachine()
    _ = machine.setItem(MediaItem(uri: "http://host0/"))
    _ = try machine.play(now: now)
    for number in 1...12 where machine.isActive {
      _ = machine.setUpcoming([MediaItem(uri: "http://host\(number)/")])
      _ = machine.handle(.failed(generation: machine.generation, .unreachable), now: now)
    }
    #expect(machine.item?.uri == "http://host7/")
    #expect(machine.error == .unreachable)
    // `play` restarts the count.
    _ = try machine.play(now: now)
    _ = machine.handle(.failed(generation: machine.generation, .unreachable), now: now)
    #expect(machine.item?.uri == "http://host8/")
  }

  @Test func unplayableListYieldsToNextItem() {
    var machine = PlayerTable.machine(in: .transitioning)
    _ = machine.handle(.listed(trackID: 1, (0..<20).map { "http://host/\($0)" }.listed), now: now)
    for _ in 0..<FailurePolicy.maximumFailures {
      #expect(machine.item == a)
      _ = machine.handle(.failed(generation: machine.generation, .notFound), now: now)
    }
    #expect(machine.item == b)
    #expect(machine.next == nil)
    #expect(machine.state == .transitioning)
  }

  @Test func failedItemIsNotRepeated() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setRepeatsOne(true)
    _ = machine.handle(.failed(generation: 1, .notFound), now: now)
    #expect(machine.state == .stopped)
    #expect(machine.item == a)
    #expect(machine.error == .notFound)
  }

  @Test func deviceFailureStops() {
    var machine = PlayerMachine()
    _ = machine.setItem(a)
    _ = machine.setUpcoming([b])
    _ = try? machine.play(now: now)
    let actions = machine.handle(.failed(generation: 1, .deviceMissing), now: now)
    #expect(machine.item == a)
    #expect(machine.state == .stopped)
    #expect(!notice(actions).contains(.finished))
  }

  @Test func otherFailureResetsAbsences() {
    var policy = FailurePolicy()
    let candidates = FailurePolicy.Candidates(
      hasNextTrack: false, hasNextItem: true, repeatsOne: false, areOnSameServer: false)
    for _ in 1..<FailurePolicy.maximumFailures { #expect(policy.react(to: .refused, candidates) == .playNextItem) }
    #expect(policy.react(to: .notFound, candidates) == .playNextItem)
    #expect(policy.react(to: .refused, candidates) == .playNextItem)
    for _ in 2..<FailurePolicy.maximumFailures { #expect(policy.react(to: .refused, candidates) == .playNextItem) }
    #expect(policy.react(to: .refused, candidates) == .keepPlace)
  }
}
