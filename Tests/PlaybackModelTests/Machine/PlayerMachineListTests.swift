import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// Items whose address is a playlist.
@Suite struct PlayerMachineListTests {
  private let now = PlayerTable.now
  private let x = "http://host/x"
  private let y = "http://host/y"
  private let z = "http://host/z"

  private func uris(_ actions: [PlayerMachine.Action]) -> [String] {
    commands(actions).flatMap { command -> [String] in
      switch command {
      case .start(_, let track, let followers, _, _): ([track] + followers.prefix(1)).map(\.uri)
      case .stage(let tracks): tracks.prefix(1).map(\.uri)
      default: []
      }
    }
  }

  /// Item a is a playlist of x, y and z; item b follows.
  private func machine(playing: Bool = true) -> PlayerMachine {
    var machine = PlayerTable.machine(in: .transitioning)
    _ = machine.handle(.listed(trackID: 1, [x, y, z].listed), now: now)
    if playing { _ = machine.handle(.playing(generation: 2, position: .zero), now: now) }
    return machine
  }

  @Test func listedTracksReplaceItem() {
    var machine = PlayerTable.machine(in: .transitioning)
    let actions = machine.handle(.listed(trackID: 1, [x, y, z].listed), now: now)
    #expect(uris(actions) == [x, y])
    #expect(machine.state == .transitioning)
    #expect(machine.item == PlayerTable.a)
    #expect(machine.trackURI == x)
    #expect([machine.trackNumber, machine.trackCount] == [1, 3])
    // The item's duration is that of the whole list.
    #expect(machine.duration == nil)
  }

  @Test func tracksPlayInOrderThenNextItem() throws {
    var machine = machine()
    for (uri, number) in [(y, 2), (z, 3)] {
      let track = try #require(machine.deck.queue.followers.first?.track)
      #expect(track.uri == uri)
      _ = machine.handle(.trackStarted(generation: 2, trackID: track.id, position: .zero), now: now)
      #expect(machine.trackNumber == number)
      #expect(machine.item == PlayerTable.a)
      #expect(machine.next == PlayerTable.b)
    }
    let track = try #require(machine.deck.queue.followers.first?.track)
    _ = machine.handle(.trackStarted(generation: 2, trackID: track.id, position: .zero), now: now)
    #expect(machine.item == PlayerTable.b)
    #expect([machine.trackNumber, machine.trackCount] == [1, 1])
  }

  /// Regression: the third track of a list was not staged and began with a gap.
  @Test func allTracksAreStagedAhead() throws {
    var machine = PlayerTable.machine(in: .transitioning)
    let actions = machine.handle(.listed(trackID: 1, [x, y, z].listed), now: now)
    guard case .start(_, _, let followers, _, _) = commands(actions).first else { throw SetupError("no start") }
    #expect(followers.map(\.uri) == [y, z, PlayerTable.b.uri])
    for track in followers {
      let actions = machine.handle(.trackStarted(generation: 2, trackID: track.id, position: .zero), now: now)
      // The followers are staged already.
      #expect(commands(actions) == [])
      #expect(machine.trackURI == track.uri)
    }
  }

