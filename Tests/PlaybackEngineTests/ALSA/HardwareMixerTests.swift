import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

extension OnASoundCard {
  /// Volume by a card's mixer control, through ALSA's own library and a stand-in card.
  @Suite struct HardwareMixerTests {
    /// A control with steps of half a decibel from −50 dB, of which the lowest is silence, and with a switch.
    private static func master(_ value: Int, isOn: Bool = true) -> [String] {
      ["volume Master 0 100 \(value) \(value) -5000 50 mute", "switch Master \(isOn ? "1 1" : "0 0")"]
    }

    /// A control with steps of half a decibel from −25 dB and without a switch.
    private static func digital(_ value: Int) -> [String] { ["volume Digital 0 50 \(value) \(value) -2500 50"] }

    @Test func theVolumeSetsTheCardInDecibelsAndLeavesTheSamplesUnchanged() async throws {
      let card = try StandInCard(mixer: Self.master(40))
      let sound = Sound(seconds: 0.5, rate: 48_000, seed: 400)
      try await with(card) { test in
        // −30 dB, which is 40 steps above the minimum.
        await test.player.setVolume(50)
        await test.wait("the card") { _ in card.mixer == Self.master(40) }
        await test.player.setVolume(75)
        await test.wait("the card") { _ in card.mixer == Self.master(70) }
        await test.player.setMuted(true)
        await test.wait("the switch") { _ in card.mixer == Self.master(70, isOn: false) }
        await test.player.setMuted(false)
        await test.wait("the switch") { _ in card.mixer == Self.master(70) }
        try await play(sound, test)
      }
      #expect(card.recording.isSame(as: sound.samples))
    }

    @Test func theInitialVolumeIsThatOfTheCard() async throws {
      let card = try StandInCard(mixer: Self.master(70, isOn: false))
      try await with(card) { test in
        await test.wait("its level") { $0.volume == 75 && $0.isMuted }
        #expect(card.mixer == Self.master(70, isOn: false))
      }
    }

    @Test func changesByOtherProgramsAreFollowed() async throws {
      let card = try StandInCard(mixer: Self.master(70))
      try await with(card) { test in
        await test.wait("its level") { $0.volume == 75 }
        try card.setMixer(Self.master(88))
        await test.wait("the level that was set") { $0.volume == 90 }
        try card.setMixer(Self.master(88, isOn: false))
        await test.wait("the mute") { $0.isMuted && $0.volume == 90 }
        try card.setMixer(Self.master(0, isOn: true))
        await test.wait("silence") { $0.volume == 0 && !$0.isMuted }
      }
    }

    @Test func attenuationBelowTheCardsMinimumIsDoneInSoftware() async throws {
      let card = try StandInCard(formats: "S32_LE", mixer: Self.digital(50))
      let sound = Sound(seconds: 0.5, rate: 48_000, depth: 24, seed: 401)
      try await with(card, control: "Digital") { test in
        await test.player.setVolume(50)
        await test.wait("the card at its least") { _ in card.mixer == Self.digital(0) }
        try await play(sound, test)
        await test.player.setVolume(100)
        await test.wait("the card at 0 dB") { _ in card.mixer == Self.digital(50) }
      }
      var heard = sound
      heard.depth = 32
      heard.samples = card.recording
      // −30 dB in total.
      #expect(abs(heard.levels[0] - sound.levels[0] + 4.98) < 0.1, "\(heard.levels[0] - sound.levels[0])")
    }

    @Test func aLostCardLeavesTheVolumeToSoftwareAndIsSetAgainWhenItReturns() async throws {
      let card = try StandInCard(mixer: Self.master(100))
      try await with(card) { test in
        await test.player.setVolume(75)
        await test.wait("the card") { _ in card.mixer == Self.master(70) }
        try card.setGone(true)
        await test.wait("the loss") { _ in card.log.contains("mixer close") }
        await test.player.setVolume(50)
        // The state of a card that returns after a loss of power.
        try card.setMixer(Self.master(100))
        try card.setGone(false)
        await test.wait("the card") { _ in card.mixer == Self.master(40) }
        #expect(await test.player.volume == 50)
      }
    }

