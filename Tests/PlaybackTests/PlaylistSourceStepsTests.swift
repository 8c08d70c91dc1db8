import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// The commands that the playlist gives to the player, with a silent pipeline.
@Suite(.timeLimit(.minutes(1))) struct PlaylistSourceStepsTests {
  /// A list whose first track plays.
  private func withList(
    _ count: Int, repeats: Bool = false, _ body: (PlaylistUnderTest, SilentPipeline, [UInt32]) async throws -> Void
  ) async throws {
    try await withSilentPlayer { test, pipeline in
      let list = await PlaylistUnderTest(test)
      let ids = try await list.append((1...count).map { "http://host/\($0)" })
      await list.run { list in
        list.setRepeats(repeats)
        list.play()
      }
      pipeline.plays()
      await list.wait("sound") { $1.state == .playing }
      _ = pipeline.takeCommands()
      try await body(list, pipeline, ids)
    }
  }

  private func starts(_ commands: [PipelineCommand]) -> [String] {
    commands.compactMap { command in
      if case .start(_, let track, _, _, _) = command { track.uri } else { nil }
    }
  }

  @Test func editsOnlyStageFollowers() async throws {
    try await withList(4) { list, pipeline, ids in
      try await list.run { list in
        for after in [0, ids[0], ids[3]] {
          _ = try list.insert(PlaylistTrack(uri: "http://host/new", metadata: ""), after: after)
        }
        try list.delete(ids[1])
        try list.delete(ids[3])
        for value in [true, false] {
          list.setRepeats(value)
          list.setShuffles(value)
        }
      }
      let others = pipeline.takeCommands().filter { if case .stage = $0 { false } else { true } }
      #expect(others == [])
      #expect(pipeline.current?.uri == "http://host/1")
      #expect(await list.test.player.deck(.playlist).state == .playing)
      #expect(pipeline.staged.first?.uri == "http://host/new")
    }
  }

  @Test func movesAndUndoneRemovalsOnlyStageFollowers() async throws {
    try await withList(4) { list, pipeline, ids in
      try await list.run { list in
        try list.move([ids[3]], after: ids[0])
        try list.move([ids[0]], after: ids[2])
      }
      #expect(await list.run { $0.list.ids } == [ids[3], ids[1], ids[2], ids[0]])
      #expect(pipeline.staged.isEmpty)
      let deleted = try await list.run { list in
        try list.move([ids[0]], after: 0)
        return list.delete([ids[3], ids[2], 99])
      }
      #expect(deleted.map(\.id) == [ids[3], ids[2]])
      #expect(pipeline.staged.map(\.uri) == ["http://host/2"])
      try await list.run { try $0.restore(deleted) }
      #expect(await list.run { $0.list.ids } == [ids[0], ids[3], ids[1], ids[2]])
      #expect(pipeline.staged.first?.uri == "http://host/4")
      let others = pipeline.takeCommands().filter { if case .stage = $0 { false } else { true } }
      #expect(others == [])
      #expect(await list.currentID == ids[0])
    }
  }

  @Test func aReplacementIsOneStepAndCanBeUndone() async throws {
    try await withList(4) { list, pipeline, ids in
      try await list.run { try $0.seek(toID: ids[2]) }
      pipeline.plays()
      await list.wait("sound") { $1.state == .playing }
      _ = pipeline.takeCommands()
      var replaced = try await list.run { list in
        try list.replaceAll(with: (1...3).map { PlaylistTrack(uri: "http://host/new\($0)", metadata: "") })
      }
      #expect(replaced.tracks.map(\.id) == ids && replaced.state == .playing)
      #expect(await list.run { $0.list.ids } == replaced.added)
      #expect(starts(pipeline.takeCommands()) == ["http://host/new1"])
      // Tracks of other controllers, and those that belong to the replacement.
      let (other, late) = try await list.run { [replaced] list in
        let late = try list.insert(PlaylistTrack(uri: "http://host/late", metadata: ""), after: replaced.added[2])
        return (try list.insert(PlaylistTrack(uri: "http://host/other", metadata: ""), after: late), late)
      }
      replaced.added.append(late)
      try await list.run { [replaced] in try $0.undo(replaced) }
      #expect(await list.run { $0.list.ids } == ids + [other])
      #expect(await list.currentID == ids[2])
      #expect(starts(pipeline.takeCommands()).last == "http://host/3")
    }
  }

  @Test(arguments: [true, false]) func anUndoneReplacementStaysStoppedOrPlaysOn(choosesOther: Bool) async throws {
    try await withList(2) { list, pipeline, ids in
      await list.run { $0.stop() }
      let replaced = try await list.run {
        try $0.replaceAll(with: [PlaylistTrack(uri: "http://host/new", metadata: "")])
      }
      let other = try await list.run { try $0.insert(PlaylistTrack(uri: "http://host/other", metadata: ""), after: 0) }
      if choosesOther { try await list.run { try $0.seek(toID: other) } }
      pipeline.plays()
      await list.wait("sound") { $1.state == .playing }
      _ = pipeline.takeCommands()
      try await list.run { try $0.undo(replaced) }
      #expect(starts(pipeline.takeCommands()).isEmpty)
      #expect(await list.currentID == (choosesOther ? other : ids[0]))
      #expect(await list.test.player.deck(.playlist).state == (choosesOther ? .playing : .stopped))
    }
  }

  /// The former track resumes where it was, as it was.
  @Test(arguments: [TransportState.transitioning, .paused, .stopped], [false, true])
  func anUndoneReplacementResumes(state: TransportState, isCleared: Bool) async throws {
    try await withList(2) { list, pipeline, ids in
      try await list.run { list in
        if state == .paused { list.pause() }
        if state == .stopped { list.stop() }
      }
      try await list.test.player.seek(to: .seconds(40), of: .playlist)
      let replaced = try await list.run {
        isCleared ? $0.clear() : try $0.replaceAll(with: [PlaylistTrack(uri: "http://host/new", metadata: "")])
      }
      if !isCleared {
        pipeline.plays()
        await list.wait("sound") { $1.state == .playing }
      }
      _ = pipeline.takeCommands()
      try await list.run { try $0.undo(replaced) }
      let deck = await list.test.player.deck(.playlist)
      #expect((deck.state, deck.position, deck.item?.uri) == (state, .seconds(40), "http://host/1"))
      let positions = pipeline.takeCommands().compactMap { command -> Duration? in
        if case .start(_, _, _, let position, _) = command { position } else { nil }
      }
      // It starts once, at the position.
      #expect(positions == (state == .stopped ? [] : [.seconds(40)]))
      if state != .stopped { #expect(pipeline.staged.map(\.uri) == ["http://host/2"]) }
    }
  }

  /// Undone while the radio plays: the radio plays on.
  @Test func anUndoneReplacementLeavesAnotherSourceAlone() async throws {
    try await withList(2) { list, pipeline, ids in
      let replaced = try await list.run {
        try $0.replaceAll(with: [PlaylistTrack(uri: "http://host/new", metadata: "")])
      }
      let player = list.test.player
      await player.setItem(MediaItem(uri: "http://host/radio"), of: .radio)
      try await player.play(.radio)
      _ = pipeline.takeCommands()
      try await list.run { try $0.undo(replaced) }
      #expect(await player.source == .radio)
      #expect(await player.deck().state == .transitioning)
      #expect(pipeline.takeCommands().isEmpty)
      #expect(await list.run { $0.list.ids } == ids)
      #expect(await player.deck(.playlist).item?.tag == ids[0])
    }
  }

  @Test func aReplacementThatDoesNotFitChangesNothing() async throws {
    try await withList(2) { list, pipeline, ids in
      let huge = PlaylistTrack(uri: "http://host/huge", metadata: String(repeating: "x", count: Playlist.maximumBytes))
      await #expect(throws: PlaylistError.full) { try await list.run { try $0.replaceAll(with: [huge]) } }
      #expect(await list.run { $0.list.ids } == ids)
      #expect(pipeline.takeCommands().isEmpty)
    }
  }

  /// After all tracks were deleted and restored, the list is the same, and nothing plays.
  @Test func anUndoneClearDoesNotPlay() async throws {
    try await withList(3) { list, pipeline, ids in
      try await list.run { try $0.seek(toID: ids[1]) }
      let deleted = await list.run { $0.delete(ids) }
      #expect(await list.run { $0.list.count } == 0)
      try await list.run { try $0.restore(deleted) }
      #expect(await list.run { $0.list.ids } == ids)
      #expect(await list.currentID == ids[1])
      #expect(await list.test.player.deck(.playlist).state == .stopped)
      #expect(await list.test.player.deck(.playlist).item?.tag == ids[1])
    }
  }

  /// A follower replaced at the last moment may play nevertheless: its samples are in the device buffer already.
  @Test func followerReplacedAsItBecomesAudible() async throws {
    try await withList(3) { list, pipeline, ids in
      let old = pipeline.staged.first
      try await list.run { _ = try $0.insert(PlaylistTrack(uri: "http://host/new", metadata: ""), after: ids[0]) }
      #expect(pipeline.staged.first?.uri == "http://host/new")
      pipeline.joins(old)
      await list.wait("the second") { playlist, _ in playlist.currentID == ids[1] }
      #expect(pipeline.staged.first?.uri == "http://host/3")
      #expect(starts(pipeline.takeCommands()) == [])
    }
  }

  @Test func followerDeletedAsItBecomesAudible() async throws {
    try await withList(3) { list, pipeline, ids in
      let old = pipeline.staged.first
      try await list.run { try $0.delete(ids[1]) }
      pipeline.joins(old)
      await list.wait("the third") { playlist, _ in playlist.currentID == ids[2] }
      #expect(starts(pipeline.takeCommands()) == ["http://host/3"])
      #expect(await list.test.player.deck(.playlist).item?.uri == "http://host/3")
    }
  }

  @Test func lastFollowerDeletedAsItBecomesAudible() async throws {
    try await withList(2) { list, pipeline, ids in
      let old = pipeline.staged.first
      try await list.run { try $0.delete(ids[1]) }
      pipeline.joins(old)
      await list.waitForEnd()
      #expect(await list.currentID == ids[0])
      #expect(await list.test.player.deck(.playlist).item?.tag == ids[0])
      #expect(pipeline.current == nil)
    }
  }

  /// Regression: in an outage the list was skipped to its end.
  @Test(arguments: [false, true]) func absentServerKeepsTrack(_ repeats: Bool) async throws {
    try await withList(100, repeats: repeats) { list, pipeline, ids in
      pipeline.joins()
      await list.wait("the second") { playlist, _ in playlist.currentID == ids[1] }
      _ = pipeline.takeCommands()
      pipeline.fails(.refused)
      await list.waitForEnd()
      #expect(await list.currentID == ids[1])
      #expect(starts(pipeline.takeCommands()) == [])
      await list.run { $0.play() }
      #expect(starts(pipeline.takeCommands()) == ["http://host/2"])
      #expect(pipeline.staged.first?.uri == "http://host/3")
    }
  }

  /// Fails every track until no further one is tried.
  private func failEverything(_ list: PlaylistUnderTest, _ pipeline: SilentPipeline) async -> [String] {
    var tried: [String] = []
    while await list.test.player.deck(.playlist).state != .stopped, tried.count < 10 {
      tried += starts(pipeline.takeCommands())
      let before = await list.test.player.deck(.playlist).trackID
      pipeline.fails()
      await list.wait("the next try, or the end") { $1.trackID != before || $1.state == .stopped }
    }
    return tried
  }

  @Test(arguments: [false, true]) func eachTrackIsTriedOnceWhenAllFail(_ repeats: Bool) async throws {
    try await withList(4, repeats: repeats) { list, pipeline, ids in
      try await list.run { try $0.seek(toID: ids[0]) }
      #expect(await failEverything(list, pipeline) == (1...4).map { "http://host/\($0)" })
    }
  }

  /// A track alone in a repeating list follows itself and is tried once more, as a station may be absent for a moment.
  @Test(arguments: [(false, 1), (true, 2)]) func singleTrackIsRetriedOnceOnRepeat(
    repeats: Bool, tries: Int
  ) async throws {
    try await withList(1, repeats: repeats) { list, pipeline, ids in
      try await list.run { try $0.seek(toID: ids[0]) }
      #expect(await failEverything(list, pipeline) == Array(repeating: "http://host/1", count: tries))
      #expect(await list.currentID == ids[0])
    }
  }

  @Test func deviceFailureSkipsNothing() async throws {
    try await withList(3) { list, pipeline, ids in
      pipeline.fails(.deviceMissing)
      await list.waitForEnd()
      #expect(await list.currentID == ids[0])
      #expect(starts(pipeline.takeCommands()) == [])
      await list.run { $0.play() }
      #expect(starts(pipeline.takeCommands()) == ["http://host/1"])
    }
  }

  @Test func deletingPausedTrackCuesSuccessor() async throws {
    try await withList(2) { list, pipeline, ids in
      await list.run { $0.pause() }
      try await list.run { try $0.delete(ids[0]) }
      #expect(await list.currentID == ids[1])
      #expect(await list.test.player.deck(.playlist).state == .stopped)
      #expect(pipeline.current == nil)
      // Next plays although the track was paused.
      await list.run { $0.play() }
      await list.run { $0.pause() }
      await list.run { $0.previous() }
      #expect(await list.test.player.deck(.playlist).state == .transitioning)
    }
  }

  /// Next and Previous play only while the playlist is the current source.
  @Test(arguments: [("play", true), ("seekIndex", true), ("next", false), ("previous", false)])
  func nextAndPreviousDoNotChangeSource(_ command: String, takesOver: Bool) async throws {
    for current in [Source.playlist, .upnpAV] {
      let plays = current == .playlist || takesOver
      for otherPlays in current == .playlist ? [false] : [false, true] {
        try await withList(3) { list, pipeline, ids in
          try await list.run { try $0.seek(toID: ids[1]) }
          await list.run { $0.stop() }
          let player = list.test.player
          await player.setItem(MediaItem(uri: "http://host/av"), of: .upnpAV)
          await player.selectSource(current)
          if otherPlays { try await player.play(.upnpAV) }
          _ = pipeline.takeCommands()
          try await list.run { list in
            switch command {
            case "next": list.next()
            case "previous": list.previous()
            case "seekIndex": try list.seek(toIndex: 0)
            default: list.play()
            }
          }
          #expect(await player.source == (plays ? .playlist : current), "\(current)")
          #expect((starts(pipeline.takeCommands()) != []) == plays, "\(current)")
          #expect(await player.deck(.playlist).state == (plays ? .transitioning : .stopped))
          if !plays {
            #expect(await list.currentID == ids[1])
            #expect(await player.deck(.upnpAV).state == (otherPlays ? .transitioning : .stopped))
          }
        }
      }
    }
  }

  /// After random commands and events, the deck has the list's current track, followed by its successor.
  @Test(arguments: 0..<10) func deckAgreesWithList(_ seed: Int) async throws {
    try await withList(3, repeats: seed % 2 == 0) { list, pipeline, _ in
      var generator = SplitMix(state: UInt64(seed))
      for number in 0..<300 {
        let chance = Int.random(in: 0..<20, using: &generator)
        let random = Int.random(in: 0..<Int.max, using: &generator)
        switch chance {
        case 0: pipeline.fails()
        case 1: pipeline.ends()
        case 2, 3: pipeline.joins()
        case 4, 5: pipeline.plays()
        default: break
        }
        try await list.run { list in
          let ids = list.list.ids
          let id = ids.isEmpty ? 0 : ids[random % ids.count]
          switch chance {
          case 6..<9: _ = try list.insert(PlaylistTrack(uri: "http://host/n\(number)", metadata: ""), after: id)
          case 9..<11: if id > 0 { try list.delete(id) }
          case 11: list.setShuffles(random % 2 == 0)
          case 12: list.setRepeats(random % 2 == 0)
          case 13: if id > 0 { try list.seek(toID: id) }
          case 14: list.next()
          case 15: list.previous()
          case 16: list.play()
          case 17: random % 2 == 0 ? list.stop() : list.pause()
          case 18: if random % 10 == 0 { list.deleteAll() }
          default: break
          }
        }
        let (playlist, deck) = await list.both
        #expect(deck.item?.tag ?? 0 == playlist.currentID)
        #expect(deck.item?.uri == playlist.track(playlist.currentID)?.uri)
        if deck.failedItems == 0 {
          #expect(deck.next?.tag ?? 0 == playlist.successorID ?? 0)
          #expect(deck.upcoming.map(\.tag) == playlist.successors(PlayerMachine.lookahead))
        }
        #expect((deck.state == .noMedia) == (playlist.count == 0))
      }
    }
  }
}
