import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// Servers that ignore ranges and send the whole file, some without declaring it: a seek reads from the beginning.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RangelessServerTests {
  static let lossless = ["noise1-44100-16-2-3s.wav", "noise1-44100-16-2-3s.flac", "noise1-44100-16-2-3s.aiff"]
  /// An MP4 file with moov at the end, and formats that are read by random access if the server supports it.
  static let others = ["half2-alac.m4a", "half2-vorbis.ogg", "half2-lame-vbr.mp3", "adts.aac"]

  @Test(arguments: lossless, [true, false])
  func aSeekLandsOnTheSample(_ name: String, silent: Bool) async throws {
    let target = Duration.milliseconds(1_937)
    let heard = try await play(name, silent: silent) { test in
      await test.wait("some of it") { $0.position > .milliseconds(200) }
      #expect(await test.player.canSeek)
      try await test.player.seek(to: target)
      await test.wait("the place") { $0.state == .playing && $0.position >= target && $0.canSeek }
    }
    let original = try Fixtures.named(name).pcm(.s16LE)
    let rest = Array(original[(Int((Double(target.nanoseconds) / 1e9 * 44_100).rounded()) * 4)...])
    let before = Array(heard.dropLast(rest.count))
    #expect(Array(heard.suffix(rest.count)).isSame(as: rest), "\(heard.count) bytes")
    #expect(before.isSame(as: Array(original.prefix(before.count))))
  }

  @Test(arguments: others) func everyFileWithAnEndIsSeekable(_ name: String) async throws {
    _ = try await play(name) { test in
      for target in [Duration.milliseconds(1_000), .milliseconds(500)] {
        await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(200) }
        try await test.player.seek(to: target)
        await test.wait("the place") { $0.state == .playing && $0.position > target }
      }
    }
  }

  @Test(arguments: lossless) func aStreamThatBreaksOffResumesWhereItWas(_ name: String) async throws {
    let heard = try await play(name, closing: .init(after: 200_001, times: 1))
    #expect(heard.isSame(as: try Fixtures.named(name).pcm(.s16LE)), "\(heard.count) bytes")
  }

  @Test func theNextTrackJoins() async throws {
    let server = try await MediaServer.start()
    let names = ["half1-alac.m4a", "half2-alac.m4a"]
    for name in names {
      server.put("/" + name, .file(try Fixtures.named(name).path)) {
        $0.ranges = false
        $0.silentOnRanges = true
      }
    }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out")) { test in
      try await test.play(server.url("/" + names[0]), next: server.url("/" + names[1]))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
    let original = try (1...2).flatMap { try Fixtures.named("half\($0).wav").pcm(.s16LE) }
    #expect(try folder.read("out").isSame(as: original))
  }

  /// Plays a fixture from a server without ranges to its end.
  private func play(
    _ name: String, silent: Bool = true, closing: Manners.EarlyClose? = nil,
    _ body: (PlayerUnderTest) async throws -> Void = { _ in }
  ) async throws -> [UInt8] {
    let server = try await MediaServer.start()
    server.put("/" + name, .file(try Fixtures.named(name).path)) {
      $0.ranges = false
      $0.silentOnRanges = silent
      $0.earlyClose = closing
    }
    let folder = try TemporaryFolder()
    let form = "capsfilter caps=audio/x-raw,format=S16LE"
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out")) { test in
        try await test.play(server.url("/" + name))
        clock.run(until: .milliseconds(500))
        try await body(test)
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    await server.stop()
    return try folder.read("out")
  }
}
