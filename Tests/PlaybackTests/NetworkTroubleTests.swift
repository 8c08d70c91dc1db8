import Testing

@testable import Playback

/// Servers that are slow, fall silent or hang up: nothing is lost, and what lasts too long is told.
@Suite(.serialized, .timeLimit(.minutes(2))) struct NetworkTroubleTests {
  private let sound = Sound(seconds: 4, rate: 48_000, seed: 90)

  private func play(
    _ resource: LoopbackServer.Resource, settings: PlayerSettings = .init(),
    _ body: (PlayerUnderTest, LoopbackServer) async throws -> Void
  ) async throws -> [UInt8] {
    let server = try LoopbackServer()
    defer { server.stop() }
    let url = server.serve("a.wav", resource)
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
      try await test.play(url)
      try await body(test, server)
    }
    return try folder.read("out")
  }

  private func states(_ test: PlayerUnderTest) -> Int {
    test.notices.withLock { $0.count { $0.contains(.state) } }
  }

  @Test func aServerSlowerThanTheSoundIsWaitedFor() async throws {
    var resource = LoopbackServer.Resource(sound.wav)
    resource.pace = 120_000
    var settings = PlayerSettings()
    settings.resumeFill = .milliseconds(600)
    let heard = try await play(resource, settings: settings) { test, _ in
      await test.wait(for: .playing)
      await test.wait(for: .transitioning)
      let position = await test.player.position
      await test.wait(for: .playing)
      #expect(await test.player.position - position < .milliseconds(100))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  @Test(arguments: [1, 2, 6]) func aStreamThatBreaksOffIsResumedByRange(_ times: Int) async throws {
    var resource = LoopbackServer.Resource(sound.wav)
    resource.stopsAfter = 300_001
    resource.closesThen = true
    resource.timesStopping = times
    // The rest, too, is cut off until the server has had its fill of it.
    resource.stopsEverywhere = true
    let heard = try await play(resource) { test, server in
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(server.requests.contains { $0.contains("\r\nrange: bytes=300001-") })
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  @Test func aServerThatFallsSilentIsAskedAgain() async throws {
    var resource = LoopbackServer.Resource(sound.wav)
    resource.stopsAfter = 300_001
    resource.timesStopping = 1
    var settings = PlayerSettings()
    settings.silenceTimeout = .milliseconds(500)
    let heard = try await play(resource, settings: settings) { test, _ in
      await test.wait(for: .playing)
      await test.wait(for: .transitioning)
      await test.wait(for: .playing)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
  }

  @Test func aServerThatStaysSilentIsGivenUp() async throws {
    var resource = LoopbackServer.Resource(sound.wav)
    resource.stopsAfter = 300_001
    var settings = PlayerSettings()
    settings.silenceTimeout = .milliseconds(300)
    settings.stallTimeout = .seconds(2)
    let heard = try await play(resource, settings: settings) { test, _ in
      await test.wait("the failure") { $0.error != nil }
      #expect(await test.player.error == .stalled)
      #expect(await test.player.state == .stopped)
    }
    #expect(sound.samples.starts(with: heard))
    #expect(heard.count > 200_000)
  }

  @Test func aTruncatedFileIsHeardAsFarAsItGoes() async throws {
    var resource = LoopbackServer.Resource(sound.wav)
    resource.stopsAfter = 300_044
    resource.closesThen = true
    resource.stopsEverywhere = true
    var settings = PlayerSettings()
    settings.stallTimeout = .seconds(1)
    let heard = try await play(resource, settings: settings) { test, _ in
      await test.wait("the failure") { $0.error != nil }
      #expect(await test.player.error == .truncated)
    }
    #expect(heard.isSame(as: Array(sound.samples.prefix(300_000))), "\(heard.count)")
  }

  @Test func theNextTrackOfASlowServerStillJoins() async throws {
    let second = Sound(seconds: 1, rate: 48_000, seed: 91)
    var slow = LoopbackServer.Resource(second.wav)
    slow.delay = .seconds(2)
    let slowResource = slow
    let heard = try await play(LoopbackServer.Resource(sound.wav)) { test, server in
      let next = server.serve("next.wav", slowResource)
      await test.player.setNext(MediaItem(uri: next))
      await test.wait("the next track") { $0.item?.uri == next }
      #expect(await test.player.state == .playing)
      await test.wait(for: .stopped)
    }
    #expect(heard.isSame(as: sound.samples + second.samples))
  }

  /// Found by random joins: aiffparse threw away its buffer while it was still being filled, and now and then the
  /// program ended with it.
  @Test(arguments: ["audioconvert ! aiffmux", nil, "avenc_alac ! mp4mux"])
  func tracksGivenUpWhileTheyArriveAreNoTrouble(_ encoder: String?) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let sound = Sound(seconds: 8, seed: 92)
    let url = server.serve("a", try encoder.map { try sound.encoded($0) } ?? sound.wav)
    let complaints = try await Complaints.during {
      try await withPlayer { test in
        for round in 0..<60 {
          try await test.play(url)
          try await Task.sleep(for: .milliseconds(round % 12))
          if round % 2 == 0 { await test.player.stop() }
        }
      }
    }
    #expect(complaints.isEmpty, "\(complaints)")
  }
}
