import MediaOrigin
import Playback
import PlaybackModel
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackEngine

/// Speex in Ogg, which begins with the encoder's delay.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SpeexTests {
  @Test func theDurationIsThatOfTheSound() async throws {
    let server = try await MediaServer.start()
    let url = server.serve("a", try readFile(try Fixtures.named("speex.ogg").path))
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("audioconvert ! audio/x-raw,format=S16LE ! filesink location=\(folder.path)/out")) {
      test in
      try await test.play(url)
      await test.wait(for: .stopped)
      let heard = Int64(try folder.read("out").count / 2)
      let duration = try #require(await test.player.duration)
      #expect(duration == .nanoseconds(heard * 62_500), "\(heard) samples of \(duration)")
    }
    await server.stop()
  }
}
