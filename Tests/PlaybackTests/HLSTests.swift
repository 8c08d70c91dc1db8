import MediaServerKit
import Testing

@testable import Playback

/// HTTP Live Streaming: a play list of segments, whole or growing.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HLSTests {
  private static let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,rate=44100,channels=2"

  @Test func aWholeListIsHeardToItsEnd() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("\(Self.form) ! filesink location=\(folder.path)/out")) { test in
      try await test.play(server.url("/hls.m3u8"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      let seconds = Double(await test.player.duration?.nanoseconds ?? 0) / 1e9
      #expect(abs(seconds - 12) < 0.1, "\(seconds) s")
      #expect(await test.player.streamInfo?.isLive == false)
      #expect(await test.player.trackCount == 1)
    }
    await server.stop()
    let heard = Signal(try folder.read("out")).left
    // Segments declare no delay: one block of AAC more at either end.
    #expect(abs(heard.count - 12 * 44_100) <= 2_048, "\(heard.count)")
    let original = Signal(try Fixtures.named("noise12-44100-16-2-30s.wav").pcm(.s16LE)).left
    #expect(heard.lag(of: original, at: 20_000, reach: 2_048) == heard.lag(of: original, at: 500_000, reach: 2_048))
  }

  @Test func oneCanMoveAboutInAWholeList() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    try await withPlayer(.null) { test in
      try await test.play(server.url("/hls.m3u8"))
      await test.wait(for: .playing)
      try await test.player.seek(to: .seconds(9))
      await test.wait("sound there") { $0.state == .playing && $0.position > .seconds(9) }
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
  }

  @Test func aGrowingListIsALiveStream() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    server.put("/live.m3u8", .text(Self.list(from: 0)))
    try await withPlayer(.null) { test in
      async let growing: Void = {
        for first in 1...8 {
          try await Task.sleep(for: .seconds(1))
          server.put("/live.m3u8", .text(Self.list(from: first)))
        }
      }()
      try await test.play(server.url("/live.m3u8"))
      await test.wait(for: .playing)
      #expect(await test.player.streamInfo?.isLive == true)
      #expect(await test.player.duration == nil)
      #expect(await test.player.canSeek == false)
      await test.wait("five seconds of it") { $0.position > .seconds(5) }
      #expect(await test.player.error == nil)
      await test.player.stop()
      try await growing
    }
    await server.stop()
  }

  /// Four of the segments, as a station shows them that has been on the air for a while.
  private static func list(from first: Int) -> String {
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
      + (first..<first + 4).map { "#EXTINF:1.0,\nhls\($0 < 10 ? "0" : "")\($0).ts\n" }.joined()
  }
}
