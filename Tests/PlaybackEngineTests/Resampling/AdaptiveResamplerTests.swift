import CGStreamer
import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackModel

@Suite(.timeLimit(.minutes(2))) struct AdaptiveResamplerTests {
  static let formats = ["U8", "S16LE", "S16BE", "S24LE", "S24_32LE", "S32LE", "F32LE", "F64LE"]

  // MARK: Transparency

  @Test(arguments: formats, 1...8) func samplesPassBitForBit(_ name: String, channels: Int) throws {
    let stream = try Stream(name, channels: channels)
    var random = SplitMix(state: 1)
    var input = (0..<3_000 * stream.format.bytesPerFrame).map { _ in UInt8.random(in: 0...255, using: &random) }
    // The padding of 24 bits in 32 is kept, too.
    if name.hasPrefix("F") { input = try stream.bytes(frames: 3_000) { frame, _ in Double(frame) / 7_000 } }
    #expect(try stream.play(input) { _ in 0 } == input)
  }

  @Test func samplesPassBitForBitAgainAfterAnotherRatio() throws {
    for ppm in [137.0, -137] {
      let stream = try Stream("S16LE", channels: 2)
      var random = SplitMix(state: 2)
      let input = (0..<4 * 100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      let output = try stream.play(input) { $0 < 40_000 ? ppm : 0 }
      #expect(stream.resampler.isTransparent)
      #expect(output.suffix(4 * 40_000) == input.suffix(4 * 40_000))
      #expect(output.prefix(4 * 30_000) != input.prefix(4 * 30_000))
    }
  }

  @Test func shortStreamsPassWhole() throws {
    let stream = try Stream("S16LE", channels: 2)
    #expect(stream.resampler.finish() == nil)
    let input = (0..<4 * 50).map { UInt8($0) }
    #expect(try stream.play(input) { _ in 200 } == input)
    #expect(try stream.play(input) { _ in 0 } == input)
  }

  // MARK: Quality

  /// The ratio starts, moves and ends. A sine of this frequency is two times the cosine times its last sample, minus the
  /// one before; the residual of a click would be as large as the click.
  @Test(arguments: [1_000.0, 10_000]) func aMovingRatioMakesNoClick(_ frequency: Double) throws {
    let stream = try Stream("F64LE", channels: 1)
    let step = 2 * Double.pi * frequency / 44_100
    let input = try stream.bytes(frames: 6 * 44_100) { frame, _ in 0.89 * sin(step * Double(frame)) }
    let output = try stream.play(input) { frame in
      switch frame {
      case ..<44_100: 0
      case ..<132_300: Double(frame - 44_100) / 441
      case ..<176_400: Double(frame / 4_410 % 2) * 50 - 150
      default: 0
      }
    }
    #expect(stream.resampler.isTransparent)
    let samples = stream.samples(output)
    let twice = 2 * cos(step)
    var worst = 0.0
    for index in 2..<samples.count {
      worst = max(worst, abs(samples[index] - twice * samples[index - 1] + samples[index - 2]))
    }
    // A ratio of 200 ppm changes the frequency: that is all.
    #expect(worst < 0.89 * 2.1 * step * 200e-6)
  }

  /// Each sample is the signal at its position, in all formats and channels.
  @Test(arguments: formats, [1, 2, 6, 8]) func samplesAreThoseOfTheSignal(_ name: String, channels: Int) throws {
    let stream = try Stream(name, channels: channels)
    func signal(_ position: Double, _ channel: Int) -> Double { 0.5 * sin(0.1 * position + Double(channel)) }
    let input = try stream.bytes(frames: 20_000) { signal(Double($0), $1) }
    let samples = stream.samples(try stream.play(input) { _ in 150 })
    // Rounding of the input, and of the output with dither.
    let limit = max(1e-5, stream.format.isFloat ? 0 : 3.1 / Double(1 << (min(24, stream.format.depth) - 1)))
    var worst = 0.0
    for frame in 200..<19_700 {
      for channel in 0..<channels {
        let expected = signal(Double(frame) / 1.00015, channel)
        worst = max(worst, abs(samples[frame * channels + channel] - expected))
      }
    }
    #expect(worst < limit)
  }

  // MARK: Counts and times

  @Test(arguments: [(0.0, 2_646_000), (100, 2_646_265), (-100, 2_645_736)])
  func framesOfAMinuteAreExact(_ ppm: Double, _ frames: Int) throws {
    let stream = try Stream("U8", channels: 1)
    let output = try stream.play([UInt8](repeating: 128, count: 60 * 44_100), block: 44_100) { _ in ppm }
    #expect(output.count == frames)
  }

  @Test func samplesAreHeldBackBriefly() throws {
    for ppm in [0.0, 200, -200] {
      let stream = try Stream("S16LE", channels: 2)
      stream.resampler.setRatio(ppm: ppm)
      var output = 0
      for block in 1...20 {
        output += Int(try stream.push([UInt8](repeating: 0, count: 4 * 441))?.frames ?? 0)
        #expect(abs(block * 441 - output - AdaptiveResampler.delay) <= 3)
      }
    }
  }

  @Test func streamTimesAreThoseOfTheSamples() throws {
    let stream = try Stream("S16LE", channels: 2)
    stream.resampler.setRatio(ppm: 100)
    var times: [Int64] = []
    for block in 0..<10 as Range<Int64> {
      let silence = [UInt8](repeating: 0, count: 4 * 44_100)
      let buffer = try stream.push(silence, streamTime: 5_000_000_000 + block * 1_000_000_000)
      times.append(try #require(buffer?.streamTime))
    }
    #expect(times.first == 5_000_000_000)
    // The first sample of a block is one that was held back.
    let delay = stream.format.nanoseconds(frames: Int64(AdaptiveResampler.delay))
    for (block, time) in times.enumerated().dropFirst() {
      let expected = 5_000_000_000 + Int64(block) * 1_000_000_000 - delay
      #expect(abs(time - expected) < 50_000)
    }
  }
}

/// Plays bytes through a resampler.
private struct Stream {
  let format: AudioFormat
  let resampler: AdaptiveResampler
  private let caps: UnsafeMutablePointer<GstCaps>
  private let wide: WideSamples

  init(_ name: String, channels: Int) throws {
    try #require(GStreamerLibrary.start())
    let text = "audio/x-raw,format=\(name),layout=interleaved,rate=44100,channels=\(channels)"
    // More than two channels need positions; none of them has one.
    caps = try #require(gst_caps_from_string(channels > 2 ? text + ",channel-mask=(bitmask)0x0" : text))
    format = try #require(AudioFormat(caps: caps))
    resampler = try #require(AdaptiveResampler(format: format))
    wide = try #require(WideSamples(format: format))
  }

  func push(_ bytes: some Collection<UInt8>, streamTime: Int64? = nil) throws -> SampleBuffer? {
    let buffer = try #require(gst_buffer_new_allocate(nil, gsize(bytes.count), nil))
    Array(bytes).withUnsafeBytes { _ = gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
    return resampler.process(try #require(SampleBuffer(taking: buffer, caps: caps, streamTime: streamTime)))
  }

  /// - Parameter ratio: the ratio by frames.
  /// - Returns: all output.
  func play(_ input: [UInt8], block: Int = 221, ratio: (Int) -> Double) throws -> [UInt8] {
    var output: [UInt8] = []
    for start in stride(from: 0, to: input.count, by: block * format.bytesPerFrame) {
      resampler.setRatio(ppm: ratio(start / format.bytesPerFrame))
      try push(input[start..<min(input.count, start + block * format.bytesPerFrame)])?.withBytes { output += $0 }
    }
    resampler.finish()?.withBytes { output += $0 }
    return output
  }

  func bytes(frames: Int, _ sample: (Int, Int) -> Double) throws -> [UInt8] {
    let samples = (0..<frames).flatMap { frame in (0..<format.channels).map { sample(frame, $0) } }
    var bytes: [UInt8] = []
    var wide = wide
    wide.pack(samples, to: &bytes)
    return bytes
  }

  func samples(_ bytes: [UInt8]) -> [Double] { wide.unpack(bytes, frames: 0..<bytes.count / format.bytesPerFrame) }
}
