import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import Playback
@testable import PlaybackModel

extension OnASoundCard {
  /// The player reports correctly whether samples reach the card bit for bit.
  @Suite struct SignalPathTests {
    static let card = OutputDescription.alsa(device: "hw:stand_in")

    @Test func theVolumeAndTheOutputDecideWhetherPlaybackIsBitPerfect() async throws {
      let card = try StandInCard(formats: "S16_LE S32_LE", rates: "48000")
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.wav", Sound(seconds: 30, rate: 48_000, seed: 650).wav)
      var settings = PlayerSettings()
      settings.deviceRelease = .milliseconds(50)
      try await withPlayer(Self.card, settings: settings) { test in
        #expect(await test.player.outputFormat == nil)
        try await test.play(url)
        await test.wait(for: .playing)
        #expect(await test.player.signalPath?.reasons == [])
        #expect(
          await test.player.outputFormat
            == OutputFormat(sampleRate: 48_000, bitDepth: 16, channels: 2, isDirect: true))
        await test.wait("the buffer") { $0.bufferLevel > .seconds(5) }
        await test.player.setVolume(50)
        await test.wait("the volume") { $0.signalPath?.reasons == [.volume] }
        await test.player.setBalance(3)
        await test.player.setMuted(true)
        await test.wait("balance and mute") { $0.signalPath?.reasons == [.volume, .balance, .mute] }
        await test.player.setBalance(0)
        await test.player.setMuted(false)
        await test.player.setVolume(100)
        await test.wait("no stage") { $0.signalPath?.isBitPerfect == true }
        await test.player.stop()
        await test.wait("the closing") { $0.outputFormat == nil }
        #expect(!card.isOpen)
        #expect(await test.player.bufferLevel == .zero)
      }
    }

    struct Case: Sendable, CustomTestStringConvertible {
      var formats = "S16_LE S32_LE"
      var rates = "44100 48000"
      var track: DeviceFormat
      var output = SignalPathTests.card
      var reasons: [SignalPath.Reason]
      var testDescription: String { "\(track) on \(output), \(formats), \(rates)" }
    }

    @Test(arguments: [
      Case(track: .init("S24LE 48 2"), reasons: []),
      Case(track: .init("S16LE 96 2"), reasons: [.resampled]),
      Case(formats: "S16_LE", track: .init("S24LE 48 2"), reasons: [.depth]),
      Case(track: .init("S16LE 48 1"), reasons: [.channels]),
      Case(track: .init("S16LE 48 2"), output: .alsa(device: "plug:stand_in"), reasons: [.shared]),
      Case(track: .init("S16LE 48 2"), output: .null, reasons: [.shared]),
    ])
    func theCardDecidesWhetherPlaybackIsBitPerfect(_ one: Case) async throws {
      let card = try StandInCard(formats: one.formats, rates: one.rates)
      let server = try await MediaServer.start()
      defer { server.close() }
      let depth = one.track.format == "S16LE" ? 16 : 24
      let sound = Sound(seconds: 10, rate: one.track.rate, channels: one.track.channels, depth: depth, seed: 651)
      let url = server.serve("a.wav", sound.wav)
      try await withPlayer(one.output) { test in
        try await test.play(url)
        await test.wait(for: .playing)
        #expect(await test.player.signalPath?.reasons == one.reasons)
      }
      withExtendedLifetime(card) {}
    }

    /// The card's own mixer leaves the samples as they are.
    @Test func theCardsMixerKeepsPlaybackBitPerfect() async throws {
      let card = try StandInCard(
        rates: "48000", mixer: ["volume Master 0 100 100 100 -5000 50 mute", "switch Master 1 1"])
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.wav", Sound(seconds: 30, rate: 48_000, seed: 652).wav)
      var settings = PlayerSettings()
      settings.mixer = MixerDescription(device: "stand_in", control: "Master", index: 0)
      try await withPlayer(Self.card, settings: settings) { test in
        await test.player.setVolume(50)
        await test.wait("the mixer") { _ in card.mixer.first == "volume Master 0 100 40 40 -5000 50 mute" }
        try await test.play(url)
        await test.wait(for: .playing)
        await test.player.setMuted(true)
        await test.wait("the switch") { _ in card.mixer.last == "switch Master 0 0" }
        #expect(await test.player.signalPath?.reasons == [])
      }
    }
  }
}
