/// Adds noise of triangular distribution, two steps wide, to samples before they are rounded, so that the rounding
/// error becomes noise instead of distortion. Not a `SampleStage`: it depends on the device's format and follows the
/// resampler.
///
/// A sample that needs no rounding gets no noise. So digital silence stays silent, and an unprocessed channel stays bit
/// exact next to a processed one.
package struct Dither: Sendable {
  /// Bit depth above which rounding noise is below the noise of any D/A converter, so that no dither is needed.
  package static let deepest = 20

  private var state: UInt64 = 1

  package init() {}

  /// - Parameters:
  ///   - samples: 1 is full scale.
  ///   - depth: bits that they will be rounded to.
  package mutating func apply(to samples: UnsafeMutableBufferPointer<Double>, depth: Int) {
    let steps = Double(Int64(1) << (depth - 1))
    for index in samples.indices {
      let value = samples[index] * steps
      if value == value.rounded() { continue }
      samples[index] = (value + noise()) / steps
    }
  }

  /// The sum of two uniformly distributed numbers, each of ±½ step.
  private mutating func noise() -> Double {
    // Marsaglia's xorshift (2003).
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let halves = (UInt32(truncatingIfNeeded: state), UInt32(truncatingIfNeeded: state >> 32))
    return (Double(halves.0) + Double(halves.1)) / Double(UInt32.max) - 1
  }
}
