import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Streams whose head declares no end, as written by senders that encode while streaming.
@Suite(.serialized, .timeLimit(.minutes(3))) struct UnendingHeadTests {
  static let heads: [(name: String, head: [UInt8])] = [
    ("WAV FFFFFFDB", SizedHead.wav(0xFFFF_FFDB, 0xFFFF_FFB7)),
    ("WAV FFFFFFFF", SizedHead.wav(0xFFFF_FFFF, 0xFFFF_FFFF)),
    ("WAV 0", SizedHead.wav(0, 0)), ("WAV 36", SizedHead.wav(36, 0xFFFF_FFFF)), ("RF64", SizedHead.rf64(1 << 60)),
    ("AIFF", SizedHead.aiff(0xFFFF_FFFF)), ("AIFF by SoX", SizedHead.aiff(0x7F00_0000)),
    ("AU", SizedHead.au(0xFFFF_FFFF)), ("Wave64", SizedHead.wave64(.max)), ("Wave64 0", SizedHead.wave64(0)),
    ("CAF", SizedHead.caf(.max)),
  ]
  private static let seconds = 4.0
  private static let sound = Sound(seconds: seconds, seed: 141).samples

  /// The stream is live: no duration, no seek, one connection, which Stop closes.
  @Test(arguments: heads) func aHeadWithoutAnEndIsALiveStream(_ name: String, _ head: [UInt8]) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("live", head + Self.sound) {
      $0.framing = .chunked
      $0.endless = true
      $0.ranges = false
      $0.rate = 400_000
    }
    try await withPlayer(.null) { test in
      try await test.play(url)
      await test.wait("two seconds") { $0.position > .seconds(2) && $0.state == .playing }
      #expect(await test.player.duration == nil)
      #expect(await test.player.streamInfo?.isLive == true)
      #expect(await test.player.canSeek == false)
      #expect(server.journal.requests(for: "/live").count == 1)
      await test.player.stop()
      try await server.wait { $0.openConnections(for: "/live").isEmpty }
    }
  }

  /// With a length from the server it is a file, whose duration follows from the length.
  @Test(arguments: heads) func aLengthFromTheServerGivesTheDuration(_ name: String, _ head: [UInt8]) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("file", head + Self.sound)
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(url)
      await test.wait("sound") { $0.state == .playing && $0.duration != nil }
      #expect(await test.player.canSeek)
      #expect(await test.player.streamInfo?.isLive == false)
      let duration = await test.player.duration ?? .zero
      #expect(abs(Double(duration.nanoseconds) / 1e9 - Self.seconds) < 0.001, "\(duration)")
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }

  /// A stream that begins with the same bytes when it is reopened is a file, so that a pause keeps its place.
  @Test func aFileThatIsMadeOnTheFlyResumesWhereItWasPaused() async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("made", SizedHead.wav(0xFFFF_FFFF, 0xFFFF_FFFF) + Self.sound) {
      $0.framing = .chunked
      $0.ranges = false
    }
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(url)
      await test.wait("two seconds") { $0.position > .seconds(2) && $0.state == .playing }
      try await test.player.pause()
      await test.wait(for: .paused)
      let place = await test.player.position
      try await test.player.play()
      await test.wait("sound") { $0.state == .playing }
      #expect(await test.player.position >= place)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }
}
