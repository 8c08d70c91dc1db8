import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// The playlist with the real pipeline.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PlaylistSourceTests {
  private static let clocked = OutputDescription.bin("fakesink sync=true")

  /// Runs a playlist of sounds from a media server.
  private func withPlaylist(
    _ sounds: [Sound], output: OutputDescription = clocked,
    _ body: (PlaylistUnderTest, [String], MediaServer) async throws -> Void
  ) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls = sounds.enumerated().map { server.serve("\($0.offset).wav", $0.element.wav) }
    try await withPlayer(output) { test in try await body(await PlaylistUnderTest(test), urls, server) }
  }

  @Test func listPlaysWithoutGap() async throws {
    let sounds = [1.1, 0.2, 0.2, 0.7].enumerated().map { Sound(seconds: $0.element, seed: UInt64($0.offset + 1)) }
    let folder = try TemporaryFolder()
    // One track plays twice, and one file is missing.
    let order = [0, 1, 1, 2, 3]
    try await withPlaylist(sounds, output: .bin("filesink location=\(folder.path)/out")) { list, urls, server in
      var tracks = order.map { urls[$0] }
      tracks.insert(server.url("/nothing"), at: 2)
      let ids = try await list.append(tracks)
      #expect(await list.currentID == ids[0])
      await list.run { $0.play() }
      await list.waitUntilFinished()
      #expect(await list.currentID == ids[0])
    }
    let expected = order.flatMap { sounds[$0].samples }
    let heard = try folder.read("out")
    #expect(heard.isSame(as: expected), "\(heard.count) of \(expected.count)")
  }

  @Test func repeatPlaysWithoutGap() async throws {
    let sounds = [Sound(seconds: 0.4, seed: 1), Sound(seconds: 0.3, seed: 2)]
    let folder = try TemporaryFolder()
    let output = OutputDescription.bin("filesink sync=true location=\(folder.path)/out")
    try await withPlaylist(sounds, output: output) { list, urls, _ in
      let ids = try await list.append(urls)
      await list.run { list in
        list.setRepeats(true)
        list.play()
      }
      await list.wait("the second round") { playlist, deck in playlist.currentID == ids[1] && deck.state == .playing }
      await list.wait("the first again") { playlist, _ in playlist.currentID == ids[0] }
      await list.run { $0.setRepeats(false) }
      await list.waitForEnd()
    }
    let round = sounds.flatMap(\.samples)
    let heard = try folder.read("out")
    // On a busy machine, the repetition may end after more than two rounds.
    let rounds = max(2, heard.count / round.count)
    #expect(heard.isSame(as: (0..<rounds).flatMap { _ in round }), "\(heard.count) bytes")
  }

  @Test func followerCanChangeDuringPlayback() async throws {
    let sounds = (1...4).map { Sound(seconds: $0 == 1 ? 3 : 0.8, seed: UInt64($0)) }
    let folder = try TemporaryFolder()
    let output = OutputDescription.bin("filesink sync=true location=\(folder.path)/out")
    try await withPlaylist(sounds, output: output) { list, urls, _ in
      let ids = try await list.append([urls[0], urls[1]])
      await list.run { $0.play() }
      await list.wait("half of the first") { _, deck in deck.position > .milliseconds(300) }
      // Another track follows now. An insert before the current track changes nothing.
      try await list.run { list in
        try list.delete(ids[1])
        _ = try list.insert(PlaylistTrack(uri: urls[2], metadata: ""), after: ids[0])
        _ = try list.insert(PlaylistTrack(uri: urls[3], metadata: ""), after: 0)
      }
      #expect(await list.currentID == ids[0])
      await list.wait("what was put in") { _, deck in deck.item?.uri == urls[2] }
      await list.waitForEnd()
    }
    #expect(try folder.read("out").isSame(as: sounds[0].samples + sounds[2].samples))
  }

  @Test(arguments: [false, true]) func stopsWhenAllTracksFail(_ repeats: Bool) async throws {
    try await withPlaylist([]) { list, _, server in
      try await list.append((1...4).map { server.url("/nothing\($0)") })
      await list.run { list in
        list.setRepeats(repeats)
        list.play()
      }
      await list.waitUntilFinished()
      #expect(await list.test.player.deck(.playlist).state == .stopped)
    }
  }

  @Test func singleTrackRepeats() async throws {
    try await withPlaylist([Sound(seconds: 0.3, seed: 1)]) { list, urls, _ in
      try await list.append(urls)
      await list.run { list in
        list.setRepeats(true)
        list.play()
      }
      await list.wait("its beginning") { _, deck in deck.state == .playing }
      let first = await list.test.player.deck(.playlist).trackID
      await list.wait("once more") { _, deck in deck.state == .playing && deck.trackID != first }
      #expect(await list.currentID == 1)
    }
  }

  @Test func playingTrackCanBeDeleted() async throws {
    let sounds = (1...3).map { Sound(seconds: 20, seed: UInt64($0)) }
    try await withPlaylist(sounds) { list, urls, _ in
      let ids = try await list.append(urls)
      await list.run { $0.play() }
      await list.wait("sound") { _, deck in deck.state == .playing }
      try await list.run { try $0.delete(ids[0]) }
      #expect(await list.currentID == ids[1])
      await list.wait("sound of the second") { _, deck in deck.state == .playing && deck.item?.uri == urls[1] }
      try await list.run { list in
        try list.seek(toID: ids[2])
        try list.delete(ids[2])
      }
      // It was the last one: playback ends, and the first track is cued.
      #expect(await list.currentID == ids[1])
      await list.waitForEnd()
      await list.run { $0.play() }
      await list.wait("sound again") { _, deck in deck.state == .playing }
      await list.run { $0.deleteAll() }
      #expect(await list.currentID == 0)
      #expect(await list.test.player.deck(.playlist).state == .noMedia)
    }
  }

  @Test func selectedTrackStartsOnce() async throws {
    let sounds = (1...2).map { Sound(seconds: 20, seed: UInt64($0)) }
    try await withPlaylist(sounds) { list, urls, _ in
      let ids = try await list.append(urls)
      try await list.run { list in
        try list.seek(toID: ids[1])
        list.play()
      }
      let first = await list.test.player.deck(.playlist).trackID
      await list.wait("sound") { _, deck in deck.state == .playing }
      await list.run { $0.play() }
      #expect(await list.test.player.deck(.playlist).trackID == first)
      #expect(await list.currentID == ids[1])
      // Selecting it again restarts it.
      try await list.run { try $0.seek(toIndex: 1) }
      #expect(await list.test.player.deck(.playlist).trackID != first)
      await #expect(throws: PlaylistError.idNotFound) { try await list.run { try $0.seek(toID: 99) } }
      await #expect(throws: PlaylistError.idNotFound) { try await list.run { try $0.seek(toID: 7) } }
    }
  }

  @Test func nextAndPreviousPlay() async throws {
    let sounds = (1...2).map { Sound(seconds: 20, seed: UInt64($0)) }
    try await withPlaylist(sounds) { list, urls, _ in
      let ids = try await list.append(urls)
      await list.run { $0.next() }
      #expect(await list.currentID == ids[1])
      await list.wait("sound") { _, deck in deck.state == .playing && deck.item?.uri == urls[1] }
      await list.run { $0.previous() }
      await list.wait("sound before") { _, deck in deck.state == .playing && deck.item?.uri == urls[0] }
      await list.run { $0.next() }
      await list.wait("sound after") { _, deck in deck.state == .playing && deck.item?.uri == urls[1] }
      await list.run { $0.next() }
      #expect(await list.currentID == ids[0])
      await list.waitForEnd()
    }
  }

  @Test func anotherSourceKeepsList() async throws {
    let sounds = (1...2).map { Sound(seconds: 20, seed: UInt64($0)) }
    try await withPlaylist(sounds) { list, urls, _ in
      let ids = try await list.append(urls)
      try await list.run { try $0.seek(toID: ids[1]) }
      await list.wait("sound") { _, deck in deck.state == .playing }
      await list.test.player.setItem(MediaItem(uri: urls[0]), of: .upnpAV)
      try await list.test.player.play(.upnpAV)
      #expect(await list.test.player.deck(.playlist).state == .stopped)
      #expect(await list.currentID == ids[1])
      #expect(await list.run { $0.list.ids } == ids)
      await list.test.wait("sound of the other") { $0.deck(.upnpAV).state == .playing }
      await list.run { $0.play() }
      await list.wait("sound again") { _, deck in deck.state == .playing && deck.item?.uri == urls[1] }
      #expect(await list.test.player.deck(.upnpAV).state == .stopped)
    }
  }
}
