import MediaServerKit
import Testing

@testable import Playback

/// Every format that is advertised, by what the player says of it and by what reaches the sink.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FormatsTests {
  struct Format: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The encoder's elements; nil for what is made by hand.
    var encoder: String?
    var contentType: String
    var isLossless = false
    /// How far the length may be off, in seconds: encoders add a frame or two where no delay is declared.
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

  @Test(arguments: formats) func isPlayed(_ format: Format) async throws {
    let sound = Sound(seconds: 5, seed: 100)
    let server = try LoopbackServer()
    defer { server.stop() }
    var resource = LoopbackServer.Resource(try sound.encoded(format.encoder ?? "identity"))
    resource.contentType = format.contentType
    let url = server.serve("a", resource)
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

  struct Form: Sendable, CustomTestStringConvertible {
    var rate = 44_100
    var depth = 16
    var channels = 2
    var isFloat = false

    var testDescription: String { "\(rate) Hz, \(depth) bits\(isFloat ? " float" : ""), \(channels) channels" }
  }

  static let forms =
    [8_000, 11_025, 16_000, 22_050, 32_000, 48_000, 88_200, 96_000, 176_400, 192_000].map { Form(rate: $0) }
    + [8, 24, 32].map { Form(depth: $0) } + [1, 4, 6, 8].map { Form(depth: 24, channels: $0) }
    + [Form(depth: 32, isFloat: true), Form(rate: 192_000, depth: 32, channels: 8)]

  @Test(arguments: forms) func everyFormOfSamplesPassesUnchanged(_ form: Form) async throws {
    let sound = Sound(
      seconds: 0.3, rate: form.rate, channels: form.channels, depth: form.depth, isFloat: form.isFloat, seed: 102)
    let server = try LoopbackServer()
    defer { server.stop() }
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    try await withPlayer(.bin("filesink location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(await test.player.streamInfo?.sampleRate == form.rate)
      #expect(await test.player.streamInfo?.channels == form.channels)
    }
    #expect(try folder.read("out").isSame(as: sound.samples))
  }

  /// In a stream without an index a place is found by reading all that comes before it; where that is much, by bit rate.
  @Test(arguments: ["long.mp3", "long.aac"], [true, false])
  func aSeekReadsNoMoreThanItMay(_ name: String, exactly: Bool) async throws {
    let server = try await MediaServer.start(folder: try Fixtures.folder())
    let folder = try TemporaryFolder()
    var settings = PlayerSettings()
    if !exactly { settings.exactSeekBytes = 10_000 }
    let form = "audioconvert dithering=none ! audio/x-raw,format=S16LE,channels=2"
    try await withPlayer(.bin("\(form) ! filesink sync=true location=\(folder.path)/out"), settings: settings) { test in
      try await test.play(server.url("/" + name))
      await test.wait("its length") { $0.state == .playing && $0.duration != nil }
      try await test.player.seek(to: .seconds(27))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let places = server.journal.requests(for: "/" + name).compactMap { request in
      request["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
    }
    await server.stop()
    // It lies at nine tenths of 480 kB; what had come by itself ends well before.
    #expect(places.contains { $0 > 400_000 } == !exactly, "\(places)")
    if name == "long.aac" { return }
    let heard = Signal(try folder.read("out")).left
    let original = Signal(try Fixtures.named("noise12-44100-16-2-30s.wav").pcm(.s16LE)).left
    let rest = Array(heard.suffix(100_000))
    #expect(rest.lag(of: Array(original.suffix(98_000)), at: 40_000, reach: 2_000) != nil, "not what lies there")
  }

  /// A speaker has two channels at most.
  @Test(arguments: [6, 8]) func moreChannelsThanTheDeviceHasAreMixed(_ channels: Int) async throws {
    let sound = Sound(seconds: 0.5, channels: channels, seed: 103)
    let server = try LoopbackServer()
    defer { server.stop() }
    let url = server.serve("a.wav", sound.wav)
    let folder = try TemporaryFolder()
    let stereo = "capsfilter caps=audio/x-raw,channels=2"
    try await withPlayer(.bin("\(stereo) ! filesink location=\(folder.path)/out")) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    let heard = Signal(try folder.read("out")).left
    #expect(heard.count == sound.frames)
    #expect(heard.count { $0 != 0 } > sound.frames / 2)
  }

  /// Raw network-order samples, as DLNA servers send them when they transcode; only the type tells what they are.
  @Test(arguments: [
    ("audio/L16;rate=44100;channels=2", 44_100, 2), ("audio/L16; rate=48000; channels=1", 48_000, 1),
    ("audio/l16;channels=2;rate=96000", 96_000, 2), ("audio/L16;rate=22050;channels=1", 22_050, 1),
  ])
  func linearPCMIsPlayedByItsType(_ type: String, rate: Int, channels: Int) async throws {
    let sound = Sound(seconds: 1, rate: rate, channels: channels, seed: 101)
    var swapped = sound.samples
    for index in stride(from: 0, to: swapped.count, by: 2) { swapped.swapAt(index, index + 1) }
    let server = try LoopbackServer()
    defer { server.stop() }
    var resource = LoopbackServer.Resource(swapped)
    resource.contentType = type
    let url = server.serve("a", resource)
    let folder = try TemporaryFolder()
    try await withPlayer(
      .bin("audioconvert dithering=none ! audio/x-raw,format=S16LE ! filesink location=\(folder.path)/out")
    ) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      #expect(await test.player.streamInfo?.sampleRate == rate)
      #expect(await test.player.streamInfo?.channels == channels)
    }
    #expect(try folder.read("out").isSame(as: sound.samples))
  }
}
