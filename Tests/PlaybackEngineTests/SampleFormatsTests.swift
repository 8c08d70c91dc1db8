import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

/// Samples of every rate, depth and channel count reach the sink bit for bit.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SampleFormatsTests {
  struct Format: Sendable, CustomTestStringConvertible {
    var rate = 44_100
    var depth = 16
    var channels = 2
    var isFloat = false

    func sound(seed: UInt64) -> Sound {
      Sound(seconds: 0.3, rate: rate, channels: channels, depth: depth, isFloat: isFloat, seed: seed)
    }

    var testDescription: String { "\(rate) Hz, \(depth) bits\(isFloat ? " float" : ""), \(channels) channels" }
  }

  static let formats: [Format] =
    [8_000, 11_025, 16_000, 22_050, 32_000, 48_000, 88_200, 96_000, 176_400, 192_000].map { Format(rate: $0) }
    + [8, 24, 32].map { Format(depth: $0) } + (1...8).map { Format(depth: 24, channels: $0) }
    + [32, 64].map { Format(depth: $0, isFloat: true) }
    + [Format(rate: 192_000, depth: 32, channels: 8), Format(channels: 10), Format(rate: 8_000, depth: 8, channels: 1)]

  @Test(arguments: formats, [false, true]) func wav(_ format: Format, isExtensible: Bool) async throws {
    let sound = format.sound(seed: 102)
    let heard = try await play(isExtensible ? sound.extensibleWAV(mask: 0) : sound.wav, as: format)
    #expect(heard.isSame(as: sound.samples))
  }

  @Test(arguments: formats.filter { !$0.isFloat }) func aiff(_ format: Format) async throws {
    let sound = format.sound(seed: 103)
    // AIFF's 8-bit samples are signed.
    #expect(try await play(sound.aiff(), as: format).isSame(as: sound.bigEndianSamples))
  }

  @Test(arguments: [
    ("NONE", Format(depth: 24)), ("sowt", Format()), ("sowt", Format(depth: 24)),
    ("fl32", Format(depth: 32, isFloat: true)), ("FL32", Format(rate: 96_000, depth: 32, isFloat: true)),
    ("fl64", Format(depth: 64, isFloat: true)),
  ])
  func aiffC(_ compression: String, _ format: Format) async throws {
    let sound = format.sound(seed: 104)
    let expected = compression == "sowt" ? sound.samples : sound.bigEndianSamples
    #expect(try await play(sound.aiff(compression), as: format).isSame(as: expected))
  }

  @Test(arguments: [
    Format(depth: 8, channels: 1), Format(rate: 8_000, depth: 8), Format(rate: 8_000),
    Format(rate: 22_050, channels: 1), Format(depth: 24), Format(rate: 192_000, depth: 24),
    Format(rate: 192_000, depth: 24, channels: 1),
    Format(rate: 48_000, depth: 24, channels: 3), Format(depth: 24, channels: 5),
    Format(rate: 96_000, depth: 24, channels: 6),
  ])
  // GStreamer's decoder reorders seven and eight channels.
  func flac(_ format: Format) async throws {
    let sound = format.sound(seed: 105)
    let folder = try TemporaryFolder()
    try folder.write("in.wav", sound.extensibleWAV(mask: 0))
    let flac = try ChildProcess(
      ["flac", "--totally-silent", "--channel-map=none", "-o", folder.path + "/a.flac", folder.path + "/in.wav"])
    try flac.waitForEnd()
    let heard = try await play(
      try folder.read("a.flac"), as: format, sinkFormat: format.depth == 8 ? "U8" : "S\(format.depth)LE")
    #expect(heard.isSame(as: sound.samples))
  }

  /// Raw samples in network byte order, as transcoding DLNA servers send them; only the MIME type describes them.
  @Test(arguments: [
    ("audio/L16;rate=44100;channels=2", Format()),
    ("audio/L16; rate=48000; channels=1", Format(rate: 48_000, channels: 1)),
    ("audio/l16;channels=2;rate=96000", Format(rate: 96_000)),
    ("audio/L16;rate=22050;channels=1", Format(rate: 22_050, channels: 1)),
    ("audio/L16;rate=48000;channels=6", Format(rate: 48_000, channels: 6)),
    ("audio/L16;channels=3;rate=48000", Format(rate: 48_000, channels: 3)),
    ("audio/L24;rate=192000;channels=2", Format(rate: 192_000, depth: 24)),
    ("audio/L24;rate=48000", Format(rate: 48_000, depth: 24, channels: 1)),
    ("audio/L24;rate=48000;channels=6", Format(rate: 48_000, depth: 24, channels: 6)),
    // The default is one channel (RFC 2586).
    ("audio/L16;rate=48000", Format(rate: 48_000, channels: 1)), ("AUDIO/L16 ; Rate=44100", Format(channels: 1)),
    ("audio/L16", Format()), ("audio/L24", Format(depth: 24)),
  ])
  func linearPCM(_ type: String, _ format: Format) async throws {
    let sound = format.sound(seed: 101)
    #expect(try await play(sound.bigEndianSamples, type: type, as: format).isSame(as: sound.bigEndianSamples))
  }

  private func play(
    _ file: [UInt8], type: String? = nil, as format: Format, sinkFormat: String? = nil
  ) async throws -> [UInt8] {
    let server = try await MediaServer.start()
    server.put("/a", .bytes(file)) { $0.type = type.map { .given($0) } ?? .missing }
    let folder = try TemporaryFolder()
    let convert = sinkFormat.map { "audioconvert dithering=none ! audio/x-raw,format=\($0) ! " } ?? ""
    try await withPlayer(.bin("\(convert)filesink location=\(folder.path)/out")) { test in
      try await test.play(server.url("/a"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
      let info = try #require(await test.player.streamInfo)
      #expect(
        info.sampleRate == format.rate && info.channels == format.channels && info.bitDepth == format.depth, "\(info)")
    }
    await server.stop()
    return try folder.read("out")
  }

  // MARK: More channels than the device has

  /// The position of each channel if the file declares none: left, right or middle (which includes the bass).
  @Test(
    arguments: [
      ("LRM", ["wav", "extensible", "L16"]), ("LRLR", ["wav", "L16"]), ("LRMLR", ["wav", "extensible", "L16"]),
      ("LRMMLR", ["wav", "extensible", "L16"]), ("LRMMMLR", ["wav", "extensible", "L16"]),
      ("LRMMLRLR", ["wav", "extensible", "L16"]),
    ].flatMap { sides, kinds in kinds.map { (sides, $0) } })
  func aDownmixKeepsThePositionsOfTheChannels(_ sides: String, kind: String) async throws {
    let channels = sides.count
    let noise = Sound(seconds: 0.1, channels: 1, peak: 0.9, seed: 106)
    var sound = Sound(seconds: 0, channels: channels, seed: 0)
    // One channel sounds after the other.
    for channel in 0..<channels {
      for frame in 0..<noise.frames {
        for other in 0..<channels {
          sound.samples += channel == other ? noise.samples[2 * frame...2 * frame + 1] : [0, 0]
        }
      }
    }
    let server = try await MediaServer.start()
    switch kind {
    case "wav": server.put("/a", .bytes(sound.wav))
    case "extensible": server.put("/a", .bytes(sound.extensibleWAV(mask: 0)))
    default:
      server.put("/a", .bytes(sound.bigEndianSamples)) { $0.type = .given("audio/L16;rate=44100;channels=\(channels)") }
    }
    let folder = try TemporaryFolder()
    let stereo = "capsfilter caps=audio/x-raw,format=S16LE,channels=2"
    try await withPlayer(.bin("\(stereo) ! filesink location=\(folder.path)/out")) { test in
      try await test.play(server.url("/a"))
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    await server.stop()
    var heard = Sound(seconds: 0, seed: 0)
    heard.samples = try folder.read("out")
    try #require(heard.frames == sound.frames)
    for (channel, side) in sides.enumerated() {
      let part = channel * noise.frames + 100..<(channel + 1) * noise.frames - 100
      let sounds = (0..<2).map { side in heard.channel(side)[part].contains { abs($0) > 0.05 } }
      #expect(sounds == [side != "R", side != "L"], "channel \(channel)")
    }
  }
}
