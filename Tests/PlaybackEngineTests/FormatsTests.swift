import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import TestFixtures
import Testing

@testable import PlaybackModel

/// Every advertised format: the properties that the player reports, and the samples that reach the sink.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FormatsTests {
  struct Format: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The encoder's elements; nil if the test builds the file itself.
    var encoder: String?
    var contentType: String
    var isLossless = false
    /// Allowed error of the duration in seconds: encoders add a frame or two if the format declares no delay.
    var tolerance = 0.0
  }

  static let formats = [
    Format(testDescription: "wav", encoder: "wavenc", contentType: "audio/wav", isLossless: true),
    Format(testDescription: "flac", encoder: "flacenc", contentType: "audio/flac", isLossless: true),
    Format(testDescription: "aiff", encoder: "audioconvert ! aiffmux", contentType: "audio/aiff", isLossless: true),
    Format(testDescription: "alac", encoder: "avenc_alac ! mp4mux", contentType: "audio/mp4", isLossless: true),
    Format(
      testDescription: "wavpack", encoder: "audioconvert ! wavpackenc", contentType: "audio/x-wavpack", isLossless: true
    ),
    Format(testDescription: "mp3", encoder: "lamemp3enc ! xingmux", contentType: "audio/mpeg", tolerance: 0.08),
    Format(
      testDescription: "mp3 vbr", encoder: "lamemp3enc target=quality quality=2 ! xingmux", contentType: "audio/mpeg",
      tolerance: 0.08),
    Format(testDescription: "ogg vorbis", encoder: "vorbisenc ! oggmux", contentType: "audio/ogg", tolerance: 0.001),
    Format(
      testDescription: "opus", encoder: "audioresample ! opusenc ! oggmux", contentType: "audio/ogg", tolerance: 0.03),
    Format(testDescription: "m4a", encoder: "voaacenc ! aacparse ! mp4mux", contentType: "audio/mp4", tolerance: 0.08),
    Format(
      testDescription: "adts", encoder: "voaacenc ! aacparse ! audio/mpeg,stream-format=adts", contentType: "audio/aac",
      tolerance: 0.08),
  ]

  /// Opus stores much stereo as one channel and a phase inversion, which GStreamer's decoder ignores by default.
  @Test func invertedChannelsOfOpusStayInverted() async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    try await withPlayer(
      .bin("audioconvert ! audio/x-raw,format=S16LE ! filesink location=\(folder.path)/out")
    ) { test in
      try await test.play(server.url("/opposite.opus"))
      await test.wait(for: .stopped)
    }
    await server.stop()
    let heard = try folder.read("out")
    let (left, right) = (Signal(heard).left, Signal(Array(heard.dropFirst(2))).left)
    let sums = zip(left, right).reduce(into: (same: 0.0, opposite: 0.0)) { sums, pair in
      let (left, right) = (Double(pair.0), Double(pair.1))
      sums.same += (left + right) * (left + right)
      sums.opposite += (left - right) * (left - right)
    }
    #expect(sums.opposite > sums.same, "\(sums)")
  }

  @Test(arguments: formats) func theFormatIsPlayed(_ format: Format) async throws {
    let sound = Sound(seconds: 5, seed: 100)
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a", try sound.encoded(format.encoder ?? "identity")) {
      $0.type = .given(format.contentType)
    }
    let folder = try TemporaryFolder()
    try await withPlayer(
      .bin(
        "audioconvert dithering=none ! audioresample ! audio/x-raw,format=S16LE,rate=44100 ! filesink location=\(folder.path)/out"
      )
    ) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      let info = try #require(await test.player.streamInfo)
      #expect(info.lossless == format.isLossless, "\(info)")
      #expect(info.codecName != nil)
      #expect(info.channels == 2)
      #expect(info.isSeekable)
      #expect(!info.isLive)
      #expect((info.bitDepth != nil) == format.isLossless)
      let seconds = Double((try #require(await test.player.duration)).nanoseconds) / 1e9
      #expect(abs(seconds - 5) <= max(format.tolerance, 0.001), "\(seconds) s by \(format.testDescription)")
    }
    let heard = try folder.read("out")
    if format.isLossless {
      #expect(heard.isSame(as: sound.samples), "\(heard.count) of \(sound.samples.count)")
    } else {
      #expect(abs(Double(heard.count) / 176_400 - 5) <= format.tolerance, "\(Double(heard.count) / 176_400) s")
    }
  }

  /// A seek into the part that was already read is exact, even beyond the limit for exact seeks.
  @Test func aSeekIntoThePartAlreadyReadIsExact() async throws {
    let target = Duration.milliseconds(1_937)
    let whole = try await play("half2-note.mp3") { _ in }
    let heard = try await play("half2-note.mp3") { test in
      await test.wait("some of it") { $0.state == .playing && $0.position > .milliseconds(300) }
      try await test.player.seek(to: target)
    }
    let before = zip(whole, heard).prefix { $0 == $1 }.count
    #expect(before > 13_000)
    #expect(heard.count - before == whole.count - Int((1.937 * 44_100).rounded()))
  }

  /// Plays a fixture to its end, with a tiny limit on the bytes that an exact seek may read.
  private func play(_ name: String, _ body: (PlayerUnderTest) async throws -> Void) async throws -> [Int16] {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    var settings = PlayerSettings()
    settings.exactSeekBytes = 1_000
    let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,channels=2"
    try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
      try await test.play(server.url("/" + name))
      try await body(test)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
    return Signal(try folder.read("out")).left
  }

  /// In a stream without an index, a seek reads everything before the target; if that is too much, it goes by bit rate.
  @Test(arguments: ["long.mp3", "long.aac"], [true, false])
  func aSeekStaysWithinItsReadLimit(_ name: String, exactly: Bool) async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    var settings = PlayerSettings()
    if !exactly { settings.exactSeekBytes = 10_000 }
    // GStreamer's parsers seek by reading on if the target is within 20 s of the data read so far.
    settings.bufferDepth = .seconds(2)
    let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,channels=2"
    try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
      try await test.play(server.url("/" + name))
      // At first, the parser updates its estimate of the duration with every frame.
      await test.wait("a second of it") { $0.position > .seconds(1) && $0.duration != nil }
      try await test.player.seek(to: .seconds(27))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let places = server.journal.requests(for: "/" + name).compactMap { request in
      request["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
    await server.stop()
    // The target is at nine tenths of 480 kB, far beyond the bytes that had arrived before the seek.
    #expect(places.contains { $0 > 400_000 } == !exactly, "\(places)")
    if name == "long.aac" { return }
    let heard = Signal(try folder.read("out")).left
    let original = Signal(try Fixtures.named("noise12-44100-16-2-30s.wav").pcm(.s16LE)).left
    let rest = Array(heard.suffix(100_000))
    #expect(rest.lag(of: Array(original.suffix(98_000)), at: 40_000, reach: 2_000) != nil, "not what lies there")
  }
}
