import NIOCore
import PlaybackModel
import Testing

@testable import Renderer
@testable import Songcast

@Suite struct ReceivedSoundTests {
  private static func received(
    _ joint: ReceivedFrame.Joint, start: UInt64, bytes: [UInt8] = [0, 1, 0, 2], bitDepth: UInt8 = 16,
    channels: UInt8 = 1, rate: UInt32 = 48_000, flags: AudioFrame.Flags = []
  ) -> ReceivedFrame {
    let count = UInt16(bytes.count / Int(bitDepth / 8) / Int(channels))
    let format = Songcast.AudioFormat(
      sampleRate: rate, bitDepth: bitDepth, channels: channels, codec: "WAV", isLossless: true)
    let frame = AudioFrame(
      flags: flags, number: 1, mediaLatency: 1_843_200, sampleStart: start, samplesTotal: 0, format: format, bitRate: 0,
      sampleCount: count, pcm: ByteBuffer(bytes: bytes))
    return ReceivedFrame(frame: frame, arrival: .uptimeNanoseconds(7_000), joint: joint)
  }

  /// The only piece of a frame.
  private static func block(_ sound: inout ReceivedSound, _ frame: ReceivedFrame) throws -> ClockedInput.Block {
    let pieces = sound.pieces(of: frame)
    #expect(pieces.count == 1)
    return try #require(pieces.lazy.compactMap { if case .block(let block) = $0 { block } else { nil } }.first)
  }

  @Test(
    arguments: [
      (8, [0x00, 0x80, 0xFF], [Int32.min, 0, 0x7F00_0000]),
      (16, [0x80, 0x00, 0x7F, 0xFF, 0xFF, 0xFF], [Int32.min, 0x7FFF_0000, -0x1_0000]),
      (24, [0x80, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0x00, 0x00, 0x01], [Int32.min, 0x7FFF_FF00, 0x100]),
    ] as [(UInt8, [UInt8], [Int32])])
  func samplesHaveFullScale(bitDepth: UInt8, bytes: [UInt8], samples: [Int32]) throws {
    var sound = ReceivedSound()
    let block = try Self.block(&sound, Self.received(.restart, start: 0, bytes: bytes, bitDepth: bitDepth))
    #expect(block.samples == samples)
    #expect(block.latency == 150_000_000 && block.arrival == 7_000 && block.rate == 48_000 && block.channels == 1)
  }

  @Test func lostFramesKeepTheirPlaces() throws {
    var sound = ReceivedSound()
    #expect(try Self.block(&sound, Self.received(.restart, start: 1_000)).start == 0)
    #expect(try Self.block(&sound, Self.received(.continues, start: 1_002)).start == 2)
    // Four frames are lost.
    #expect(try Self.block(&sound, Self.received(.continues, start: 1_008)).start == 8)
    // Another track has other positions, but joins.
    #expect(try Self.block(&sound, Self.received(.newStream, start: 0)).start == 10)
  }

  @Test func anotherFormatAndARestartBeginAStream() throws {
    var sound = ReceivedSound()
    #expect(try Self.block(&sound, Self.received(.restart, start: 0)).isFirst)
    #expect(try !Self.block(&sound, Self.received(.continues, start: 2)).isFirst)
    let other = try Self.block(&sound, Self.received(.newStream, start: 0, rate: 44_100))
    #expect(other.isFirst && other.start == 0)
    let restarted = try Self.block(&sound, Self.received(.restart, start: 90, rate: 44_100))
    #expect(restarted.isFirst && restarted.start == 0)
  }

  @Test func aFrameThatWasSentAgainTellsNoTime() throws {
    var sound = ReceivedSound()
    #expect(try Self.block(&sound, Self.received(.restart, start: 0, flags: .resent)).arrival == nil)
  }

  @Test func aHaltIsAPauseAfterItsSamples() {
    var sound = ReceivedSound()
    #expect(sound.pieces(of: Self.received(.restart, start: 0, flags: .halt)).last == .pause)
    #expect(sound.pieces(of: Self.received(.continues, start: 2, bytes: [], flags: .halt)) == [.pause])
  }
}
