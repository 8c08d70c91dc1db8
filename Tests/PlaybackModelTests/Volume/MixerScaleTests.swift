import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct MixerScaleTests {
  @Test(arguments: [
    // Minimum, maximum, volume step, level of the card, gain of the samples. Levels are in hundredths of a decibel.
    (-6_000, 0, 100, 0, 0.0), (-6_000, 0, 50, -2_998, 0), (-6_000, 0, 1, -5_936, 0),
    // A card that can amplify, which is never used, and one whose maximum is below 0 dB.
    (-6_000, 600, 100, 0, 0), (-6_000, -300, 100, -300, 0), (-6_000, -300, 99, -360, 0),
    // The card's minimum is above the lowest volume steps.
    (-2_500, 0, 59, -2_458, 0), (-2_500, 0, 58, -2_500, -18), (-2_500, 0, 1, -2_500, -3_436),
  ])
  func stepsFollowOurScale(minimum: Int, maximum: Int, step: Int, card: Int, samples: Double) throws {
    let scale = try #require(MixerScale(minimum: minimum, maximum: maximum))
    let level = scale.level(step: step)
    #expect(level.card == card)
    #expect(abs(2_000 * log10(level.samples) - samples) < 1)
  }

  @Test func everyStepRoundTripsThroughItsLevel() throws {
    let scale = try #require(MixerScale(minimum: -6_400, maximum: 0))
    for step in 1...100 { #expect(scale.step(level: scale.level(step: step).card) == step) }
    #expect(scale.step(level: nil) == 0)
    #expect(scale.step(level: 900) == 100)
    #expect(scale.step(level: -9_000) == 1)
    #expect(scale.level(step: 0).samples == 0)
  }

  @Test(arguments: [(0, 0), (-100, -100), (0, 2_400), (100, -100)])
  func anInvalidDecibelRangeIsRefused(minimum: Int, maximum: Int) {
    #expect(MixerScale(minimum: minimum, maximum: maximum) == nil)
  }
}
