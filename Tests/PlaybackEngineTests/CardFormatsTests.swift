import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

extension OnASoundCard {
  /// The formats that the player sends to a card that supports only some formats.
  @Suite struct CardFormatsTests {
    @Test func theFormatsAreThoseTheCardReports() throws {
      let card = try StandInCard(formats: "S16_LE S24_LE S24_3LE", rates: "44100 48000 96000", channels: "2 4")
      let expected = ["S16LE", "S24_32LE", "S24LE"].flatMap { format in
        [44_100, 48_000, 96_000].flatMap { rate in
          [2, 4].map { DeviceFormat(format: format, rate: rate, channels: $0) }
        }
      }
      #expect(try ALSADevice.formats("stand_in") == Set(expected))
      #expect(card.log == ["open", "close"])
    }

    /// ALSA's plug conversion adds formats that the card does not have; they are left out.
    @Test func formatsBehindAPlugExcludeItsResampler() throws {
      let card = try StandInCard(formats: "S16_LE", rates: "48000")
      let formats = try ALSADevice.formats("plug:stand_in")
      #expect(Set(formats.map(\.rate)) == [48_000])
      #expect(formats.contains(DeviceFormat(format: "S32LE", rate: 48_000, channels: 1)))
      #expect(!card.isOpen)
    }

    @Test func theSummaryListsTheCardsFormatsOrTheError() throws {
      let card = try StandInCard(formats: "S16_LE S24_3LE", rates: "44100 48000 88200", channels: "2")
      #expect(ALSADevice.summary("stand_in") == "S24_3LE S16_LE; 44100 48000 88200 Hz; 2 channels")
      try card.setBusy(true)
      #expect(ALSADevice.summary("stand_in") == "The audio device is in use by another program.")
    }

    struct Case: Sendable, CustomTestStringConvertible {
      var formats = "S16_LE S32_LE"
      var rates = "44100 48000 96000"
      var channels = "2"
      var track: DeviceFormat
      var volume = 100
      /// The device format in ALSA's names.
      var format: String
      /// Whether the card gets the track's samples unchanged, except for zero bits appended below.
      var isExact = true

      var testDescription: String { "\(track) at \(volume) on \(formats), \(rates), \(channels): \(format)" }
    }

    @Test(arguments: [
      Case(track: .init("S16LE 44.1 2"), format: "S16_LE 44100 2"),
      Case(track: .init("S24LE 96 2"), format: "S32_LE 96000 2"),
      Case(track: .init("S16LE 88.2 2"), format: "S32_LE 44100 2", isExact: false),
      Case(track: .init("S16LE 22.05 2"), format: "S32_LE 44100 2", isExact: false),
      Case(track: .init("S16LE 44.1 1"), format: "S16_LE 44100 2"),
      Case(track: .init("S16LE 44.1 2"), volume: 50, format: "S32_LE 44100 2", isExact: false),
      Case(formats: "S16_LE S24_3LE", track: .init("S24LE 48 2"), format: "S24_3LE 48000 2"),
      Case(
        formats: "S16_LE S24_3LE", track: .init("S16LE 48 2"), volume: 50, format: "S24_3LE 48000 2", isExact: false),
      Case(formats: "S24_LE", track: .init("S24LE 48 2"), format: "S24_LE 48000 2"),
      Case(formats: "S32_LE", track: .init("S16LE 48 2"), format: "S32_LE 48000 2"),
      Case(formats: "S16_LE", rates: "48000", track: .init("S24LE 96 2"), format: "S16_LE 48000 2", isExact: false),
      Case(channels: "8", track: .init("S16LE 48 2"), format: "S16_LE 48000 8", isExact: false),
    ])
    func aTrackPlaysInTheBestFormatOfTheCard(_ one: Case) async throws {
      let card = try StandInCard(formats: one.formats, rates: one.rates, channels: one.channels)
      let depth = one.track.format == "S16LE" ? 16 : 24
      let sound = Sound(seconds: 0.5, rate: one.track.rate, channels: one.track.channels, depth: depth, seed: 600)
      try await play([sound], volume: one.volume)
      #expect(card.usedFormats == ["format \(one.format)"])
      let format = one.format.split(separator: " ")
      let (width, isPadded) = [
        "S16_LE": (2, false), "S24_3LE": (3, false), "S24_LE": (4, false), "S32_LE": (4, true),
      ][format[0]]!
      var heard = card.recording
      let frames = heard.count / width / Int(format[2])!
      #expect(abs(Double(frames) / Double(format[1])! - 0.5) < 0.001, "\(frames) frames")
      guard one.isExact else { return }
      if format[0] == "S24_LE" { heard = heard.taking(0..<3, of: 4) }
      if isPadded { heard = heard.taking(4 - depth / 8..<4, of: 4) }
      if one.track.channels == 1 { heard = heard.taking(0..<depth / 8, of: depth / 4) }
      // The stand-in card does not record silence.
      let frameBytes = one.track.channels * depth / 8
      let sent = stride(from: 0, to: sound.samples.count, by: frameBytes).flatMap { index in
        let frame = sound.samples[index..<index + frameBytes]
        return frame.contains { $0 != 0 } ? Array(frame) : []
      }
      let isSame = heard == sent
      #expect(isSame, "\(heard.count) of \(sent.count) bytes")
    }

