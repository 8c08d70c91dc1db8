import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// A seek to exactly the end of a track plays none of its samples, and the next track begins.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SeekToEndTests {
  /// Regression: the next track was heard, but the old one stayed current until the next one had ended.
  @Test(arguments: FormatsTests.formats, [false, true])
  func theNextTrackBecomesCurrent(_ format: FormatsTests.Format, whilePaused: Bool) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let first = Sound(seconds: 3, seed: 21)
    let urls = [
      server.serve("first", try first.encoded(format.encoder ?? "wavenc")) { $0.type = .given(format.contentType) },
      server.serve("second.wav", Sound(seconds: 20, seed: 22).wav),
    ]
    try await withPlayer(.bin("fakesink sync=true")) { test in
      try await test.play(urls[0], next: urls[1])
      await test.wait("sound") { $0.state == .playing && $0.duration != nil && $0.position > .milliseconds(100) }
      if whilePaused { try await test.player.pause() }
      let duration = try #require(await test.player.duration)
      try await test.player.seek(to: duration)
      if whilePaused { try await test.player.play() }
      await test.wait("the second track") {
        $0.item?.uri == urls[1] && $0.state == .playing && $0.position > .milliseconds(200)
      }
      #expect(await test.player.position < .seconds(19))
      #expect(await test.player.duration == .seconds(20))
      #expect(await test.player.next == nil)
    }
  }
}
