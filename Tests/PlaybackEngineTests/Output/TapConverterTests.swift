import CGStreamer
import PlaybackTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite struct TapConverterTests {
  private static func format(_ name: String, _ channels: Int) throws -> AudioFormat {
    GStreamerLibrary.start()
    let caps = try #require(swiftlet_audio_caps(name, 48_000, gint(channels), nil))
    defer { swiftlet_caps_unref(caps) }
    return try #require(AudioFormat(caps: caps))
  }

  /// The sample of a format, and what receivers get.
  @Test(
    arguments: [
      ("U8", [0x00, 0x80, 0xFF], 8, [0x00, 0x80, 0xFF]),
      ("S8", [0x80, 0x00, 0x7F], 8, [0x00, 0x80, 0xFF]),
      ("S16LE", [0x34, 0x12, 0x00, 0x80], 16, [0x12, 0x34, 0x80, 0x00]),
      ("S16BE", [0x12, 0x34, 0x80, 0x00], 16, [0x12, 0x34, 0x80, 0x00]),
      ("S24LE", [0x56, 0x34, 0x12], 24, [0x12, 0x34, 0x56]),
      ("S24_32LE", [0x56, 0x34, 0xF2, 0xFF], 24, [0xF2, 0x34, 0x56]),
      // Rounded to the nearest.
      ("S32LE", [0x7F, 0x56, 0x34, 0x12, 0x81, 0x56, 0x34, 0x12], 24, [0x12, 0x34, 0x56, 0x12, 0x34, 0x57]),
      // 0.5, −1 and, clipped, 1.
      ("F32LE", [0, 0, 0, 0x3F, 0, 0, 0x80, 0xBF, 0, 0, 0x80, 0x3F], 24, [0x40, 0, 0, 0x80, 0, 0, 0x7F, 0xFF, 0xFF]),
      ("F64LE", [0, 0, 0, 0, 0, 0, 0xE0, 0x3F], 24, [0x40, 0, 0]),
    ] as [(String, [UInt8], Int, [UInt8])])
  func samplesArePacked(name: String, input: [UInt8], depth: Int, output: [UInt8]) throws {
    for channels in [1, 2] {
      var converter = TapConverter()
      let format = try Self.format(name, channels)
      let converted = converter.convert(
        Array(repeating: input, count: 2).flatMap { $0 }, of: format, track: 1, in: RunID(1), gain: nil)
      #expect(converted?.form == TappedForm(rate: 48_000, bitDepth: depth, channels: channels))
      #expect(converted?.samples == output + output)
    }
  }

  @Test(arguments: ["U8", "S16LE", "S24LE"]) func everySampleOfALosslessTrackPasses(name: String) throws {
    var random = SplitMix(state: 5)
    let format = try Self.format(name, 2)
    let input = (0..<3_000 * format.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &random) }
    // ReplayGain that is on, but leaves the track as it is.
    for gain in [nil, 1.0] {
      var converter = TapConverter()
      let output = converter.convert(input, of: format, track: 1, in: RunID(1), gain: gain)?.samples
      let width = format.bytesPerFrame / 2
      let swapped = stride(from: 0, to: input.count, by: width).flatMap { input[$0..<$0 + width].reversed() }
      #expect(output == swapped)
    }
  }

  @Test func anAnnouncementIsAdded() throws {
    var converter = TapConverter()
    let format = try Self.format("S16LE", 1)
    let sound = AnnouncementSound([.init(rate: 48_000, channels: 1, samples: [0x1234, 0x1234])])
    converter.begin(Overlay(reader: AnnouncementReader(sound), gain: 1, music: 0))
    let output = converter.convert([0, 0, 0, 0, 0, 0], of: format, track: 1, in: RunID(1), gain: nil)
    #expect(output?.samples == [0x12, 0x34, 0x12, 0x34, 0, 0])
  }

  /// Each track has its own gain from its first sample on.
  @Test func replayGainIsApplied() throws {
    var converter = TapConverter()
    let format = try Self.format("S24LE", 1)
    let input: [UInt8] = [0x00, 0x00, 0x40]
    func output(track: Int, gain: Double?) -> [UInt8]? {
      converter.convert(input, of: format, track: track, in: RunID(1), gain: gain)?.samples
    }
    #expect(output(track: 1, gain: 0.5) == [0x20, 0x00, 0x00])
    #expect(output(track: 2, gain: nil) == [0x40, 0x00, 0x00])
    #expect(output(track: 3, gain: 0.25) == [0x10, 0x00, 0x00])
  }

  /// Peaks that would clip are limited, as they are here.
  @Test func gainNeverClips() throws {
    var converter = TapConverter()
    let format = try Self.format("S16LE", 1)
    let input: [UInt8] = (0..<4_800).flatMap { $0 % 2 == 0 ? [0, 0x60] : [0, 0xA0] as [UInt8] }
    let output = try #require(converter.convert(input, of: format, track: 1, in: RunID(1), gain: 2)?.samples)
    let values = stride(from: 0, to: output.count, by: 2).map { Int16(output[$0]) << 8 | Int16(output[$0 + 1]) }
    #expect(values.allSatisfy { abs(Int($0)) < 32_767 })
    #expect(values.contains { abs(Int($0)) > 32_000 })
  }

  /// With a gain, 8 bits would be too coarse.
  @Test func eightBitsBecomeMoreWithAGain() throws {
    var converter = TapConverter()
    let output = converter.convert([0xC0, 0x40], of: try Self.format("U8", 1), track: 1, in: RunID(1), gain: 0.5)
    #expect(output?.form.bitDepth == 16)
    #expect(output?.samples == [0x20, 0x00, 0xE0, 0x00])
  }

  @Test(
    arguments: [
      // Quadraphonic: both channels of a side.
      ([ChannelSide.left, .right, .left, .right], [1.0, 0.5, 1, 0.5], [1.0, 0.5]),
      // Centre and bass go to both sides; full scale in all channels stays full scale.
      ([.left, .right, .middle, .middle, .left, .right], [1, 1, 1, 1, 1, 1], [1, 1]),
      ([.left, .right, .middle], [0, 0, 1], [0.4142, 0.4142]),
      ([.left, .right, .middle], [1, 0, 0], [0.5858, 0]),
    ] as [([ChannelSide], [Double], [Double])])
  func moreChannelsAreMixedToTwo(sides: [ChannelSide], samples: [Double], mixed: [Double]) {
    let output = StereoMix(sides: sides).apply(to: samples)
    #expect(zip(output, mixed).allSatisfy { abs($0 - $1) < 0.0001 }, "\(output)")
  }

  @Test func surroundSoundIsSentInStereo() throws {
    var converter = TapConverter()
    let format = try Self.format("S16LE", 6)
    let output = converter.convert(
      Array(repeating: [0x00, 0x40], count: 6).flatMap { $0 }, of: format, track: 1, in: RunID(1), gain: nil)
    #expect(output?.form == TappedForm(rate: 48_000, bitDepth: 16, channels: 2))
    #expect(output?.samples == [0x40, 0x00, 0x40, 0x00])
  }
}
