import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Ends of streams with a station's headers and neither length nor ranges. `StreamNatureTests` covers the rules.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StreamEndTests {
  private let sound = Sound(seconds: 3, seed: 130)

  /// Serves a stream with the name of a station.
  private func serve(_ body: [UInt8], on server: MediaServer, change: @Sendable (inout Manners) -> Void) -> String {
    server.serve("stream", body) { manners in
      manners.framing = .chunked
      manners.ranges = false
      manners.headers = [Header("icy-name", "Test")]
      change(&manners)
    }
  }

  private func requests(_ server: MediaServer) -> Int { server.journal.requests(for: "/stream").count }

  /// Plays a stream to its end.
  /// - Parameter inRealTime: whether the output takes as long as a sound card, so that it still plays when a break is
  ///   noticed.
  private func hears(
    _ body: [UInt8], inRealTime: Bool = false, change: @escaping @Sendable (inout Manners) -> Void
  ) async throws -> (samples: [UInt8], requests: Int) {
    let server = try await MediaServer.start()
    defer { server.close() }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out sync=\(inRealTime)")) { test in
      try await test.play(serve(body, on: server, change: change))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    return (try folder.read("out"), requests(server))
  }

  @Test(arguments: [Manners.Framing.chunked, .close], [false, true])
  func anAnnouncementIsHeardOnce(_ framing: Manners.Framing, closes: Bool) async throws {
    let heard = try await hears(sound.wav) {
      $0.framing = framing
      $0.closes = closes
    }
    #expect(heard.samples.isSame(as: sound.samples))
    #expect(heard.requests == 1)
  }

  /// With titles, too, the last chunk is the end.
  @Test(arguments: [false, true]) func aQueueWithTitlesEndsOnce(closes: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = serve(try sound.encoded("lamemp3enc bitrate=128 cbr=true target=bitrate"), on: server) {
      $0.closes = closes
      $0.icy = ICY(interval: 4_000, titles: [.init(at: 0, "One")])
    }
    try await withPlayer(.null) { test in
      try await test.play(url)
      await test.wait("the title") { $0.title == "One" && $0.state == .playing }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(requests(server) == 1)
  }

  /// A body that lacks its last chunk was cut, even if the connection ended between two chunks.
  @Test(arguments: [false, true]) func aTrackThatIsCutBetweenChunksContinues(closes: Bool) async throws {
    let heard = try await hears(sound.wav, inRealTime: true) {
      $0.closes = closes
      $0.earlyClose = .init(after: 300_000, times: 1)
    }
    #expect(heard.samples.isSame(as: sound.samples))
    #expect(heard.requests == 2)
  }

  @Test(arguments: [false, true]) func aStationThatIsCutBetweenChunksContinues(closes: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let music = try Sound(seconds: 20, seed: 131).encoded("lamemp3enc bitrate=128 cbr=true target=bitrate")
    let url = serve(music, on: server) {
      $0.closes = closes
      $0.endless = true
      $0.rate = 40_000
      $0.icy = ICY(interval: 4_000, titles: [.init(at: 0, "One")])
      $0.earlyClose = .init(after: 80_000, times: 1)
    }
    try await withPlayer(.null) { test in
      try await test.play(url)
      await test.wait("sound after the cut") { $0.state == .playing && $0.position > .seconds(8) }
      #expect(await test.player.error == nil)
      #expect(await test.player.streamInfo?.isLive == true)
    }
    #expect(requests(server) == 2)
  }

  /// Playback continues with the buffered sound, and then with the rest on the same connection.
  @Test func aPauseIsFollowedByTheRest() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let folder = try TemporaryFolder()
    let long = Sound(seconds: 15, seed: 132)
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink location=\(folder.path)/out sync=true")) { test in
        try await test.play(serve(long.wav, on: server) { $0.closes = true })
        clock.run(until: .milliseconds(1_100))
        await test.wait("a second") { $0.position > .seconds(1) }
        try await test.player.pause()
        let paused = await test.player.position
        try await test.player.play()
        #expect(await test.player.position >= paused)
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    #expect(try folder.read("out").isSame(as: long.samples))
    #expect(requests(server) == 1)
  }

  /// After a pause in which the connection broke, the same track continues where it was.
  @Test func aBreakDuringAPauseIsFollowedByTheRest() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let folder = try TemporaryFolder()
    let long = Sound(seconds: 15, seed: 133)
    try await withPlayer(.bin("filesink location=\(folder.path)/out sync=true")) { test in
      // Barely faster than real time, so that the connection breaks in the middle.
      try await test.play(serve(long.wav, on: server) { $0.rate = 300_000 })
      await test.wait("a second") { $0.position > .seconds(1) }
      try await test.player.pause()
      server.closeConnections(for: "/stream")
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(try folder.read("out").isSame(as: long.samples))
    #expect(requests(server) >= 2)
  }
}
