import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct PlayerMachineTests {
  private let now = PlayerTable.now
  private let a = PlayerTable.a
  private let b = PlayerTable.b
  private let c = MediaItem(uri: "http://host/c")

  private func track(_ id: Int, _ item: MediaItem) -> Track { Track(id: id, uri: item.uri, duration: item.duration) }

  @Test func documentedTableMatchesMachine() throws {
    let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let text = String(decoding: try readFile("/\(path)/docs/player.md"), as: UTF8.self)
    #expect(text.contains(PlayerTable.markdown), "docs/player.md must hold this table:\n\(PlayerTable.markdown)")
  }

  @Test func joinReportsNextItemInOneNotice() throws {
    var machine = PlayerTable.machine(in: .playing)
    let actions = machine.handle(.trackStarted(generation: 1, trackID: 2, position: .zero), now: now)
    #expect(commands(actions).isEmpty)
    #expect(notice(actions) == [.item, .next, .position, .duration, .capabilities])
    #expect(machine.item == b)
    #expect(machine.next == nil)
    #expect(machine.state == .playing)
    #expect(machine.position(now: now + .seconds(3)) == .seconds(3))
  }

  @Test func factsOfFollowerAppearWithIt() {
    var machine = PlayerTable.machine(in: .playing)
    let info = StreamInfo(codecName: "FLAC", isSeekable: true)
    #expect(machine.handle(.streamInfo(trackID: 2, info), now: now).isEmpty)
    #expect(machine.handle(.duration(trackID: 2, .declared(.seconds(5))), now: now).isEmpty)
    let actions = machine.handle(.trackStarted(generation: 1, trackID: 2, position: .zero), now: now)
    #expect(notice(actions) == [.item, .next, .position, .duration, .streamInfo, .capabilities])
    #expect(machine.duration == .seconds(5))
    #expect(machine.streamInfo == info)
  }

  @Test func sameItemTwiceIsAnotherTrack() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setUpcoming([a])
    let actions = machine.handle(.trackStarted(generation: 1, trackID: 3, position: .zero), now: now)
    #expect(notice(actions).contains(.item))
    #expect(machine.item == a)
  }

  @Test func supersededFollowerBecomesCurrentWhenAudible() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setUpcoming([c])
    _ = machine.handle(.trackStarted(generation: 1, trackID: 2, position: .zero), now: now)
    #expect(machine.item == b)
    #expect(machine.next == c)
  }

  @Test func unchangedUpcomingItemsKeepTheirTracks() {
    var machine = PlayerTable.machine(in: .playing)
    #expect(commands(machine.setUpcoming([b, c, a])) == [.stage([track(2, b), track(3, c), track(4, a)])])
    #expect(commands(machine.setUpcoming([b, c, a])) == [])
    #expect(commands(machine.setUpcoming([b, a])) == [.stage([track(2, b), track(5, a)])])
    #expect(commands(machine.setUpcoming([])) == [.stage([])])
  }

  /// Several short tracks may be in the device buffer already.
  @Test func severalSupersededFollowersBecomeCurrent() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setUpcoming([b, c, b])
    _ = machine.setUpcoming([b, a])
    for (id, item) in [(2, b), (3, c), (4, b)] {
      _ = machine.handle(.trackStarted(generation: 1, trackID: id, position: .zero), now: now)
      #expect(machine.item == item)
      #expect(machine.next == a)
    }
    _ = machine.handle(.trackStarted(generation: 1, trackID: 5, position: .zero), now: now)
    #expect(machine.item == a)
    #expect(machine.next == nil)
  }

  @Test func eventsOfOldGenerationsAreIgnored() throws {
    var machine = PlayerTable.machine(in: .playing)
    _ = try machine.seek(to: .seconds(10))
    for event in [
      PipelineEvent.ended(generation: 1), .failed(generation: 1, .truncated), .playing(generation: 1, position: .zero),
      .trackStarted(generation: 1, trackID: 2, position: .zero), .buffering(generation: 1, position: .zero),
    ] {
      #expect(machine.handle(event, now: now).isEmpty)
    }
    #expect(machine.state == .playing)
    #expect(machine.item == a)
    #expect(machine.position(now: now + .seconds(5)) == .seconds(10))
    _ = machine.handle(.playing(generation: 2, position: .seconds(10)), now: now)
    #expect(machine.position(now: now + .seconds(5)) == .seconds(15))
  }

  @Test func followerThatDidNotJoinStartsAnew() {
    var machine = PlayerTable.machine(in: .playing)
    let actions = machine.handle(.ended(generation: 1), now: now)
    #expect(
      commands(actions) == [
        .start(generation: 2, track: Track(id: 2, uri: b.uri), followers: [], at: .zero, paused: false)
      ])
    #expect(machine.item == b)
    #expect(machine.state == .transitioning)
  }

  @Test func seekWhileStoppedSetsStartPosition() throws {
    var machine = PlayerTable.machine(in: .stopped, next: false)
    _ = try machine.seek(to: .seconds(30))
    #expect(machine.position(now: now) == .seconds(30))
    #expect(
      commands(try machine.play(now: now)) == [
        .start(
          generation: 1, track: Track(id: 1, uri: a.uri, duration: a.duration), followers: [], at: .seconds(30),
          paused: false)
      ])
    _ = machine.stop()
    #expect(machine.position(now: now) == .zero)
  }

  @Test func pauseHoldsPosition() throws {
    var machine = PlayerTable.machine(in: .playing)
    _ = try machine.pause(now: now + .seconds(7))
    #expect(machine.position(now: now + .seconds(20)) == .seconds(7))
    _ = machine.handle(.paused(generation: 1, position: .milliseconds(6_990)), now: now + .seconds(7))
    #expect(machine.position(now: now + .seconds(20)) == .milliseconds(6_990))
    _ = try machine.play(now: now + .seconds(20))
    // The position does not advance until the pipeline reports playing.
    #expect(machine.position(now: now + .seconds(30)) == .milliseconds(6_990))
  }

  @Test func endWhilePausedStaysPaused() throws {
    var machine = PlayerTable.machine(in: .paused)
    let actions = machine.handle(.ended(generation: 1), now: now)
    #expect(
      commands(actions) == [
        .start(generation: 2, track: Track(id: 2, uri: b.uri), followers: [], at: .zero, paused: true)
      ])
    #expect(machine.state == .paused)
    #expect(machine.item == b)
  }

  @Test func pausedLiveStreamRestarts() throws {
    var machine = PlayerTable.machine(in: .paused)
    _ = machine.handle(.streamInfo(trackID: 1, StreamInfo(isLive: true)), now: now)
    _ = machine.handle(.paused(generation: 1, position: .seconds(9)), now: now)
    // The pipeline ignores the position unless the stream turns out to be a file.
    guard case .start(2, _, _, .seconds(9), false) = commands(try machine.play(now: now)).first else {
      Issue.record("the stream resumes with old data")
      return
    }
    #expect(throws: PlayerError.seekNotAvailable) { try machine.seek(to: .seconds(3)) }
  }

  @Test func positionStopsAtTheEndOnlyIfThatIsCertain() {
    var machine = PlayerTable.machine(in: .playing)
    let later = now + .seconds(100)
    #expect(machine.duration == .seconds(60))
    #expect(machine.position(now: later) == .seconds(100))
    _ = machine.handle(.duration(trackID: 1, .declared(.seconds(50))), now: now)
    #expect(machine.duration == .seconds(50))
    #expect(machine.position(now: later) == .seconds(100))
    // The stream is longer than it and the item declare.
    #expect(notice(machine.handle(.duration(trackID: 1, .outlived), now: now)) == .duration)
    #expect(machine.duration == nil)
    #expect(machine.position(now: later) == .seconds(100))
    _ = machine.handle(.duration(trackID: 1, .exact(.seconds(70))), now: now)
    #expect(machine.duration == .seconds(70))
    #expect(machine.position(now: later) == .seconds(70))
  }

  @Test(arguments: [
    (Duration.seconds(1), true), (.milliseconds(1), true), (.seconds(500 * 3600), true), (.zero, false),
    (.seconds(-5), false), (.seconds(500 * 3600 + 1), false), (.milliseconds(0x7FFF_FFFF), false),
  ]) func impossibleDurationsAreUnknown(_ duration: Duration, isPossible: Bool) {
    var item = MediaItem(uri: "http://host/a", duration: duration)
    #expect(item.duration == (isPossible ? duration : nil))
    item.duration = nil
    item.duration = duration
    #expect(item.duration == (isPossible ? duration : nil))
  }

  @Test func factsOfOtherTracksAreIgnored() {
    var machine = PlayerTable.machine(in: .playing)
    #expect(machine.handle(.duration(trackID: 7, .declared(.seconds(3))), now: now).isEmpty)
    #expect(machine.handle(.tags(trackID: 7, TrackTags(title: "x")), now: now).isEmpty)
    #expect(notice(machine.handle(.duration(trackID: 1, .declared(.seconds(3))), now: now)) == .duration)
    #expect(machine.duration == .seconds(3))
  }

  /// Random commands and events keep the invariants.
  @Test(arguments: 0..<40) func invariantsHoldInAnyOrder(_ seed: Int) {
    var generator = SplitMix(state: UInt64(seed))
    var machine = PlayerMachine()
    var generation = 0
    for _ in 0..<300 {
      var actions: [PlayerMachine.Action] = []
      let before = machine.state
      switch Int.random(in: 0..<22, using: &generator) {
      case 0: actions = machine.setItem([a, b, c, nil].randomElement(using: &generator) ?? nil)
      case 1:
        let count = Int.random(in: 0...3, using: &generator)
        actions = machine.setUpcoming(Array([a, b, c].shuffled(using: &generator).prefix(count)))
      case 2, 3: actions = (try? machine.play(now: now)) ?? []
      case 4: actions = (try? machine.pause(now: now)) ?? []
      case 5: actions = machine.stop()
      case 6: actions = (try? machine.seek(to: .seconds(Int.random(in: 0..<90, using: &generator)))) ?? []
      case 7: actions = (try? machine.skipToNext()) ?? []
      case 8: actions = machine.handle(.ended(generation: generation), now: now)
      case 9: actions = machine.handle(.failed(generation: generation, .stalled), now: now)
      case 10: actions = machine.handle(.buffering(generation: generation, position: .zero), now: now)
      case 11:
        let id = Int.random(in: 0..<60, using: &generator)
        actions = machine.handle(.trackStarted(generation: generation, trackID: id, position: .zero), now: now)
      case 12, 13:
        let id = machine.deck.queue.current?.track.id ?? machine.deck.queue.followers.first?.track.id ?? 0
        actions = machine.handle(.listed(trackID: id, [c.uri, b.uri, a.uri].listed), now: now)
      case 14:
        actions = machine.handle(
          .listed(trackID: machine.deck.queue.followers.first?.track.id ?? 0, [c.uri, b.uri].listed), now: now)
      case 15: actions = (try? machine.skipToPrevious()) ?? []
      case 16: actions = (try? machine.selectTrack(Int.random(in: 0..<5, using: &generator))) ?? []
      case 17: actions = machine.setRepeatsOne(Bool.random(using: &generator))
      default: actions = machine.handle(.playing(generation: generation, position: .zero), now: now)
      }
      for command in commands(actions) {
        switch command {
        case .start(let next, _, _, _, _), .seek(let next, _, _, _, _), .stop(let next):
          #expect(next == generation + 1)
          generation = next
        default: break
        }
      }
      #expect((machine.state == .noMedia) == (machine.item == nil))
      #expect((machine.item == nil ? 0...0 : 1...machine.trackCount).contains(machine.trackNumber))
      #expect(machine.position(now: now) >= .zero)
      #expect(actions.filter { if case .notify = $0 { true } else { false } }.count <= 1)
      if machine.state != before { #expect(notice(actions).contains(.state)) }
      if machine.state == .playing || machine.state == .transitioning { #expect(machine.error == nil) }
    }
  }

  @Test func repeatedItemFollowsItself() {
    var machine = PlayerTable.machine(in: .playing)
    let actions = machine.setRepeatsOne(true)
    let repetitions = { (ids: ClosedRange<Int>) in ids.map { Track(id: $0, uri: a.uri, duration: a.duration) } }
    #expect(commands(actions) == [.stage(repetitions(3...14))])
    #expect(notice(actions) == .repeatsOne)
    let joined = machine.handle(.trackStarted(generation: 1, trackID: 3, position: .zero), now: now)
    #expect(notice(joined) == [.item, .position])
    #expect(commands(joined) == [.stage(repetitions(4...15))])
    #expect(machine.item == a)
    #expect(machine.next == b)
    // A seek announces further repetitions as new tracks.
    #expect(
      (try? machine.seek(to: .zero)).map(commands) == [
        .seek(
          generation: 2, track: Track(id: 3, uri: a.uri, duration: a.duration), followers: repetitions(4...15),
          to: .zero, paused: false)
      ])
    #expect(commands(machine.setUpcoming([c])).isEmpty)
    #expect(commands(machine.setRepeatsOne(false)) == [.stage([Track(id: 16, uri: c.uri)])])
  }

  @Test func repetitionThatDidNotJoinStartsAnew() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setRepeatsOne(true)
    #expect(
      commands(machine.handle(.ended(generation: 1), now: now)) == [
        .start(
          generation: 2, track: Track(id: 3, uri: a.uri, duration: a.duration),
          followers: (4...15).map { Track(id: $0, uri: a.uri, duration: a.duration) }, at: .zero, paused: false)
      ])
    #expect(machine.next == b)
  }

  @Test func skipLeavesRepeatedItem() throws {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setRepeatsOne(true)
    _ = try machine.skipToNext()
    #expect(machine.item == b)
    #expect(machine.next == nil)
    #expect(machine.repeatsOne)
    _ = machine.handle(.ended(generation: 2), now: now)
    #expect(machine.item == b)
  }

  @Test func supersededRepetitionBecomesCurrentWhenAudible() {
    var machine = PlayerTable.machine(in: .playing)
    _ = machine.setRepeatsOne(true)
    _ = machine.setRepeatsOne(false)
    _ = machine.handle(.trackStarted(generation: 1, trackID: 3, position: .zero), now: now)
    #expect(machine.item == a)
    #expect(machine.next == b)
  }
}
