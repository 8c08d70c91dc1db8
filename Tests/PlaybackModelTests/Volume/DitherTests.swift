import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct DitherTests {
  private static let steps = 32_768.0

  @Test func theMeanKeepsFractionsOfAStep() {
    var dither = Dither()
    for part in [0.1, 0.25, 0.5, 0.9] {
      var samples = [Double](repeating: (1_000 + part) / Self.steps, count: 100_000)
      samples.withUnsafeMutableBufferPointer { dither.apply(to: $0, depth: 16) }
      let rounded = samples.map { ($0 * Self.steps).rounded() }
      #expect(abs(rounded.reduce(0, +) / Double(rounded.count) - 1_000 - part) < 0.02)
      #expect(rounded.allSatisfy { (999...1_002).contains($0) })
    }
  }

  @Test func theNoiseIsTheSameWhateverTheSignal() {
    var dither = Dither()
    let powers = [0.05, 0.25, 0.5].map { part in
      var samples = [Double](repeating: part / Self.steps, count: 100_000)
      samples.withUnsafeMutableBufferPointer { dither.apply(to: $0, depth: 16) }
      return samples.reduce(0) { sum, sample in
        let error = (sample * Self.steps).rounded() - part
        return sum + error * error
      } / Double(samples.count)
    }
    // The error power in steps²: 1/12 from rounding plus 2/12 from the noise.
    #expect(powers.allSatisfy { abs($0 - 0.25) < 0.01 }, "\(powers)")
  }

  @Test func exactStepsAreUnchanged() {
    var dither = Dither()
    var samples = [0, -0.5, 12_345 / Self.steps, -1]
    let before = samples
    samples.withUnsafeMutableBufferPointer { dither.apply(to: $0, depth: 16) }
    #expect(samples == before)
  }
}
