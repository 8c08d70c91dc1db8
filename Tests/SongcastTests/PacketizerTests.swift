import NIOCore
import Testing

@testable import Songcast

@Suite struct PacketizerTests {
  private static func packetizer(rate: UInt32, depth: UInt8 = 16, channels: UInt8 = 2) -> Packetizer? {
    Packetizer(
      format: AudioFormat(sampleRate: rate, bitDepth: depth, channels: channels, codec: "WAV", isLossless: true),
      latency: .milliseconds(150), position: 1000, samplesTotal: 132_300, bitRate: 1_411_200)
  }

  @Test(arguments: [
    (44100, 16, 2, [220, 221, 220, 221], 1_693_440), (48000, 16, 2, [240, 240], 1_843_200),
    (22050, 16, 1, [110, 110, 110, 111], 1_693_440), (8000, 8, 1, [40, 40], 1_843_200),
    (96000, 24, 2, [480, 480], 1_843_200), (192_000, 24, 2, [960, 960], 1_843_200),
    // A frame of 5 ms would be too long.
    (352_800, 24, 2, [960, 960], 1_693_440), (48000, 24, 8, [240, 240], 1_843_200),
  ]) func cutsFramesOfFiveMilliseconds(rate: Int, depth: Int, channels: Int, sizes: [Int], latency: Int) throws {
    var packetizer = try #require(
      Self.packetizer(rate: UInt32(rate), depth: UInt8(depth), channels: UInt8(channels)))
    let bytes = sizes.reduce(0, +) * channels * depth / 8
    let sound = ByteBuffer(bytes: (0..<bytes).map { UInt8(truncatingIfNeeded: $0) })
    var frames: [AudioFrame] = []
    var rest = sound
    // In pieces that are no multiple of a sample.
    while let piece = rest.readSlice(length: min(1001, rest.readableBytes)), piece.readableBytes > 0 {
      frames += packetizer.add(piece)
    }
    #expect(frames.map { Int($0.sampleCount) } == sizes)
    #expect(frames.first?.sampleStart == 1000)
    #expect(frames.last.map { Int($0.sampleStart) } == 1000 + sizes.dropLast().reduce(0, +))
    #expect(frames.allSatisfy { $0.mediaLatency == UInt32(latency) && $0.flags == .lossless })
    #expect(frames.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1.pcm) } == sound)
    for frame in frames { #expect(try OHMMessage(OHMMessage.audio(frame).encoded()) == .audio(frame)) }
  }

  @Test func endsWithAShortFrame() throws {
    var packetizer = try #require(Self.packetizer(rate: 44100))
    #expect(packetizer.add(ByteBuffer(repeating: 1, count: 880 + 41)).count == 1)
    let last = packetizer.end(isHalt: false)
    #expect(last.map(\.sampleCount) == [10])
    #expect(packetizer.end(isHalt: false).isEmpty)
    let halt = packetizer.end(isHalt: true)
    #expect(halt.map(\.sampleCount) == [0])
    #expect(halt.map(\.isHalt) == [true])
    #expect(halt.map(\.sampleStart) == [1230])
  }

  @Test func refusesWhatSongcastCannotCarry() {
    #expect(Self.packetizer(rate: 44101) == nil)
    #expect(Self.packetizer(rate: 44100, depth: 32) == nil)
    #expect(Self.packetizer(rate: 44100, channels: 9) == nil)
  }
}
