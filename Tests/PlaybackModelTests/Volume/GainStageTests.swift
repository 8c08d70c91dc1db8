import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct GainStageTests {
  private static let rate = 1_000
  /// Frames of a glide.
  private static let glide = Int(GainStage.glide * Double(rate))

  @Test func atUnityNothingHappens() {
    var stage = GainStage()
    #expect(stage.isNeutral)
    stage.enter(track: 1, gain: 1)
    #expect(stage.isNeutral)
    stage.volume = 0.5
    #expect(!stage.isNeutral)
  }

  @Test func aChangeGlidesAndComesToRestExactly() {
    var stage = GainStage()
    stage.volume = 0.5
    let heard = stage.scale([Double](repeating: 1, count: 20), sides: [.middle])
    #expect(heard.first.map { $0 < 1 && $0 > 0.9 } == true)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(heard[(Self.glide - 1)...].allSatisfy { $0 == 0.5 })
    stage.volume = 1
    _ = stage.scale([Double](repeating: 1, count: 20), sides: [.middle])
    #expect(stage.isNeutral)
  }

  @Test func aMuteGlidesToSilence() {
    var stage = GainStage()
    stage.volume = 0.25
    stage.isMuted = true
    #expect(!stage.isNeutral)
    let heard = stage.scale([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], sides: [.left])
    #expect(heard[0] > 0 && heard[Self.glide...].allSatisfy { $0 == 0 })
    #expect(!stage.isNeutral)
  }

  @Test func whatBeginsAnewBeginsAsItIsSet() {
    var stage = GainStage()
    stage.volume = 0.5
    stage.reset()
    #expect(stage.scale([1, 1, 1], sides: [.middle]) == [0.5, 0.5, 0.5])
    stage.volume = 0
    stage.reset()
    #expect(stage.scale([1, 1], sides: [.middle]) == [0, 0])
  }

  @Test func balanceTurnsDownTheOtherSideAndLeavesTheMiddle() {
    var stage = GainStage()
    stage.balance = -15
    stage.reset()
    #expect(stage.scale([1, 1, 1, 1, 1], sides: [.left, .right, .middle, .middle, .right]) == [1, 0, 1, 1, 0])
    stage.balance = 15
    stage.reset()
    #expect(stage.scale([1, 1, 1, 1], sides: [.left, .right]) == [0, 1, 0, 1])
  }

  @Test func aTrackBeginsWithItsOwnGainOnItsFirstSample() {
    var stage = GainStage()
    stage.volume = 0.5
    stage.reset()
    stage.enter(track: 1, gain: 0.5)
    #expect(stage.scale([1, 1], sides: [.middle]) == [0.25, 0.25])
    stage.enter(track: 2, gain: 0.25)
    #expect(stage.scale([1, 1], sides: [.middle]) == [0.125, 0.125])
    stage.volume = 1
    stage.reset()
    stage.enter(track: 3, gain: 1)
    #expect(stage.isNeutral)
  }

  @Test func aTrackThatBeginsInAGlideTakesItOver() {
    var stage = GainStage()
    stage.volume = 0.5
    stage.enter(track: 1, gain: 1)
    let before = stage.scale([1], sides: [.middle])
    stage.enter(track: 2, gain: 0.5)
    let after = stage.scale([Double](repeating: 1, count: 10), sides: [.middle])
    #expect(abs(after[0] - before[0] / 2) < 0.05)
    #expect(after[9] == 0.25)
  }

  @Test func aGainThatBecomesKnownLaterGlides() {
    var stage = GainStage()
    stage.enter(track: 1, gain: 1)
    stage.enter(track: 1, gain: 0.5)
    let heard = stage.scale([Double](repeating: 1, count: 12), sides: [.middle])
    #expect(heard[0] > 0.9 && heard[11] == 0.5)
  }

  @Test func aTrackWithAGainIsLimitedAndOneWithoutIsNot() {
    var stage = GainStage()
    stage.enter(track: 1, gain: 2)
    #expect(stage.scale([0.9], sides: [.middle]) == [Limiter.ceiling])
    stage.reset()
    stage.enter(track: 2, gain: 1)
    #expect(stage.isNeutral)
    stage.volume = 0.5
    stage.reset()
    stage.enter(track: 3, gain: nil)
    #expect(stage.scale([3], sides: [.middle]) == [1.5])
  }
}

extension GainStage {
  fileprivate mutating func scale(_ samples: [Double], sides: [Side]) -> [Double] {
    var samples = samples
    samples.withUnsafeMutableBufferPointer { process($0, sides: sides, rate: 1_000) }
    return samples
  }
}