    /// At −45 dB, a 16-bit output would keep only nine bits. On a card with wider samples, all sixteen are kept.
    @Test func softwareVolumeKeepsAllSixteenBitsOnAWideCard() async throws {
      let card = try StandInCard(formats: "S16_LE S32_LE", rates: "48000")
      let sound = Sound(seconds: 0.3, rate: 48_000, seed: 601)
      try await play([sound], volume: 25)
      var heard = sound
      heard.depth = 32
      heard.samples = card.recording
      let gain = VolumeScale.gain(step: 25)
      let off = zip(heard.channel(0), sound.channel(0)).map { abs($0 - $1 * gain) }.max() ?? 1
      #expect(heard.frames == sound.frames)
      #expect(off < 1e-9, "\(off)")
    }

    @Test func aJoinKeepsTheFormatIfThatIsLossless() async throws {
      let card = try StandInCard(formats: "S16_LE S32_LE", rates: "48000")
      let sounds = [24, 16, 24].enumerated().map {
        Sound(seconds: 0.5, rate: 48_000, depth: $1, seed: UInt64(602 + $0))
      }
      try await play(sounds)
      #expect(card.usedFormats == ["format S32_LE 48000 2"])
      let isSame = card.recording.taking(1..<4, of: 4) == sounds.flatMap(\.samplesOf24Bits)
      #expect(isSame)
    }

    /// The device plays a resampled track to its end before it is reopened in another format.
    @Test func aResampledTrackPlaysToItsEndBeforeTheFormatChanges() async throws {
      let card = try StandInCard(formats: "S16_LE", rates: "44100 96000")
      let sounds = [Sound(seconds: 0.5, rate: 48_000, seed: 605), Sound(seconds: 0.5, rate: 44_100, seed: 606)]
      try await play(sounds)
      #expect(card.usedFormats == ["format S16_LE 96000 2", "format S16_LE 44100 2"])
      let heard = card.recording
      let isWhole = heard.ends(with: sounds[1].samples)
      #expect(isWhole)
      let frames = (heard.count - sounds[1].samples.count) / 4
      #expect(abs(frames - 48_000) <= 2, "\(frames)")
    }

    /// Regression: the first millisecond was missing, because the device was first opened at the previous rate.
    @Test func aStartAtAnotherRateOnAnOpenDeviceKeepsTheFirstSample() async throws {
      let card = try StandInCard(formats: "S16_LE")
      let server = try await MediaServer.start()
      defer { server.close() }
      let sounds = [48_000, 44_100, 48_000, 48_000].enumerated().map {
        Sound(seconds: 0.4, rate: $1, seed: UInt64(610 + $0))
      }
      try await withPlayer(StandInCard.output) { test in
        for (index, sound) in sounds.enumerated() {
          try await test.play(server.serve("\(index).wav", sound.wav))
          await test.wait(for: .stopped)
        }
      }
      #expect(card.usedFormats == [48_000, 44_100, 48_000, 48_000].map { "format S16_LE \($0) 2" })
      let isSame = card.recording == sounds.flatMap(\.samples)
      #expect(isSame, "\(card.recording.count) bytes")
    }

