/// Noise of triangular distribution, two steps wide, that goes onto samples before they are rounded: what the rounding
/// takes away is then noise too, and not distortion.
///
/// A sample that is a whole number of steps loses nothing and gets none: digital silence stays what it is, and so does a
/// channel that passes as it came beside another that does not.
package struct Dither {
  private var state: UInt64 = 1

  package init() {}

  /// - Parameters:
  ///   - samples: 1 is full scale.
  ///   - depth: the bits that they will be rounded to.
  package mutating func apply(to samples: UnsafeMutableBufferPointer<Double>, depth: Int) {
    let steps = Double(Int64(1) << (depth - 1))
    for index in samples.indices {
      let value = samples[index] * steps
      if value == value.rounded() { continue }
      samples[index] = (value + noise()) / steps
    }
  }

  /// The sum of two evenly distributed numbers, each half a step to either side.
  private mutating func noise() -> Double {
    // Marsaglia's xorshift of 2003: good enough for noise, and fast.
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let halves = (UInt32(truncatingIfNeeded: state), UInt32(truncatingIfNeeded: state >> 32))
    return (Double(halves.0) + Double(halves.1)) / Double(UInt32.max) - 1
  }
}
