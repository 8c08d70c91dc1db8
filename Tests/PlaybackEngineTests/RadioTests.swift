import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Radio stations: playlists that lead to streams, titles in the stream, and no end.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RadioTests {
  @Test(arguments: ["list.m3u", "list.pls", "list.xspf", "list.asx"])
  func aPlaylistPlaysItsFirstWorkingEntry(_ name: String) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = Sound(seconds: 0.5, seed: 110)
    let good = server.serve("good.wav", sound.wav)
    let bad = server.url("/gone.wav")
    let text =
      switch name {
      case "list.m3u": "#EXTM3U\n\(bad)\ngood.wav\n"
      case "list.pls": "[playlist]\nFile1=\(bad)\nFile2=\(good)\n"
      case "list.xspf":
        "<playlist><trackList><track><location>\(bad)</location></track><track><location>\(good)</location></track></trackList></playlist>"
      default: "<asx version=\"3.0\"><entry><ref href=\"\(bad)\"/></entry><entry><ref href=\"\(good)\"/></entry></asx>"
      }
    let list = server.serve(name, Array(text.utf8))
    let outer = server.serve("outer.m3u", Array("#EXTM3U\n\(list)\n".utf8))
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      for uri in [list, outer] {
        try await test.play(uri)
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
        #expect(await test.player.item?.uri == uri)
      }
    }
    #expect(try folder.read("out").isSame(as: sound.samples + sound.samples))
  }

  @Test func aPlaylistOfSeveralTracksPlaysWithoutAGap() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sounds = (0..<3).map { Sound(seconds: 0.5, seed: 112 + UInt64($0)) }
    for (index, sound) in sounds.enumerated() { server.serve("\(index).wav", sound.wav) }
    let list = server.serve("album.m3u", Array("#EXTM3U\n0.wav\n1.wav\n2.wav\n".utf8))
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      try await test.play(list)
      await test.wait("the tracks") { $0.trackCount == 3 }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(await test.player.trackNumber == 1)
    }
    #expect(try folder.read("out").isSame(as: sounds.flatMap(\.samples)))
  }

  /// The decoder refuses the document after its beginning, so the rest must be read afterwards.
  @Test func aLongPlaylistHasAllItsTracks() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = server.serve("sound.wav", Sound(seconds: 60, seed: 115).wav)
    let lines = (1...900).map { "#EXTINF:123,Artist - The title of track \($0)\n\(sound)\n" }
    let list = server.serve("album.m3u", Array(("#EXTM3U\n" + lines.joined()).utf8))
    try await withPlayer(.null) { test in
      try await test.play(list)
      await test.wait("the tracks") { $0.trackCount == 900 && $0.state == .playing }
    }
  }

  @Test func aPlaylistThatContainsItselfFails() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let list = server.serve("list.m3u", Array("#EXTM3U\nlist.m3u\n".utf8))
    try await withPlayer { test in
      try await test.play(list)
      await test.wait("the failure") { $0.error != nil }
      #expect(await test.player.state == .stopped)
    }
    #expect(server.requests.count < 20)
  }

  @Test func aStationReportsItsTitles() async throws {
    let music = try Sound(seconds: 20, seed: 111).encoded("lamemp3enc bitrate=128 cbr=true target=bitrate")
    let server = try await MediaServer.start()
    server.put("/radio.mp3", .bytes(music)) { manners in
      manners.endless = true
      manners.rate = 40_000
      manners.framing = .close
      manners.ranges = false
      manners.icy = ICY(
        interval: 4_000, name: "Test FM", titles: [.init(at: 0, "First – One"), .init(at: 60_000, "Second & Two")])
    }
    try await withPlayer(.null) { test in
      try await test.play(server.url("/radio.mp3"))
      await test.wait("the first title") { $0.title == "First – One" && $0.state == .playing }
      await test.wait("the second title") { $0.title == "Second & Two" }
      #expect(await test.player.streamInfo?.isLive == true)
      #expect(await test.player.canSeek == false)
      #expect(await test.player.duration == nil)
      try await test.player.pause()
      #expect(await test.player.state == .paused)
      try await test.player.play()
      await test.wait(for: .playing)
      await test.player.stop()
      #expect(await test.player.title == nil)
    }
    await server.stop()
  }

  /// Titles of a playlist with several tracks are reported; for a single station, the controller's title has priority.
  @Test func theTitlesOfAPlaylistAreReported() async throws {
    let server = try await MediaServer.start()
    server.put("/a.wav", .bytes(Sound(seconds: 3, seed: 116).wav))
    server.put("/b.wav", .bytes(Sound(seconds: 30, seed: 119).wav))
    server.put("/album.m3u", .text("#EXTM3U\n#EXTINF:1,One\na.wav\n#EXTINF:1,Two\nb.wav\n"))
    server.put("/station.pls", .text("[playlist]\nFile1=b.wav\nTitle1=Station\n"))
    try await withPlayer(.null) { test in
      try await test.play(server.url("/album.m3u"))
      await test.wait("the first") { $0.title == "One" && $0.state == .playing }
      await test.wait("the second") { $0.title == "Two" && $0.trackNumber == 2 }
      try await test.play(server.url("/station.pls"))
      await test.wait("the station") { $0.title == "Station" && $0.state == .playing }
      await test.player.setItem(MediaItem(uri: server.url("/station.pls"), metadata: "<DIDL-Lite/>"))
      await test.wait("the sound") { $0.state == .playing }
      #expect(await test.player.title == nil)
    }
    await server.stop()
  }

  @Test func aStationThatGoesOffTheAirIsAwaited() async throws {
    let music = try Sound(seconds: 20, seed: 117).encoded("lamemp3enc bitrate=128 cbr=true target=bitrate")
    let server = try await MediaServer.start()
    let station = { @Sendable (title: String, change: @Sendable (inout Manners) -> Void) in
      server.put("/radio.mp3", .bytes(music)) { manners in
        manners.endless = true
        manners.rate = 40_000
        manners.framing = .close
        manners.icy = ICY(interval: 4_000, name: "Test FM", titles: [.init(at: 0, title)])
        change(&manners)
      }
    }
    station("Before") { $0.earlyClose = .init(after: 120_000, times: 1) }
    try await withPlayer(.null) { test in
      try await test.play(server.url("/radio.mp3"))
      await test.wait("the first title") { $0.title == "Before" && $0.state == .playing }
      // The station is off the air for two seconds after it closes the connection.
      station("Before") {
        $0.earlyClose = .init(after: 120_000, times: 1)
        $0.status = .init(503)
      }
      try await server.waitForRequest("/radio.mp3", count: 2)
      try await Task.sleep(for: .seconds(2))
      station("After") { _ in }
      await test.wait("the title afterwards") { $0.title == "After" && $0.state == .playing }
      #expect(await test.player.error == nil)
      #expect(await test.player.streamInfo?.isLive == true)
      // The position continues, because it is listening time.
      #expect(await test.player.position > .seconds(2))
    }
    await server.stop()
  }

  /// A stream generated on the fly has neither length nor ranges; its end is the end of the track.
  @Test func aStreamWithoutLengthEndsUnlessItIsAStation() async throws {
    let server = try await MediaServer.start()
    let music = try Sound(seconds: 1, seed: 118).encoded("lamemp3enc bitrate=128 cbr=true target=bitrate")
    server.put("/song.mp3", .bytes(music)) {
      $0.framing = .chunked
      $0.ranges = false
    }
    try await withPlayer(.null) { test in
      try await test.play(server.url("/song.mp3"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(server.journal.requests(for: "/song.mp3").count == 1)
    await server.stop()
  }
}
