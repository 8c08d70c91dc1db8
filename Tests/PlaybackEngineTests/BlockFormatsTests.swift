import MediaOrigin
import Playback
import PlaybackModel
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackEngine

/// Plays containers of raw samples and of constant-size blocks. Samples, length and seeks are exact.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BlockFormatsTests {
  static let names = [
    "block-alaw.aiff", "block-mulaw.aiff", "block-alaw.wav", "block-mulaw.wav", "block-alaw.au", "block-mulaw.au",
    "block-s16.au", "block-f32.au", "block-s16.w64", "block-s24.w64", "block-mulaw.w64", "block-s16be.caf",
    "block-s16le.caf", "block-s24le.caf", "block-f32le.caf", "block-alaw.caf", "block-ima.wav", "block-ms.wav",
    "noise1-44100-16-2-3s.l16", "noise8-44100-24-2-3s.l24",
  ]

  enum Start: Sendable, CaseIterable { case beginning, seekWhileStopped, seekWhilePlaying, seekWithoutRanges }

  @Test(arguments: names, Start.allCases) func playbackIsExact(_ name: String, from start: Start) async throws {
    let fixture = try Fixtures.named(name)
    let server = try await MediaServer.start()
    let url = server.serve(name, try readFile(fixture.path)) { $0.ranges = start != .seekWithoutRanges }
    let folder = try TemporaryFolder()
    let form = "audioconvert dithering=none ! audio/x-raw,format=S\(fixture.bits)LE"
    let target = Duration.milliseconds(1_937)
    try await SimulatedClock.during { clock in
      try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out")) { test in
        await test.player.setItem(MediaItem(uri: url))
        if start == .seekWhilePlaying {
          try await test.player.play()
          clock.run(until: .milliseconds(500))
          await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(200) }
        }
        if start != .beginning { try await test.player.seek(to: target) }
        clock.run()
        try await test.player.play()
        await test.wait(for: .stopped)
        #expect(await test.player.error == nil)
        let info = try #require(await test.player.streamInfo)
        #expect(info.isSeekable && info.codecName != nil, "\(info)")
        let duration = try #require(await test.player.duration)
        #expect(abs(duration.nanoseconds - fixture.duration.nanoseconds) <= 1, "\(duration), not \(fixture.duration)")
      }
    }
    if start == .seekWhileStopped || start == .seekWhilePlaying {
      // The seek requests a range and does not read the bytes before it.
      let places = server.journal.requests(for: "/" + name).compactMap { request in
        request["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
      }
      #expect((places.max() ?? 0) > (try readFile(fixture.path)).count / 2, "\(places)")
    }
    await server.stop()
    let heard = try folder.read("out")
    let all = try fixture.pcm(fixture.bits == 24 ? .s24LE : .s16LE)
    let frame = Int((Double(target.nanoseconds) / 1e9 * Double(fixture.rate)).rounded())
    let rest = start == .beginning ? all : Array(all[(frame * fixture.channels * fixture.bits / 8)...])
    #expect(heard.ends(with: rest), "\(heard.count) bytes of \(rest.count)")
    if start != .seekWhilePlaying { #expect(heard.count == rest.count) }
  }

  /// Programs that stream a computer's sound send such endless streams.
  @Test(arguments: ["audio/L16;rate=44100;channels=2", "audio/L24;rate=44100;channels=2"])
  func aLiveStreamOfSamplesPlaysUntilStopped(_ type: String) async throws {
    let sound = Sound(seconds: 0.5, depth: type.contains("L16") ? 16 : 24, seed: 120)
    let server = try await MediaServer.start()
    let url = server.serve("live", sound.bigEndianSamples) {
      $0.endless = true
      $0.framing = .chunked
      $0.type = .given(type)
    }
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink sync=true location=\(folder.path)/out")) { test in
      try await test.play(url)
      // The sink may write what it plays a little later.
      await test.wait("more than two rounds") { $0.state == .playing && $0.position > .milliseconds(1_500) }
      #expect(await test.player.duration == nil)
      #expect(await test.player.streamInfo?.bitDepth == sound.depth)
      await test.player.stop()
    }
    await server.stop()
    let heard = try folder.read("out")
    #expect(heard.count >= 2 * sound.samples.count)
    let expected = (0..<heard.count / sound.samples.count + 1).flatMap { _ in sound.bigEndianSamples }
    #expect(heard.isSame(as: Array(expected.prefix(heard.count))))
  }

  /// A file without a decoder is a format error, not a network error.
  @Test func anUnknownCodecIsAFormatError() async throws {
    var file = try readFile(try Fixtures.named("block-s16le.caf").path)
    file.replaceSubrange(28..<32, with: Array("alac".utf8))
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.caf", file)
    try await withPlayer(.bin("fakesink")) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      let error = await test.player.error
      #expect(error?.isUnsupportedFormat == true, "\(String(describing: error))")
    }
  }
}
