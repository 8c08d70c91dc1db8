import MediaOrigin
import Playback
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

/// Stations whose stream begins with a header that declares a length.
@Suite(.serialized, .timeLimit(.minutes(2))) struct StationTests {
  /// Each file declares a length of two to three seconds; the endless stream repeats the whole file.
  static let files = [
    "half1-lame-cbr.mp3", "half1-lame-vbr.mp3", "half1-lavc.mp3", "half1-note.mp3", "noise1-44100-16-2-3s.flac",
    "noise1-44100-16-2-3s.wav", "noise1-44100-16-2-3s.aiff", "half1-vorbis.ogg",
  ]

  @Test(arguments: files) func aStationIsEndlessDespiteTheLengthInItsHeader(_ name: String) async throws {
    let fixture = try Fixtures.named(name)
    let server = try await MediaServer.start()
    defer { server.close() }
    let bytes = try readFile(fixture.path)
    server.put("/radio", .bytes(bytes)) { manners in
      manners.endless = true
      manners.ranges = false
      manners.icy = ICY(interval: 1_000, name: "Test FM", titles: [.init(at: 0, "Now")])
      // The connection breaks once, in the third repetition.
      manners.earlyClose = .init(after: bytes.count * 5 / 2, times: 1)
    }
    let reported = Monitor<[Duration]>([])
    try await withPlayer(.null) { test in
      await test.player.observe { [player = test.player] _ in
        player.immediately { player in
          if let duration = player.duration { reported.update { $0.append(duration) } }
        }
      }
      try await test.play(server.url("/radio"))
      await test.wait(for: .playing)
      #expect(await test.player.streamInfo?.isLive == true)
      #expect(await test.player.canSeek == false)
      await test.wait("more than the head promises") { $0.position > fixture.duration * 3 && $0.state == .playing }
      #expect(await test.player.error == nil)
      #expect(await test.player.canSeek == false)
      await #expect(throws: PlayerError.seekNotAvailable) { try await test.player.seek(to: .seconds(1)) }
    }
    #expect(reported.withLock(\.isEmpty))
    #expect(server.journal.requests(for: "/radio").count >= 2)
  }

  /// A server that sends Content-Length has a file, even if it adds a station's headers to every response.
  @Test func aFileWithAStationsHeadersEnds() async throws {
    let fixture = try Fixtures.named("half1-lame-vbr.mp3")
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a.mp3", .file(fixture.path)) { $0.headers = [Header("icy-name", "Files")] }
    try await withPlayer { test in
      try await test.play(server.url("/a.mp3"))
      await test.wait("its length") { $0.duration != nil }
      #expect(await test.player.canSeek)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
  }
}