  @Test func longListIsStagedUpToLookahead() throws {
    var machine = PlayerTable.machine(in: .transitioning)
    let addresses = (0..<20).map { "http://host/\($0)" }
    _ = machine.handle(.listed(trackID: 1, addresses.listed), now: now)
    for number in 1..<20 {
      #expect(
        machine.deck.sentFollowers.latest.map(\.track.uri)
          == Array((addresses + [PlayerTable.b.uri])[number...].prefix(12)))
      let next = try #require(machine.deck.queue.followers.first?.track)
      let kept = machine.deck.sentFollowers.latest.dropFirst().map(\.track)
      let actions = machine.handle(.trackStarted(generation: 2, trackID: next.id, position: .zero), now: now)
      #expect(machine.deck.sentFollowers.latest.map(\.track).starts(with: kept))
      #expect(
        commands(actions)
          == (kept == machine.deck.sentFollowers.latest.map(\.track)
            ? [] : [.stage(machine.deck.sentFollowers.latest.map(\.track))]))
    }
  }

  /// The items after an upcoming list are staged once the list is current.
  @Test func nothingIsStagedAfterUpcomingList() throws {
    var machine = PlayerTable.machine(in: .playing)
    let c = MediaItem(uri: "http://host/c")
    _ = machine.setUpcoming([PlayerTable.b, c])
    #expect(machine.deck.sentFollowers.latest.map(\.item) == [PlayerTable.b, c])
    let follower = try #require(machine.deck.queue.followers.first?.track)
    #expect(uris(machine.handle(.listed(trackID: follower.id, [x, y].listed), now: now)) == [x])
    #expect(machine.deck.sentFollowers.latest.map(\.track.uri) == [x])
    let first = try #require(machine.deck.queue.followers.first?.track)
    _ = machine.handle(.trackStarted(generation: 1, trackID: first.id, position: .zero), now: now)
    #expect(machine.deck.sentFollowers.latest.map(\.track.uri) == [y, c.uri])
  }

  @Test func listStartsAtFirstTrackAfterEnd() throws {
    var machine = machine()
    _ = machine.setUpcoming([])
    _ = try machine.selectTrack(3)
    _ = machine.handle(.ended(generation: 3), now: now)
    #expect(machine.state == .stopped)
    #expect(machine.trackNumber == 1)
    #expect(uris(try machine.play(now: now)) == [x, y])
  }

  @Test func skipMovesBetweenTracks() throws {
    var machine = machine()
    #expect(throws: PlayerError.noContents) { try machine.skipToPrevious() }
    #expect(uris(try machine.skipToNext()) == [y, z])
    #expect(uris(try machine.skipToPrevious()) == [x, y])
    #expect(uris(try machine.selectTrack(3)) == [z, PlayerTable.b.uri])
    #expect(throws: PlayerError.illegalSeekTarget) { try machine.selectTrack(4) }
    #expect(throws: PlayerError.illegalSeekTarget) { try machine.selectTrack(0) }
    _ = try machine.skipToNext()
    #expect(machine.item == PlayerTable.b)
  }

  @Test func selectTrackKeepsState() throws {
    var machine = machine()
    _ = try machine.pause(now: now)
    _ = try machine.selectTrack(2)
    #expect(machine.state == .paused)
    _ = machine.stop()
    _ = try machine.selectTrack(3)
    #expect(machine.state == .stopped)
    #expect(uris(try machine.play(now: now)) == [z, PlayerTable.b.uri])
  }

  @Test func repeatsOneTrackOfList() throws {
    var machine = machine()
    #expect(uris(machine.setRepeatsOne(true)) == [x])
    let track = try #require(machine.deck.queue.followers.first?.track)
    _ = machine.handle(.trackStarted(generation: 2, trackID: track.id, position: .zero), now: now)
    #expect(machine.trackNumber == 1)
    #expect(uris(machine.setRepeatsOne(false)) == [y])
  }

  @Test func failedTrackIsSkipped() {
    var machine = machine()
    #expect(uris(machine.handle(.failed(generation: 2, .notFound), now: now)) == [y, z])
    #expect(machine.error == nil)
    #expect(machine.state == .transitioning)
  }

  @Test func listWithoutPlayableTracksFails() {
    var machine = machine(playing: false)
    _ = machine.setUpcoming([])
    for generation in 2...4 { _ = machine.handle(.failed(generation: generation, .notFound), now: now) }
    #expect(machine.state == .stopped)
    #expect(machine.error == .notFound)
    #expect(machine.trackNumber == 1)
  }

  @Test func longListFailsAfterEightFailures() {
    var machine = PlayerTable.machine(in: .transitioning, next: false)
    _ = machine.handle(.listed(trackID: 1, (0..<100).map { "http://host/\($0)" }.listed), now: now)
    var generation = 2
    while machine.error == nil, generation < 100 {
      _ = machine.handle(.failed(generation: generation, .notFound), now: now)
      generation += 1
    }
    #expect(generation == 10)
  }

  @Test func deviceFailureStopsList() {
    var machine = machine()
    _ = machine.handle(.failed(generation: 2, .deviceMissing), now: now)
    #expect(machine.state == .stopped)
    #expect(machine.error == .deviceMissing)
  }

  @Test func nestedListsAreExpanded() throws {
    var machine = machine()
    // A follower turns out to be a list while another track plays.
    let follower = try #require(machine.deck.queue.followers.first?.track)
    #expect(
      uris(machine.handle(.listed(trackID: follower.id, ["http://host/1", "http://host/2"].listed), now: now)) == [
        "http://host/1"
      ])
    #expect([machine.trackNumber, machine.trackCount] == [1, 4])
    #expect(uris(try machine.skipToNext()) == ["http://host/1", "http://host/2"])
    #expect(uris(try machine.selectTrack(4)) == [z, PlayerTable.b.uri])
  }

  @Test func upcomingListIsExpanded() throws {
    var machine = PlayerTable.machine(in: .playing)
    let follower = try #require(machine.deck.queue.followers.first?.track)
    #expect(uris(machine.handle(.listed(trackID: follower.id, [x, y].listed), now: now)) == [x])
    #expect(machine.next == PlayerTable.b)
    let first = try #require(machine.deck.queue.followers.first?.track)
    _ = machine.handle(.trackStarted(generation: 1, trackID: first.id, position: .zero), now: now)
    #expect(machine.item == PlayerTable.b)
    #expect([machine.trackNumber, machine.trackCount] == [1, 2])
  }

  @Test func recursiveListFails() {
    var machine = PlayerTable.machine(in: .transitioning, next: false)
    var actions: [PlayerMachine.Action] = []
    for _ in 0..<20 where machine.error == nil {
      actions = machine.handle(.listed(trackID: machine.trackID, [PlayerTable.a.uri].listed), now: now)
    }
    #expect(machine.error == .badPlaylist)
    #expect(machine.state == .stopped)
    // The pipeline stops opening it.
    #expect(commands(actions).contains { if case .stop = $0 { true } else { false } })
  }

  /// Stations publish playlists of one track. Controllers compare the track's address with the one that they set.
  @Test func listOfOneKeepsItemAddress() {
    var machine = PlayerTable.machine(in: .transitioning)
    _ = machine.handle(.listed(trackID: 1, [x].listed), now: now)
    #expect(machine.trackURI == PlayerTable.a.uri)
    #expect(machine.duration == PlayerTable.a.duration)
  }
}
