import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Servers that are slow, fall silent or hang up: one case of each kind from end to end. `RecoveryTests` and
/// `LineupTests` cover the rules.
@Suite(.serialized, .timeLimit(.minutes(2))) struct NetworkTroubleTests {
  private let sound = Sound(seconds: 2.5, rate: 48_000, seed: 90)

  private func play(
    _ sound: Sound? = nil, settings: PlayerSettings = .init(), manners: Manners = Manners(),
    _ body: (PlayerUnderTest, MediaServer) async throws -> Void
  ) async throws -> [UInt8] {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", (sound ?? self.sound).wav) { $0 = manners }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
      try await test.play(url)
      try await body(test, server)
    }
    return try folder.read("out")
  }

  /// Waits until the current track and those after it are completely in memory: then the player requests one more.
  private func waitUntilInMemory(_ next: [String], _ test: PlayerUnderTest, _ server: MediaServer) async throws {
    let items = next.map { MediaItem(uri: $0) }
    let last = server.serve("last.wav", []) { $0.openDelay = .seconds(300) }
    await test.player.setUpcoming(items + [MediaItem(uri: last)])
    try await server.waitForRequest("/last.wav")
    await test.player.setUpcoming(items)
  }

  @Test func playbackPausesToBufferForAServerSlowerThanTheSound() async throws {
    var settings = PlayerSettings()
    settings.resumeFill = .milliseconds(600)
    let heard = try await play(settings: settings, manners: Manners { $0.rate = 120_000 }) { test, _ in
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(test.states.starts(with: [.stopped, .transitioning, .playing, .transitioning, .playing]))
      // The position stands still meanwhile.
      for (pause, resumption) in zip(test.moments, test.moments.dropFirst()).dropFirst(2)
      where pause.state == .transitioning && resumption.state == .playing {
        #expect(resumption.position - pause.position < .milliseconds(500))
      }
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  /// The next track is requested as soon as the current one is in memory, so the server has time to answer.
  @Test func theNextTrackOfASlowServerStillJoins() async throws {
    let second = Sound(seconds: 0.5, rate: 48_000, seed: 91)
    let heard = try await SimulatedClock.during { clock in
      try await play { test, server in
        let next = server.serve("next.wav", second.wav) { $0.openDelay = .milliseconds(1_500) }
        await test.player.setNext(MediaItem(uri: next))
        await test.wait(for: .playing)
        try await waitUntilInMemory([next], test, server)
        clock.run()
        await test.wait(for: .stopped)
        #expect(test.states == [.stopped, .transitioning, .playing, .stopped], "playback was interrupted")
        #expect(await test.player.item?.uri == next)
      }
    }
    #expect(heard.isSame(as: sound.samples + second.samples))
  }

  @Test func aStreamThatBreaksOffIsResumedByRange() async throws {
    // The resumed stream breaks off, too.
    let close = Manners.EarlyClose(at: 300_001, times: 2)
    let heard = try await play(manners: Manners { $0.earlyClose = close }) { test, server in
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(server.requests.contains { $0["Range"] == "bytes=300001-" })
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  /// Breaks off within the header, and before the first sound. The reader itself resumes once.
  @Test(arguments: [10, 30_001]) func aStreamThatBreaksOffBeforeTheFirstSoundIsRestarted(
    at bytes: Int
  ) async throws {
    let close = Manners.EarlyClose(at: bytes, times: 6)
    let heard = try await play(manners: Manners { $0.earlyClose = close }) { test, _ in
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  @Test func aServerThatFallsSilentIsRequestedAgain() async throws {
    var settings = PlayerSettings()
    settings.silenceTimeout = .milliseconds(300)
    let stall = Manners.Stall(after: 300_001, times: 1)
    let heard = try await SimulatedClock.during { clock in
      try await play(settings: settings, manners: Manners { $0.stall = stall }) { test, server in
        await test.wait("the second response") { $0.bufferLevel > .seconds(1.8) }
        // Shortly before the end of the first response.
        clock.run(until: .milliseconds(1_490))
        try await waitUntilInMemory([], test, server)
        #expect(server.journal.requests(for: "/a.wav").count >= 2)
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
        // No controller notices.
        #expect(test.states == [.stopped, .transitioning, .playing, .stopped])
      }
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  /// A transcoding server only estimates the length it declares. The next track joins. Without ranges, playback may
  /// pause until the whole file has been read once more.
  @Test(arguments: [true, false]) func aStreamShorterThanItsDeclaredLengthPlaysToItsEnd(hasRanges: Bool) async throws {
    let server = try await MediaServer.start()
    // Longer than the buffer.
    let long = Sound(seconds: 7, rate: 48_000, seed: 93)
    var settings = PlayerSettings()
    settings.bufferDepth = .seconds(5)
    server.put("/long.wav", .bytes(long.wav)) {
      $0.framing = .wrongLength(by: 5_000)
      $0.ranges = hasRanges
      // Ten times as fast as it plays, like a transcoder.
      $0.rate = 2_000_000
    }
    let sound = Sound(seconds: 1, rate: 48_000, seed: 96)
    server.put("/next.wav", .bytes(sound.wav))
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
        try await test.play(server.url("/long.wav"), next: server.url("/next.wav"))
        await test.wait("a full buffer") { $0.bufferLevel > .seconds(4) }
        // Makes room for the rest.
        clock.run(until: .milliseconds(2_500))
        if hasRanges { try await waitUntilInMemory([server.url("/next.wav")], test, server) }
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
        let isInterrupted = test.states != [.stopped, .transitioning, .playing, .stopped]
        #expect(!hasRanges || !isInterrupted, "\(test.states)")
      }
    }
    let heard = try folder.read("out")
    #expect(heard.isSame(as: long.samples + sound.samples), "\(heard.count)")
    await server.stop()
  }

  /// The next track is on the same server.
  @Test func aServerThatIsDownForLongIsAwaited() async throws {
    var settings = PlayerSettings()
    // Time for the first attempt to reconnect to fail.
    settings.stallTimeout = .seconds(2)
    settings.outageTimeout = .seconds(60)
    let server = try await MediaServer.start()
    // The connection breaks when the server stops, not before.
    let url = server.serve("a.wav", sound.wav) { $0.stall = .init(at: 300_044) }
    let next = server.serve("next.wav", sound.wav)
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
        try await test.play(url, next: next)
        await test.wait(for: .playing)
        await server.stop()
        // A little more than has arrived.
        clock.run(until: .milliseconds(1_700))
        await test.wait(for: .transitioning)
        // Longer than the timeout for a server that is up.
        try await Task.sleep(for: .seconds(3))
        let server = try await MediaServer.start(port: server.port)
        server.serve("a.wav", sound.wav)
        await test.wait(for: .playing)
        await test.player.setNext(nil)
        clock.run()
        await test.wait(for: .stopped)
        await server.stop()
        #expect(await test.player.error == nil)
        #expect(await test.player.item?.uri == url)
      }
    }
    let heard = try folder.read("out")
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  /// Regression: the timer of the next attempt and a seek connected although playback was paused.
  @Test func nothingConnectsWhilePaused() async throws {
    let sound = Sound(seconds: 20, rate: 48_000, seed: 95)
    let server = try await MediaServer.start()
    // Little faster than the sound, so that the stream breaks when the server stops.
    let url = server.serve("a.wav", sound.wav) { $0.rate = 240_000 }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait(for: .playing)
      await server.stop()
      await test.wait(for: .transitioning)
      try await test.player.pause()
      let server = try await MediaServer.start(port: server.port)
      server.serve("a.wav", sound.wav)
      // Longer than the pauses between attempts.
      try await Task.sleep(for: .seconds(3))
      #expect(server.requests.isEmpty)
      try await test.player.seek(to: .milliseconds(18_500))
      try await Task.sleep(for: .seconds(1))
      #expect(server.requests.isEmpty)
      #expect(await test.player.state == .paused)
      #expect(await test.player.position == .milliseconds(18_500))
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      await server.stop()
    }
    #expect(try folder.read("out").ends(with: sound.from(.milliseconds(18_500))))
  }

  /// The track cannot be resumed and plays as far as it was received.
  @Test func aTrackThatCannotBeResumedIsFollowedByTheNext() async throws {
    var settings = PlayerSettings()
    settings.stallTimeout = .seconds(1)
    let next = Sound(seconds: 1, rate: 48_000, seed: 94)
    let hold = Manners.Stall(at: 300_044)
    let heard = try await play(settings: settings, manners: Manners { $0.stall = hold }) { test, server in
      let url = server.serve("next.wav", next.wav)
      await test.player.setNext(MediaItem(uri: url))
      // A track that breaks off before its first sound is skipped.
      await test.wait(for: .playing)
      server.serve("a.wav", sound.wav) { $0.earlyClose = .init(at: 300_044) }
      server.closeConnections(for: "/a.wav")
      await test.wait("the next track") { $0.item?.uri == url }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(heard.isSame(as: Array(sound.samples.prefix(300_000)) + next.samples), "\(heard.count)")
  }

  /// Found by random joins: such a track was treated as a station and started over after a pause.
  @Test(arguments: [(.chunked, .seconds(2.5)), (.close, nil)] as [(Manners.Framing, Duration?)])
  func aPauseInATrackGeneratedOnTheFlyLosesNothing(_ framing: Manners.Framing, declared: Duration?) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wv", try sound.encoded("audioconvert ! wavpackenc")) { manners in
      manners.framing = framing
      manners.ranges = false
    }
    let folder = try TemporaryFolder()
    let capture = "audioconvert dithering=none ! audio/x-raw,format=S16LE ! filesink sync=true"
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(capture) location=\(folder.path)/out")) { test in
        await test.player.setItem(MediaItem(uri: url, duration: declared))
        try await test.player.play()
        clock.run(until: .milliseconds(500))
        await test.wait("half a second") { $0.position > .milliseconds(500) }
        try await test.player.pause()
        await test.wait("some of it") { $0.state == .paused && $0.position > .milliseconds(100) }
        clock.run()
        try await test.player.play()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    #expect(try folder.read("out").isSame(as: sound.samples))
    #expect(server.requests.count == 1)
  }

  /// Nothing declares whether the stream is a station or a file generated on the fly. The reopened stream has the same
  /// first bytes, as a file does, so the player skips to where it broke off.
  @Test(arguments: [true, false]) func aFileGeneratedOnTheFlyResumesWhereItBrokeOff(_ pauses: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", sound.wav) { manners in
      manners.framing = .chunked
      manners.ranges = false
      manners.rate = 400_000
      manners.earlyClose = .init(after: 300_001, times: 1, reset: true)
    }
    let folder = try TemporaryFolder()
    let form = "capsfilter caps=audio/x-raw,format=S16LE"
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out")) { test in
        try await test.play(url)
        clock.run(until: .milliseconds(500))
        await test.wait("half a second") { $0.position > .milliseconds(500) }
        if pauses {
          try await test.player.pause()
          try await server.wait { $0.openConnections == 0 }
          try await test.player.play()
        }
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    let heard = try folder.read("out")
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
    #expect(server.requests.count > 1)
  }

  /// Found by random joins: aiffparse freed its buffer while it was still being filled, which sometimes crashed the
  /// program.
  @Test(arguments: ["audioconvert ! aiffmux", nil, "avenc_alac ! mp4mux"])
  func tracksCanBeAbandonedWhileTheyArrive(_ encoder: String?) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let sound = Sound(seconds: 8, seed: 92)
    let url = server.serve("a", try encoder.map { try sound.encoded($0) } ?? sound.wav)
    let warnings = try await LibraryWarnings.during {
      try await withPlayer { test in
        for round in 0..<60 {
          try await test.play(url)
          try await Task.sleep(for: .milliseconds(round % 12))
          if round % 2 == 0 { await test.player.stop() }
        }
      }
    }
    #expect(warnings.isEmpty, "\(warnings)")
  }

  /// Found by the thread sanitizer: a request that was cancelled while its response arrived crashed the program, even
  /// one that the reader had repeated after a broken connection.
  @Test func abandoningATrackDuringARepeatedRequestEndsIt() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(seconds: 8, seed: 93).wav) { manners in
      manners.openDelay = .milliseconds(500)
      manners.earlyClose = .init(after: 300_000, times: 1)
    }
    try await withPlayer { test in
      try await test.play(url)
      try await server.waitForRequest("/a.wav", count: 2)
      await test.player.stop()
      let journal = try await server.wait { $0.openConnections == 0 }
      #expect(journal.requests.count == 2)
    }
  }
}
