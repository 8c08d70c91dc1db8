import Testing

@testable import Playback

extension OnASoundCard {
  /// The audio device as something that other programs want too, and that can be pulled out.
  @Suite struct DeviceTests {
    @Test func aDeviceThatGoesIsToldAndFoundAgain() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let url = server.serve("a.wav", Sound(seconds: 3, rate: 48_000, seed: 120).wav)
      let card = try await SoundCard()
      try await card.record()
      try await withPlayer(.pulse) { test in
        try await test.play(url)
        await test.wait("a second of sound") { $0.position > .seconds(1) }
        card.end()
        await test.wait("the failure") { $0.error?.isOfDevice == true }
        #expect(await test.player.state == .stopped)

        try await test.player.play()
        await test.wait("the failure") { $0.error?.isOfDevice == true && $0.state == .stopped }

        let again = try await SoundCard()
        defer { again.end() }
        try await again.record()
        try await test.player.play()
        await test.wait("sound") { $0.state == .playing && $0.position > .milliseconds(300) }
        #expect(await test.player.error == nil)
      }
    }

    @Test func isOpenWhilePlayingAndReleasedAfterAStop() async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let url = server.serve("a.wav", Sound(seconds: 30, rate: 48_000, seed: 121).wav)
      let card = try await SoundCard()
      defer { card.end() }
      try await card.record()
      var settings = PlayerSettings()
      settings.deviceRelease = .milliseconds(300)
      try await withPlayer(.pulse, settings: settings) { test in
        #expect(try card.clients() == 0)
        try await test.play(url)
        await test.wait(for: .playing)
        #expect(try card.clients() == 1)
        await test.player.stop()
        try await card.waitForClients(0)

        try await test.player.play()
        await test.wait(for: .playing)
        await test.player.stop()
        await test.player.setStandby(true)
        try await card.waitForClients(0)
      }
    }
  }
}
