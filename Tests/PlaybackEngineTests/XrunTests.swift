import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackModel

extension OnASoundCard {
  @Suite struct XrunTests {
    @Test func normalPlaybackCountsNoUnderrun() async throws {
      let card = try StandInCard()
      try await play([(0.7, 48_000), (0.3, 44_100), (0.2, 44_100), (2, 48_000)]) { test, urls in
        await test.wait("half of the first") { $0.position > .milliseconds(350) }
        try await test.player.pause()
        try await Task.sleep(for: .milliseconds(600))
        try await test.player.play()
        await test.wait("the last") { $0.item?.uri == urls.last && $0.position > .milliseconds(100) }
        try await test.player.seek(to: .zero)
        await test.wait(for: .stopped)
        #expect(await test.player.xruns == 0)
      }
      #expect(!card.log.contains("xrun"))
    }

    @Test func lateSoundCountsAsAnUnderrun() async throws {
      let card = try StandInCard()
      // Each buffer of 23 ms takes 60 ms.
      try await play([(1.5, 44_100)], on: .bin("identity sleep-time=60000 ! alsasink device=stand_in")) { test, _ in
        await test.wait("an underrun") { $0.xruns > 0 }
      }
      #expect(!card.isOpen)
    }

    @Test func aStarvedCardCountsAnUnderrunAndPlaysOn() async throws {
      let card = try StandInCard()
      try await play([(2, 48_000)]) { test, _ in
        await test.wait("half a second") { $0.position > .milliseconds(500) }
        try card.starve()
        await test.wait("the underrun") { $0.xruns == 1 }
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
        #expect(await test.player.xruns == 1)
      }
      #expect(card.log.count { $0 == "xrun" } == 1)
    }

    private func play(
      _ sounds: [(seconds: Double, rate: Int)], on output: OutputDescription = StandInCard.output,
      while body: (PlayerUnderTest, [String]) async throws -> Void
    ) async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
      let urls = sounds.enumerated().map { index, sound in
        server.serve("\(index).wav", Sound(seconds: sound.seconds, rate: sound.rate, seed: UInt64(index)).wav)
      }
      try await withPlayer(output) { test in
        await test.player.observe { [player = test.player] changes in
          guard changes.contains(.item) else { return }
          player.immediately { player in
            let next = urls.firstIndex { $0 == player.item?.uri }.map { $0 + 1 } ?? 0
            if next < urls.count { player.setNext(MediaItem(uri: urls[next])) }
          }
        }
        try await test.play(urls[0])
        await test.wait(for: .playing)
        try await body(test, urls)
      }
    }
  }
}
