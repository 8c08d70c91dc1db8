import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

extension OnASoundCard {
  /// An audio device that is shared with other programs and can be unplugged.
  @Suite struct DeviceTests {
    @Test func aLostDeviceIsReportedAndFoundAgain() async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.wav", Sound(seconds: 3, rate: 48_000, seed: 120).wav)
      let card = try await SoundCard()
      try await card.record()
      try await withPlayer(.pulse) { test in
        try await test.play(url)
        await test.wait("a second of sound") { $0.position > .seconds(1) }
        card.end()
        await test.wait("the failure") { $0.error?.isDeviceFailure == true }
        #expect(await test.player.state == .stopped)

        try await test.player.play()
        await test.wait("the failure") { $0.error?.isDeviceFailure == true && $0.state == .stopped }

        let again = try await SoundCard()
        defer { again.end() }
        try await again.record()
        try await test.player.play()
        await test.wait("sound") { $0.state == .playing && $0.position > .milliseconds(300) }
        #expect(await test.player.error == nil)
      }
    }

    @Test func theDeviceIsOpenWhilePlayingAndReleasedAfterAStop() async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
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

extension OnASoundCard {
  /// A card that only one program can open at a time.
  @Suite struct ExclusiveDeviceTests {
    @Test func aBusyCardIsRetriedAndPlaysOnceItIsFree() async throws {
      try await with(StandInCard()) { card, test, url in
        try card.setBusy(true)
        try await test.play(url)
        await test.wait("a second attempt") { _ in card.log.count { $0 == "busy" } >= 2 }
        try card.setBusy(false)
        await test.wait(for: .playing)
        #expect(await test.player.error == nil)
        #expect(card.isOpen)
      }
    }

    @Test func aCardThatStaysBusyIsAClearErrorAndPlayRetries() async throws {
      try await with(StandInCard()) { card, test, url in
        try card.setBusy(true)
        try await test.play(url)
        let start = ContinuousClock.now
        await test.wait("the failure") { $0.error == .deviceBusy }
        #expect(start.duration(to: .now) > .seconds(1))
        #expect(await test.player.state == .stopped)
        try card.setBusy(false)
        try await test.player.play()
        await test.wait(for: .playing)
      }
    }

    @Test func anotherProgramCanUseTheCardBetweenTwoTracks() async throws {
      var settings = PlayerSettings()
      settings.deviceRelease = .zero
      try await with(StandInCard(), settings: settings) { card, test, url in
        try await test.play(url)
        await test.wait(for: .playing)
        #expect(throws: OutputError.self) { try Outputs.probe(StandInCard.output) }
        await test.player.stop()
        await test.wait("the release") { _ in !card.isOpen }
        try Outputs.probe(StandInCard.output)
      }
    }

    @Test func aMissingCardIsAClearError() async throws {
      try await with(StandInCard()) { card, test, url in
        try card.setGone(true)
        try await test.play(url)
        await test.wait("the failure") { $0.error == .deviceMissing }
        #expect(await test.player.state == .stopped)
        try card.setGone(false)
        try await test.player.play()
        await test.wait(for: .playing)
      }
    }

    @Test func anUnpluggedCardEndsTheTrackAndIsFoundAgain() async throws {
      try await with(StandInCard()) { card, test, url in
        try await test.play(url)
        await test.wait("half a second") { $0.position > .milliseconds(500) }
        try card.setGone(true)
        await test.wait("the failure") { $0.error?.isDeviceFailure == true }
        #expect(await test.player.state == .stopped)
        #expect(await test.player.error == .deviceMissing)
        try card.setGone(false)
        try await test.player.play()
        await test.wait("sound") { $0.state == .playing && $0.position > .milliseconds(200) }
        #expect(await test.player.error == nil)
      }
    }

    /// Regression: after a seek to the very end, a card without samples reported EOS as an error, and the server
    /// refused a range beyond the end.
    @Test func aSeekToTheVeryEndEndsTheTrack() async throws {
      try await with(StandInCard()) { _, test, url in
        try await test.play(url)
        await test.wait(for: .playing)
        try await test.player.seek(to: .seconds(10) - .nanoseconds(1))
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }

    /// At a change of rate the feeder waits until the card has been reopened. If the card disappears meanwhile, neither
    /// the feeder nor the pipeline's thread may keep waiting.
    @Test(arguments: [true, false])
    func losingTheCardAtAChangeOfRateLeavesAWorkingPlayer(isGoneEarly: Bool) async throws {
      let card = try StandInCard()
      if !isGoneEarly { try card.setGone(whenOpenedAt: 44_100) }
      let server = try await MediaServer.start()
      defer { server.close() }
      let urls = [48_000, 44_100].map { server.serve("\($0).wav", Sound(seconds: 1, rate: $0, seed: 131).wav) }
      try await withPlayer(.found(StandInCard.output) { StandInCard.output }) { test in
        try await test.play(urls[0], next: urls[1])
        if isGoneEarly {
          // The card has all samples of the first track, and the feeder waits for the reopening.
          await test.wait("the change") { $0.position > .milliseconds(850) }
          try card.setGone(true)
        }
        await test.wait("the failure") { $0.state == .stopped }
        #expect(await test.player.error?.isDeviceFailure == true)
        try card.setGone(false)
        try await test.player.play()
        await test.wait("sound") { $0.state == .playing && $0.position > .milliseconds(200) }
        #expect(await test.player.error == nil)
      }
      #expect(!card.isOpen)
    }

    @Test func standbyReleasesTheCardAtOnce() async throws {
      var settings = PlayerSettings()
      // A stop alone would keep the card open for this long.
      settings.deviceRelease = .seconds(300)
      try await with(StandInCard(), settings: settings) { card, test, url in
        try await test.play(url)
        await test.wait(for: .playing)
        await test.player.setStandby(true)
        await test.wait("the release") { _ in !card.isOpen }
      }
    }

    private func with(
      _ card: StandInCard, settings: PlayerSettings = .init(),
      _ body: (StandInCard, PlayerUnderTest, String) async throws -> Void
    ) async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.wav", Sound(seconds: 10, rate: 48_000, seed: 130).wav)
      try await withPlayer(StandInCard.output, settings: settings) { try await body(card, $0, url) }
      #expect(!card.isOpen)
    }
  }
}
