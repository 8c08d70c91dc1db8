import Glibc

/// The coefficients of a filter of second order, for one sample rate, with a0 = 1.
///
/// Source: Robert Bristow-Johnson, “Audio EQ Cookbook”, https://www.w3.org/TR/audio-eq-cookbook/
struct Biquad: Sendable, Equatable {
  var b0: Double
  var b1: Double
  var b2: Double
  var a1: Double
  var a2: Double

  /// - Returns: nil for a band that changes nothing at this rate: at or above half of it there is no sound to filter.
  init?(_ band: EqualizerBand, rate: Int) {
    guard !band.isNeutral, rate > 0, band.frequency < Double(rate) / 2 else { return nil }
    let w0 = 2 * Double.pi * band.frequency / Double(rate)
    let cosine = cos(w0)
    let alpha = sin(w0) / (2 * band.quality)
    let a = pow(10, band.gain / 40)
    let root = 2 * a.squareRoot() * alpha
    let a0: Double
    switch band.kind {
    case .peak:
      (b0, b1, b2) = (1 + alpha * a, -2 * cosine, 1 - alpha * a)
      (a0, a1, a2) = (1 + alpha / a, -2 * cosine, 1 - alpha / a)
    case .lowShelf:
      b0 = a * ((a + 1) - (a - 1) * cosine + root)
      b1 = 2 * a * ((a - 1) - (a + 1) * cosine)
      b2 = a * ((a + 1) - (a - 1) * cosine - root)
      a0 = (a + 1) + (a - 1) * cosine + root
      a1 = -2 * ((a - 1) + (a + 1) * cosine)
      a2 = (a + 1) + (a - 1) * cosine - root
    case .highShelf:
      b0 = a * ((a + 1) + (a - 1) * cosine + root)
      b1 = -2 * a * ((a - 1) + (a + 1) * cosine)
      b2 = a * ((a + 1) + (a - 1) * cosine - root)
      a0 = (a + 1) - (a - 1) * cosine + root
      a1 = 2 * ((a - 1) - (a + 1) * cosine)
      a2 = (a + 1) - (a - 1) * cosine - root
    case .lowPass:
      (b0, b1, b2) = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .highPass:
      (b0, b1, b2) = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .notch:
      (b0, b1, b2) = (1, -2 * cosine, 1)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    }
    (b0, b1, b2) = (b0 / a0, b1 / a0, b2 / a0)
    (a1, a2) = (a1 / a0, a2 / a0)
  }

  /// The square of the gain at a frequency.
  /// - Parameter phi: sin²(π · frequency / rate). The form with it is exact at low frequencies too.
  func power(phi: Double) -> Double {
    func value(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
      let sum = c0 + c1 + c2
      return max(0, sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * phi + 16 * c0 * c2 * phi * phi)
    }
    return value(b0, b1, b2) / value(1, a1, a2)
  }
}
