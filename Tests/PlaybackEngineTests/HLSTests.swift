import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// HTTP Live Streaming: playlists of segments, complete or growing.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HLSTests {
  private static let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,rate=44100,channels=2"

  @Test func aCompletePlaylistPlaysToItsEnd() async throws {
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
    // Segments declare no encoder delay, so there is one more AAC block at either end.
    #expect(abs(heard.count - 12 * 44_100) <= 2_048, "\(heard.count)")
    let original = Signal(try Fixtures.named("noise12-44100-16-2-30s.wav").pcm(.s16LE)).left
    #expect(heard.lag(of: original, at: 20_000, reach: 2_048) == heard.lag(of: original, at: 500_000, reach: 2_048))
  }

  /// Regression: the demuxer leaves them in its addresses, and servers did not find the segments.
  @Test func dotSegmentsInAddressesAreRemoved() async throws {
    let folder = try TemporaryFolder()
    let segment = "hls00.ts"
    try folder.write(segment, readFile(Fixtures.folder() + "/" + segment))
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.021678,\n./x/../\(segment)\n#EXT-X-ENDLIST\n"
    try folder.write("list.m3u8", Array(list.utf8))
    let server = try await MediaServer.start(folder: folder.path)
    try await withPlayer(.bin("fakesink sync=false")) { test in
      try await test.play(server.url("/list.m3u8"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
  }

  /// Regression: a segment that the server does not have ended the track.
  @Test(arguments: [3, 0]) func aMissingSegmentIsSkipped(_ missing: Int) async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let names = (0..<6).map { $0 == missing ? "gone.ts" : "hls0\($0).ts" }
    server.put("/list.m3u8", .text(Self.list(names, isComplete: true)))
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("\(Self.form) ! filesink location=\(folder.path)/out")) { test in
      try await test.play(server.url("/list.m3u8"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
    let heard = Signal(try folder.read("out")).left
    #expect(abs(Double(heard.count) / 44_100 - 5) < 0.2, "\(heard.count)")
  }

  @Test func aPlaylistWithoutItsSegmentsIsAnError() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    server.put("/list.m3u8", .text(Self.list((0..<9).map { "gone\($0).ts" }, isComplete: true)))
    try await withPlayer(.null) { test in
      try await test.play(server.url("/list.m3u8"))
      await test.wait("an error") { $0.error != nil }
    }
    await server.stop()
  }

  @Test func aLiveStreamGoesOnAfterAMissingSegment() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let names = (0..<12).map { $0 == 5 ? "gone.ts" : String($0 < 10 ? "hls0\($0).ts" : "hls\($0).ts") }
    func list(_ first: Int) -> Resource { .text(Self.list(Array(names[first..<first + 4]), first)) }
    server.put("/live.m3u8", list(0))
    try await withPlayer(.null) { test in
      async let growing: Void = {
        for first in 1...8 {
          try await Task.sleep(for: .seconds(1))
          server.put("/live.m3u8", list(first))
        }
      }()
      try await test.play(server.url("/live.m3u8"))
      await test.wait("sound after the gap") { $0.position > .seconds(6) || $0.error != nil }
      #expect(await test.player.error == nil)
      await test.player.stop()
      try await growing
    }
    #expect(server.requests.filter { $0.path == "/live.m3u8" }.count > 2)
    await server.stop()
  }

  private static func list(_ names: [String], _ first: Int = 0, isComplete: Bool = false) -> String {
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
      + names.map { "#EXTINF:1.0,\n\($0)\n" }.joined() + (isComplete ? "#EXT-X-ENDLIST\n" : "")
  }

  @Test func aCompletePlaylistIsSeekable() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    try await SimulatedClock.during { clock in
      try await withPlayer(.null) { test in
        try await test.play(server.url("/hls.m3u8"))
        await test.wait(for: .playing)
        try await test.player.seek(to: .seconds(9))
        await test.wait("sound there") { $0.state == .playing && $0.position >= .seconds(9) }
        clock.run()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    await server.stop()
  }

  /// Within a segment, near its beginning and end, and across several segments.
  @Test(arguments: [2_350, 5_010, 8_990].map { Duration.milliseconds($0) }, [true, false])
  func aSeekIsExact(_ target: Duration, playing: Bool) async throws {
    let whole = try await play(to: .zero, playing: false)
    let heard = try await play(to: target, playing: playing)
    let rest = Array(whole[Int((Double(target.nanoseconds) / 1e9 * 44_100).rounded())...])
    let end = Array(heard.suffix(rest.count))
    #expect(playing || heard.count == rest.count, "\(heard.count) of \(rest.count)")
    for place in [5_000, rest.count / 2, rest.count - 5_000] {
      #expect(end.lag(of: rest, at: place, reach: 3_000) == 0, "around \(place) of \(rest.count)")
    }
  }

  private func play(to target: Duration, playing: Bool) async throws -> [Int16] {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    defer { server.close() }
    let folder = try TemporaryFolder()
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(Self.form) ! filesink sync=\(playing) location=\(folder.path)/out")) { test in
        await test.player.setItem(MediaItem(uri: server.url("/hls.m3u8")))
        if playing {
          try await test.player.play()
          clock.run(until: .milliseconds(500))
          await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(200) }
        }
        if target > .zero { try await test.player.seek(to: target) }
        clock.run()
        try await test.player.play()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
    return Signal(try folder.read("out")).left
  }

  @Test func aGrowingPlaylistIsALiveStream() async throws {
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
    list((first..<first + 4).map { "hls\($0 < 10 ? "0" : "")\($0).ts" }, first)
  }
}
