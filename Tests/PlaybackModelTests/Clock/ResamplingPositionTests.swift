import Testing

@testable import PlaybackModel

@Suite struct ResamplingPositionTests {
  @Test(arguments: [
    (ppm: 0.0, input: 1_000, output: 1_000),
    (ppm: 100, input: 2_646_000, output: 2_646_265),
    (ppm: -100, input: 2_646_000, output: 2_645_736),
    (ppm: 1_000, input: 192_000 * 86_400, output: 16_605_388_800),
    (ppm: 0.02, input: 100_000_000, output: 100_000_002),
    (ppm: 1_000_000, input: 1_000_000, output: 1_002_000),
    (ppm: 50, input: 0, output: 0),
  ]) func framesAreCounted(_ ppm: Double, _ input: Int, _ output: Int) {
    var position = ResamplingPosition()
    position.setOutputRate(ResamplingPosition.outputRate(ppm: ppm))
    #expect(position.outputFrames(before: input) == output)
    position.advance(outputFrames: output)
    #expect(position.frame >= input)
    #expect(position.outputFrames(before: input) == 0)
  }

  @Test func aChangeOfTheRatioKeepsThePosition() {
    var position = ResamplingPosition(frame: 7)
    for step in 1...1_000 {
      position.setOutputRate(ResamplingPosition.outputRate(ppm: Double(step % 400 - 200)))
      position.advance(outputFrames: 441)
      let before = (position.frame, position.distanceFromFrame)
      position.setOutputRate(ResamplingPosition.outputRate(ppm: Double(step % 7)))
      #expect(position.frame == before.0)
      #expect(abs(position.distanceFromFrame - before.1) < 1e-7)
    }
  }

  @Test func theNearestFrameMayFollow() {
    var position = ResamplingPosition(frame: 3)
    position.setOutputRate(60_006_000)
    position.advance(outputFrames: 1)
    #expect(position.frame == 3)
    #expect(position.distanceFromFrame < 0)
    #expect(position.nearestFrame == ResamplingPosition(frame: 4))
  }
}
