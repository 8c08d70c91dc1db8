import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct SignalPathTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var input: String
    var output: String
    var isDirect = true
    var effects: Set<SampleEffect> = []
    var reasons: [SignalPath.Reason] = []

    init(
      _ description: String, _ input: String, _ output: String, isDirect: Bool = true,
      _ effects: Set<SampleEffect> = [], _ reasons: [SignalPath.Reason] = []
    ) {
      testDescription = description
      (self.input, self.output, self.isDirect, self.effects, self.reasons) =
        (input, output, isDirect, effects, reasons)
    }
  }

  @Test(arguments: [
    Case("The same format", "S16LE 44.1 2", "S16LE 44.1 2"),
    Case("One channel on one", "S16LE 44.1 1", "S16LE 44.1 1"),
    Case("16 bits in 32", "S16LE 44.1 2", "S32LE 44.1 2"),
    Case("24 bits in 32", "S24_32LE 96 2", "S32LE 96 2"),
    Case("24 bits in 24 of 32", "S24LE 96 2", "S24_32LE 96 2"),
    Case("16 bits as floating point", "S16LE 44.1 2", "F32LE 44.1 2"),
    Case("24 bits as floating point", "S24LE 44.1 2", "F32LE 44.1 2"),
    Case("32 bits as floating point", "S32LE 44.1 2", "F32LE 44.1 2", [], [.depth]),
    Case("32 bits as double precision", "S32LE 44.1 2", "F64LE 44.1 2"),
    Case("A lossy codec's samples", "F32LE 44.1 2", "S32LE 44.1 2"),
    Case("A lossy codec's samples on 24 bits", "F32LE 44.1 2", "S24LE 44.1 2", [], [.depth]),
    Case("Double precision", "F64LE 44.1 2", "S32LE 44.1 2", [], [.depth]),
    Case("24 bits on 16", "S24LE 44.1 2", "S16LE 44.1 2", [], [.depth]),
    Case("Another rate", "S16LE 44.1 2", "S16LE 48 2", [], [.resampled]),
    Case("Another rate and depth", "S24LE 96 2", "S16LE 48 2", [], [.resampled, .depth]),
    Case("One channel on two", "S16LE 44.1 1", "S16LE 44.1 2", [], [.channels]),
    Case("Two channels on one", "S16LE 44.1 2", "S16LE 44.1 1", [], [.channels]),
    Case("Volume", "S16LE 44.1 2", "S32LE 44.1 2", [.volume], [.volume]),
    Case("Balance", "S16LE 44.1 2", "S32LE 44.1 2", [.balance], [.balance]),
    Case("Balance on one channel", "S16LE 44.1 1", "S16LE 44.1 1", [.balance]),
    Case("Mute", "S16LE 44.1 2", "S16LE 44.1 2", [.mute], [.mute]),
    Case("A fade", "S16LE 44.1 2", "S32LE 44.1 2", [.fade], [.fade]),
    Case("ReplayGain", "S16LE 44.1 2", "S32LE 44.1 2", [.limiter, .replayGain], [.replayGain, .limiter]),
    Case("The equalizer", "S16LE 44.1 2", "S32LE 44.1 2", [.equalizer], [.equalizer]),
    Case("A sound server", "S16LE 44.1 2", "S16LE 44.1 2", isDirect: false, [], [.shared]),
    Case(
      "All at once", "S24LE 96 1", "S16LE 48 2", isDirect: false,
      [.mute, .limiter, .volume, .balance, .replayGain, .equalizer, .fade, .announcement],
      SignalPath.Reason.allCases),
  ])
  func reasonsFollowFromTheFacts(_ one: Case) {
    let facts = SignalFacts(
      input: AudioFormat(DeviceFormat(one.input)), output: AudioFormat(DeviceFormat(one.output)),
      isDirect: one.isDirect, effects: one.effects)
    #expect(facts.path().reasons == one.reasons)
    #expect(facts.path().isBitPerfect == one.reasons.isEmpty)
    #expect(facts.path(followsClock: true).reasons.contains(.resampled))
  }

  @Test(arguments: [("S24LE 96 2", 24, true), ("S16LE 96 2", 24, false), ("S24LE 96 2", 32, false)])
  func bitsThatADecoderAddsAreNotNeeded(_ output: String, _ bitDepth: Int, _ isExact: Bool) {
    let facts = SignalFacts(
      input: AudioFormat(DeviceFormat("S32LE 96 2")), output: AudioFormat(DeviceFormat(output)), isDirect: true)
    #expect(facts.path(bitDepth: bitDepth).reasons == (isExact ? [] : [.depth]))
  }

  @Test func outputFormatHasTheSignificantBits() {
    let facts = SignalFacts(
      input: AudioFormat(DeviceFormat("S16LE 44.1 2")), output: AudioFormat(DeviceFormat("S24_32LE 44.1 2")),
      isDirect: true)
    #expect(facts.outputFormat == OutputFormat(sampleRate: 44_100, bitDepth: 24, channels: 2, isDirect: true))
  }
}

extension AudioFormat {
  fileprivate init(_ format: DeviceFormat) {
    let depth = ["U8": 8, "S16LE": 16, "S24LE": 24, "S24_32LE": 24, "F64LE": 64][format.format] ?? 32
    let sides: [ChannelSide] = format.channels == 1 ? [.middle] : [.left, .right]
    self.init(
      name: format.format, depth: depth, rate: format.rate, channels: format.channels, sides: sides,
      bytesPerFrame: format.channels * depth / 8)
  }
}