    @Test(arguments: [["volume Raw 0 31 3 3"], []])
    func withoutAScaleOrAControlTheVolumeIsDoneInSoftware(_ mixer: [String]) async throws {
      let card = try StandInCard(formats: "S32_LE", mixer: mixer)
      let sound = Sound(seconds: 0.5, rate: 48_000, depth: 24, seed: 402)
      try await with(card, control: "Raw") { test in
        await test.player.setVolume(75)
        try await play(sound, test)
      }
      var heard = sound
      heard.depth = 32
      heard.samples = card.recording
      #expect(abs(heard.levels[0] - sound.levels[0] + 15) < 0.1)
      #expect(card.mixer == mixer)
    }

    @Test func onlyControlsWithADecibelScaleAreListed() throws {
      let card = try StandInCard(mixer: Self.master(40) + ["volume Raw 0 31 3 3"])
      #expect(Mixers.list("stand_in").map(\.description) == ["alsa:stand_in/Master"])
      #expect(Mixers.list("stand_in").map(\.name) == ["-49.5 to 0.0 dB"])
      #expect(!card.isOpen)
    }

    @Test func anAnnouncementIsLouderThanTheCardAndTheCardIsSetBackExactly() async throws {
      // The channels differ, and the card is switched off.
      let former = ["volume Master 0 100 40 36 -5000 50 mute", "switch Master 0 0"]
      let card = try StandInCard(mixer: former)
      let bell = Sound(seconds: 1, rate: 48_000, seed: 403)
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("bell.wav", bell.wav)
      try await with(card) { test in
        await test.wait("its level") { $0.volume == 50 && $0.isMuted }
        var request = AnnouncementRequest(.address(url))
        request.volume = .absolute(75)
        let announcement = request
        _ = try await test.player.announce(announcement)
        await test.wait("the card to be louder") { _ in card.mixer == Self.master(70) }
        await test.wait("the end") { !$0.announcements.isPlaying && $0.announcements.count == 0 }
        await test.wait("the card as before") { _ in card.mixer == former }
        #expect(await test.player.volume == 50)
        #expect(await test.player.isMuted)
      }
      #expect(card.recording.count == bell.samples.count)
    }

    @Test func theMusicIsAsLoudAsBeforeWhileAnAnnouncementRaisesTheCard() async throws {
      let card = try StandInCard(formats: "S32_LE", mixer: Self.master(70))
      let music = Sound(seconds: 5, rate: 48_000, depth: 24, seed: 404)
      let bell = Sound(seconds: 1, rate: 48_000, seed: 405)
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("bell.wav", bell.wav)
      try await with(card) { test in
        await test.wait("its level") { $0.volume == 75 }
        try await test.play(server.serve("a.wav", music.wav))
        await test.wait("sound") { $0.position > .milliseconds(500) }
        var request = AnnouncementRequest(.address(url))
        request.volume = .absolute(100)
        let announcement = request
        _ = try await test.player.announce(announcement)
        await test.wait("the card to be louder") { _ in card.mixer == Self.master(100) }
        // A controller changes the volume meanwhile.
        await test.player.setVolume(50)
        await test.wait("the end") { !$0.announcements.isPlaying && $0.announcements.count == 0 }
        await test.wait("the new volume") { _ in card.mixer == Self.master(40) }
        await test.wait(for: .stopped)
      }
    }

    private func play(_ sound: Sound, _ test: PlayerUnderTest) async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
      try await test.play(server.serve("a.wav", sound.wav))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }

    private func with(
      _ card: StandInCard, control: String = "Master", _ body: (PlayerUnderTest) async throws -> Void
    ) async throws {
      var settings = PlayerSettings()
      settings.mixer = MixerDescription(device: "stand_in", control: control, index: 0)
      try await withPlayer(StandInCard.output, settings: settings, body)
    }
  }
}
