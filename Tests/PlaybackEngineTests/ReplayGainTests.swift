import Glibc
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackFormats
@testable import PlaybackModel

/// ReplayGain on the real pipeline, measured at the sink.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReplayGainTests {
  private static let gain = "replaygain-track-gain="

  @Test func eachTrackHasItsOwnGainFromItsFirstSampleToItsLast() async throws {
    let sounds = (0..<3).map { Sound(seconds: 0.6, depth: 24, peak: 0.4, seed: UInt64(300 + $0)) }
    let tags = ["\(Self.gain)-6.0,replaygain-track-peak=0.4", "\(Self.gain)4.5,replaygain-track-peak=0.4", ""]
    let heard = try await capture(
      try zip(sounds, tags).map { try $0.tagged($1, "flacenc") },
      ReplayGainSettings(mode: .track, fallback: -3), like: sounds[0])
    let expected = zip(sounds, [-6, 4.5, -3]).flatMap { sound, gain in
      sound.interleaved.map { $0 * pow(10, gain / 20) }
    }
    // Every sample is multiplied by its track's gain, with an error below one and a half 24-bit steps.
    #expect(heard.interleaved.count == expected.count)
    #expect(zip(heard.interleaved, expected).allSatisfy { abs($0 - $1) < 1.5 / 8_388_608 })
  }

  @Test func aTrackWithoutGainPassesUnchangedNextToOneWithGain() async throws {
    let sounds = (0..<3).map { Sound(seconds: 0.5, peak: 0.5, seed: UInt64(310 + $0)) }
    let tags = [Self.gain + "0.0", Self.gain + "-9.5", ""]
    let heard = try await capture(
      try zip(sounds, tags).map { try $0.tagged($1, "flacenc") }, ReplayGainSettings(mode: .track), like: sounds[0])
    let size = sounds[0].samples.count
    #expect(Array(heard.samples.prefix(size)).isSame(as: sounds[0].samples))
    #expect(heard.samples.ends(with: sounds[2].samples))
    var middle = heard
    middle.samples = Array(heard.samples[size..<2 * size])
    #expect(abs(middle.levels[0] - sounds[1].levels[0] + 9.5) < 0.1)
  }

  @Test func offLeavesTheSamplesUnchanged() async throws {
    let sound = Sound(seconds: 0.5, seed: 320)
    let heard = try await capture([try sound.tagged(Self.gain + "-9.5", "flacenc")], .init(), like: sound)
    #expect(heard.samples.isSame(as: sound.samples))
  }

  @Test func albumModeKeepsTheDifferencesWithinAnAlbum() async throws {
    let sound = Sound(seconds: 0.4, depth: 24, peak: 0.5, seed: 321)
    let album = "replaygain-album-gain=-4.0,replaygain-album-peak=0.9"
    let files = try [-2.5, -7.5].map { try sound.tagged("\(Self.gain)\($0),\(album)", "flacenc") }
    let heard = try await capture(files, ReplayGainSettings(mode: .album), like: sound)
    for (heard, sent) in zip(heard.levels, sound.levels) { #expect(abs(heard - sent + 4) < 0.1) }
  }

  /// ReplayGain tags are read in every format that supports them.
  @Test(arguments: [
    ("flacenc", "replaygain-track-gain=-6.0"), ("lamemp3enc ! id3v2mux", "replaygain-track-gain=-6.0"),
    ("vorbisenc ! oggmux", "replaygain-track-gain=-6.0"),
    // −11 dB, relative to −23 LUFS.
    ("audioresample ! opusenc ! oggmux", #"extended-comment=\"R128_TRACK_GAIN=-2816\""#),
  ])
  func tagsAreRead(encoder: String, tags: String) async throws {
    let sound = Sound(seconds: 1, rate: 48_000, peak: 0.5, seed: 330)
    let file = try sound.tagged(tags, encoder)
    let plain = try await capture([file], .init(), like: sound)
    let heard = try await capture([file], ReplayGainSettings(mode: .track), like: sound)
    #expect(heard.samples.count == plain.samples.count)
    #expect(abs(heard.levels[0] - plain.levels[0] + 6) < 0.1, "\(heard.levels[0] - plain.levels[0])")
  }

  /// Tags as other programs write them: TXXX by foobar2000, after the sound by mp3gain, among iTunes' own tags in MP4.
  @Test(arguments: [
    ("note.mp3", -6.0), ("lame-cbr.mp3", -6), ("note.m4a", -6), ("vorbis.ogg", -6), ("opus.opus", -6),
    ("lame-vbr.mp3", 0),
  ])
  func tagsOfOtherProgramsAreRead(_ kind: String, gain: Double) async throws {
    let file = try readFile(try Fixtures.named("half1-\(kind)").path)
    let form = Sound(seconds: 0, rate: kind == "opus.opus" ? 48_000 : 44_100, seed: 0)
    let plain = try await capture([file], .init(), like: form)
    let heard = try await capture([file], ReplayGainSettings(mode: .track), like: form)
    #expect(heard.samples.count == plain.samples.count)
    #expect(abs(heard.levels[0] - plain.levels[0] - gain) < 0.1, "\(heard.levels[0] - plain.levels[0])")
  }

  /// While the beginning is decoded, one request reads the last `APETags.longest` bytes of the file.
  @Test func theEndOfAFileIsRequestedOnlyIfNeeded() async throws {
    let cases: [(kind: String, mode: ReplayGainSettings.Mode, ranges: Bool, requests: Int)] = [
      ("lame-cbr.mp3", .track, true, 1), ("lame-cbr.mp3", .off, true, 0), ("lame-cbr.mp3", .track, false, 0),
      ("note.mp3", .track, true, 0), ("vorbis.ogg", .off, true, 0), ("note.m4a", .album, true, 0),
    ]
    for (kind, mode, ranges, requests) in cases {
      let file = try Fixtures.named("half1-\(kind)")
      let server = try await MediaServer.start()
      defer { server.close() }
      server.put("/a", .file(file.path)) { $0.ranges = ranges }
      var settings = PlayerSettings()
      settings.replayGain.mode = mode
      try await withPlayer(settings: settings) { test in
        try await test.play(server.url("/a"))
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
      }
      let size = try readFile(file.path).count
      let parts = server.requests.compactMap { $0["Range"] }.filter { $0.hasSuffix("-\(size - 1)") }
      let expected = Array(repeating: "bytes=\(size - APETags.longest)-\(size - 1)", count: requests)
      #expect(parts == expected, "\(kind), \(mode)")
    }
  }

  /// Playback waits for the end of the file, but not for long.
  @Test func aTrackPlaysIfTheRequestForItsEndHangs() async throws {
    let file = try Fixtures.named("half1-lame-cbr.mp3")
    let size = try readFile(file.path).count
    let server = try await MediaServer.start()
    defer { server.close() }
    server.put("/a", .file(file.path)) { $0.stall = .init(at: size - 1_000) }
    var settings = PlayerSettings()
    settings.replayGain.mode = .track
    try await withPlayer(.bin("fakesink sync=true"), settings: settings) { test in
      try await test.play(server.url("/a"))
      await test.wait("sound") { $0.state == .playing && $0.position > .milliseconds(300) }
    }
  }

  @Test(arguments: [nil, 1.0])
  func tooMuchGainNeverClips(_ peak: Double?) async throws {
    let sound = Sound(seconds: 0.5, peak: 1, seed: 340)
    let tags = "\(Self.gain)12.0" + (peak.map { ",replaygain-track-peak=\($0)" } ?? "")
    let heard = try await capture([try sound.tagged(tags, "flacenc")], ReplayGainSettings(mode: .track), like: sound)
    // With a peak tag, the samples are those of the file. Without one, the limiter attenuates peaks that would clip.
    if peak != nil { #expect(heard.samples.isSame(as: sound.samples)) }
    #expect(heard.interleaved.allSatisfy { abs($0) <= 32_767.0 / 32_768 || peak != nil })
    #expect(heard.interleaved.count { abs($0) > 32_765.0 / 32_768 } < heard.frames / 20)
  }

  /// Plays the files one after the other and returns the samples that the sink received.
  private func capture(
    _ files: [[UInt8]], _ replayGain: ReplayGainSettings, like sound: Sound
  ) async throws -> Sound {
    let server = try await MediaServer.start()
    defer { server.close() }
    let urls = files.enumerated().map { server.serve("\($0.offset)", $0.element) }
    let folder = try TemporaryFolder()
    // The output has the depth of the sound, packed.
    let sink =
      "capsfilter caps=audio/x-raw,format=S\(sound.depth)LE"
      + " ! filesink sync=\(files.count > 1) location=\(folder.path)/out"
    var settings = PlayerSettings()
    settings.replayGain = replayGain
    try await withPlayer(.bin(sink), settings: settings) { test in
      await test.player.setItem(MediaItem(uri: urls[0]))
      await test.player.setUpcoming(urls.dropFirst().map { MediaItem(uri: $0) })
      try await test.player.play()
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    var heard = sound
    heard.samples = try folder.read("out")
    return heard
  }
}

extension Sound {
  fileprivate func tagged(_ tags: String, _ encoder: String) throws -> [UInt8] {
    try encoded(tags.isEmpty ? encoder : "taginject tags=\"\(tags)\" ! \(encoder)")
  }

  /// All samples in order; 1 is full scale.
  fileprivate var interleaved: [Double] {
    var mono = self
    mono.channels = 1
    return mono.channel(0)
  }
}
