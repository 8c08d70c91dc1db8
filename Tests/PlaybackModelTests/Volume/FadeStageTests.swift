import Testing

@testable import PlaybackModel

@Suite struct FadeStageTests {
  private static let rate = 1000

  /// The samples of a constant 1 after the stages, in blocks of 100 ms.
  private func play(_ stages: inout SampleStages, seconds: Double) -> [Double] {
    var played: [Double] = []
    for _ in 0..<Int(seconds * 10) {
      var samples = [Double](repeating: 1, count: Self.rate / 10)
      samples.withUnsafeMutableBufferPointer { stages.process($0, sides: [.middle], rate: Self.rate) }
      played += samples
    }
    return played
  }

  @Test func aFadeOutIsEvenAndEndsInSilence() {
    var stages = SampleStages()
    #expect(stages.isNeutral)
    stages.start(Fade(to: 0, over: .seconds(30)))
    #expect(stages.effects == [.fade])
    let played = play(&stages, seconds: 31)
    #expect(zip(played, played.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.0002 })
    // The gain is the cube of the level.
    for second in [5, 10, 15, 20, 25] {
      let level = 1 - Double(second) / 30
      #expect(abs(played[second * Self.rate - 1] - level * level * level) < 0.001)
    }
    #expect(played.suffix(Self.rate / 2).allSatisfy { $0 == 0 })
    #expect(!stages.isNeutral)
  }

  @Test func aRampBeginsWithTheFirstSound() {
    var stages = SampleStages()
    stages.start(Fade(from: 0, to: 1, over: .seconds(10)))
    stages.reset()
    let played = play(&stages, seconds: 11)
    #expect(played[0] < 0.001)
    #expect(zip(played, played.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(played.suffix(Self.rate).allSatisfy { $0 == 1 })
    #expect(stages.isNeutral)
    #expect(stages.effects.isEmpty)
  }

  @Test func aChangeWhileItFadesDoesNotClick() {
    var stages = SampleStages()
    stages.start(Fade(to: 0, over: .seconds(30)))
    var played = play(&stages, seconds: 15)
    stages.start(Fade(to: 1, over: .seconds(1)))
    played += play(&stages, seconds: 2)
    stages.start(Fade(from: 0, to: 1, over: .seconds(1)))
    played += play(&stages, seconds: 2)
    #expect(zip(played, played.dropFirst()).allSatisfy { abs($0 - $1) < 0.02 })
    #expect(stages.isNeutral)
  }

  @Test func aJumpIsAtOnce() {
    var stages = SampleStages()
    stages.start(Fade(to: 0, over: .seconds(1)))
    _ = play(&stages, seconds: 2)
    stages.start(Fade(to: 1, over: .zero))
    #expect(stages.isNeutral)
    #expect(play(&stages, seconds: 1).allSatisfy { $0 == 1 })
  }

  @Test func anotherOutputContinuesTheFade() {
    var stages = SampleStages()
    stages.start(Fade(to: 0, over: .seconds(10)))
    _ = play(&stages, seconds: 5)
    var others = SampleStages()
    others.fade = stages.fade
    #expect(abs(play(&others, seconds: 0.1)[99] - 0.49 * 0.49 * 0.49) < 0.001)
  }
}
