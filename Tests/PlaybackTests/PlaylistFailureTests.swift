import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Failed tracks of a playlist: their errors stay visible until the next success or command.
@Suite(.timeLimit(.minutes(1))) struct PlaylistFailureTests {
  private func withList(
    _ count: Int, _ body: (PlaylistUnderTest, SilentPipeline, [UInt32]) async throws -> Void
  ) async throws {
    try await withSilentPlayer { test, pipeline in
      let list = await PlaylistUnderTest(test)
      let ids = try await list.append((1...count).map { "http://host/\($0)" })
      await list.run { $0.play() }
      try await body(list, pipeline, ids)
    }
  }

  /// Regression: the playlist prepared its first track again and thereby cleared the error.
  @Test(arguments: [1, 3]) func errorStaysWhenTheListHasEnded(_ count: Int) async throws {
    try await withList(count) { list, pipeline, ids in
      for _ in ids {
        let before = await list.test.player.deck(.playlist).trackID
        pipeline.fails()
        await list.wait("the next try, or the end") { $1.trackID != before || $1.state == .stopped }
      }
      await list.waitForEnd()
      #expect(await list.currentID == ids[0])
      #expect(await list.test.player.deck(.playlist).error == .notFound)
      #expect(await list.run { list in ids.allSatisfy { list.failures[$0]?.error == .notFound } })
      #expect(await list.test.player.failedTracks == count)
      await list.run { $0.play() }
      #expect(await list.test.player.deck(.playlist).error == nil)
    }
  }

  /// Regression: a broken track of a longer list was skipped silently.
  @Test func skippedTrackIsShownUntilItPlaysOrACommand() async throws {
    try await withList(3) { list, pipeline, ids in
      pipeline.fails(.serverError(503))
      await list.wait("the second track") { $1.item?.tag == ids[1] }
      pipeline.plays()
      await list.wait("sound") { $1.state == .playing }
      let deck = await list.test.player.deck(.playlist)
      #expect(deck.skipped?.uri == "http://host/1")
      #expect(deck.skipped?.tag == ids[0])
      #expect(deck.error == nil)
      #expect(await list.run { $0.failures[ids[0]]?.error } == .serverError(503))
      #expect(await list.run { $0.failures[ids[1]] } == nil)
      await list.run { $0.next() }
      #expect(await list.test.player.deck(.playlist).skipped == nil)
      // The mark in the list stays until the track plays.
      #expect(await list.run { $0.failures[ids[0]] } != nil)
      try await list.run { try $0.seek(toID: ids[0]) }
      #expect(await list.run { $0.failures[ids[0]] } != nil)
      pipeline.plays()
      await list.wait("sound") { $1.state == .playing }
      #expect(await list.run { $0.failures[ids[0]] } == nil)
    }
  }

  @Test func observersHearOfFailures() async throws {
    try await withList(2) { list, pipeline, ids in
      let counts = Monitor(0)
      await list.run { $0.observe { counts.update { $0 += 1 } } }
      let revision = await list.run { $0.failures.revision }
      pipeline.fails()
      await list.wait("the second track") { $1.item?.tag == ids[1] }
      #expect(counts.withLock { $0 } == 1)
      #expect(await list.run { $0.failures.revision } != revision)
    }
  }

  @Test func deletedTracksAreForgotten() async throws {
    try await withList(3) { list, pipeline, ids in
      for id in ids.dropFirst() {
        pipeline.fails()
        await list.wait("the next track") { $1.item?.tag == id }
      }
      try await list.run { try $0.delete(ids[0]) }
      #expect(await list.run { list in ids.map { list.failures[$0] != nil } } == [false, true, false])
      await list.run { $0.deleteAll() }
      #expect(await list.run { list in ids.map { list.failures[$0] != nil } } == [false, false, false])
    }
  }

  /// The audio device is to blame, not the track.
  @Test func deviceFailureMarksNoTrack() async throws {
    try await withList(2) { list, pipeline, ids in
      pipeline.fails(.deviceMissing)
      await list.waitForEnd()
      #expect(await list.test.player.deck(.playlist).error == .deviceMissing)
      #expect(await list.run { $0.failures[ids[0]] } == nil)
      #expect(await list.test.player.failedTracks == 0)
    }
  }
}
