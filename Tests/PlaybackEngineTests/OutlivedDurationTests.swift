import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

/// Streams that are longer than their item or their head declares.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OutlivedDurationTests {
  @Test(arguments: [Duration.zero, .seconds(-5), .seconds(1), .seconds(3_600_000)])
  func aWrongDurationDoesNotStopThePosition(_ declared: Duration) async throws {
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.flac", try Sound(seconds: 6, seed: 140).flac()) {
      $0.framing = .chunked
      $0.ranges = false
    }
    let positions = Monitor<[Duration]>([])
    try await withPlayer(.bin("fakesink sync=true")) { test in
      await test.player.setItem(MediaItem(uri: url, duration: declared))
      try await test.player.play()
      await test.wait("more than was declared") { player in
        if player.state == .playing { positions.update { $0.append(player.position) } }
        return player.position > .seconds(3)
      }
      let duration = await test.player.duration
      #expect(duration == nil || abs((duration ?? .zero).nanoseconds - 6_000_000_000) < 100_000_000)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    // The position advances all the time.
    let advances = positions.withLock { zip($0, $0.dropFirst()).count { $0 < $1 } }
    #expect(advances > 100)
  }
}