    /// At time 0, the sink drops the first frame of a buffer whose length is not a whole number of nanoseconds, such as
    /// FLAC's.
    @Test func theFirstFrameIsPlayed() async throws {
      let card = try StandInCard(formats: "S16_LE")
      let sound = Sound(seconds: 0.4, seed: 615)
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.flac", try sound.flac())
      try await withPlayer(StandInCard.output) { test in
        try await test.play(url)
        await test.wait(for: .stopped)
      }
      let isSame = card.recording == sound.samples
      #expect(isSame, "\(card.recording.count) of \(sound.samples.count) bytes")
    }

    /// A balance turns one channel into two, which reopens the card in the middle of a track.
    @Test func aBalanceThatReopensTheCardLosesNoSample() async throws {
      let card = try StandInCard(rates: "48000", channels: "1 2")
      let server = try await MediaServer.start()
      defer { server.close() }
      let sound = Sound(seconds: 2, rate: 48_000, channels: 1, seed: 625)
      let url = server.serve("a.wav", sound.wav)
      try await withPlayer(StandInCard.output) { test in
        try await test.play(url)
        await test.wait("the middle") { $0.position > .milliseconds(500) }
        await test.player.setBalance(-15)
        await test.wait(for: .stopped)
      }
      #expect(card.usedFormats == ["format S16_LE 48000 1", "format S16_LE 48000 2"])
      // The stand-in card does not record silence.
      let sent = stride(from: 0, to: sound.samples.count, by: 2).map { Array(sound.samples[$0..<$0 + 2]) }
        .filter { $0 != [0, 0] }.flatMap(\.self)
      let heard = card.recording
      // Each frame has two bytes before the change and four after it.
      let mono = max(0, min(heard.count, 2 * sent.count - heard.count))
      let isWhole = Array(heard[..<mono]) + Array(heard[mono...]).taking(0..<2, of: 4) == sent
      #expect(isWhole, "\(heard.count) bytes, \(mono) of them in mono, of \(sent.count)")
    }

    @Test func aCardWithoutPermissionIsAnErrorThatSaysWhatToDo() async throws {
      let card = try StandInCard()
      try card.setForbidden(true)
      let server = try await MediaServer.start()
      defer { server.close() }
      let url = server.serve("a.wav", Sound(seconds: 1, seed: 607).wav)
      try await withPlayer(StandInCard.output) { test in
        try await test.play(url)
        await test.wait("the failure") { $0.error == .deviceForbidden }
        #expect(await test.player.state == .stopped)
        #expect(await test.player.error?.description.contains("group “audio”") == true)
        try card.setForbidden(false)
        try await test.player.play()
        await test.wait(for: .playing)
      }
    }

    private func play(_ sounds: [Sound], volume: Int = 100) async throws {
      let server = try await MediaServer.start()
      defer { server.close() }
      let urls = sounds.enumerated().map { server.serve("\($0.offset).wav", $0.element.wav) }
      try await withPlayer(StandInCard.output) { test in
        await test.player.setVolume(volume)
        await test.player.setItem(MediaItem(uri: urls[0]))
        await test.player.setUpcoming(urls.dropFirst().map { MediaItem(uri: $0) })
        try await test.player.play()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
    }
  }
}

extension StandInCard {
  /// The formats that the card was set to, in order.
  fileprivate var usedFormats: [String] { log.filter { $0.hasPrefix("format") } }
}

extension [UInt8] {
  /// The bytes at the given offsets of every group.
  fileprivate func taking(_ range: Range<Int>, of width: Int) -> [UInt8] {
    stride(from: 0, to: count - width + 1, by: width).flatMap { self[$0 + range.lowerBound..<$0 + range.upperBound] }
  }
}
