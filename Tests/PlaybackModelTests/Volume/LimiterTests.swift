import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct LimiterTests {
  @Test func nothingPassesFullScaleAndNothingIsCutOff() {
    var limiter = LimiterStage(isActive: true)
    var generator = SplitMix(state: 1)
    let loud = (0..<48_000).map { _ in Double.random(in: -3...3, using: &generator) }
    let heard = limiter.limit(loud, channels: 2, buffer: 4_096)
    #expect(heard.allSatisfy { abs($0) <= LimiterStage.ceiling + 1e-12 })
    // If the samples were clipped, two thirds of them would be at full scale.
    #expect(heard.count { abs($0) > LimiterStage.ceiling - 1e-9 } < loud.count / 10)
    #expect(zip(heard, loud).allSatisfy { ($0 < 0) == ($1 < 0) })
  }

  @Test func samplesBelowFullScaleAreUnchanged() {
    var limiter = LimiterStage(isActive: true)
    var generator = SplitMix(state: 2)
    let quiet = (0..<9_600).map { _ in Double.random(in: -0.99...0.99, using: &generator) }
    #expect(limiter.limit(quiet, channels: 2, buffer: 1_024) == quiet)
    #expect(limiter.gain == 1)
  }

  @Test func allChannelsAreAttenuatedEquallyAndRecover() {
    var limiter = LimiterStage(isActive: true)
    var samples = [Double](repeating: 0.25, count: 96_000)
    samples[20_000] = 2
    let heard = limiter.limit(samples, channels: 2, buffer: 2_048)
    #expect(abs(heard[20_000] - LimiterStage.ceiling) < 1e-12)
    #expect(abs(heard[20_001] - 0.125) < 0.001)
    // Samples near the peak are attenuated too. Those long before and after it are unchanged.
    #expect(heard[19_998] < 0.13 && heard[20_002] < 0.13)
    #expect(heard[19_700] == 0.25)
    #expect(heard[95_999] == 0.25 && limiter.gain == 1)
  }
}

extension LimiterStage {
  fileprivate init(isActive: Bool) {
    self.init()
    enter(track: 1, gain: isActive ? 1 : nil)
  }

  fileprivate mutating func limit(_ samples: [Double], channels: Int, buffer: Int) -> [Double] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: buffer) {
        var block = SampleBlock(
          UnsafeMutableBufferPointer(rebasing: all[start..<min(start + buffer, all.count)]),
          sides: Array(repeating: .middle, count: channels), rate: 48_000)
        process(&block)
      }
    }
    return samples
  }
}
