import Glibc
import Testing

@testable import PlaybackModel

@Suite struct EqualizerResponseTests {
  private static let rates = [8_000, 44_100, 96_000, 192_000, 768_000]

  /// The analog prototypes H(s) of the Audio EQ Cookbook, with s = j · tan(w/2) / tan(w0/2): what the digital filter must have.
  static func decibels(_ band: EqualizerBand, _ frequency: Double, rate: Int) -> Double {
    guard band.isOn, band.frequency < Double(rate) / 2 else { return 0 }
    let s = tan(.pi * frequency / Double(rate)) / tan(.pi * band.frequency / Double(rate))
    let (a, q) = (pow(10, band.gain / 40), band.quality)
    let power = { (real: Double, imaginary: Double) in real * real + imaginary * imaginary }
    let root = a.squareRoot() / q
    let (above, below): (Double, Double) =
      switch band.kind {
      case .peak: (power(1 - s * s, s * a / q), power(1 - s * s, s / (a * q)))
      case .lowShelf: (a * a * power(a - s * s, root * s), power(1 - a * s * s, root * s))
      case .highShelf: (a * a * power(1 - a * s * s, root * s), power(a - s * s, root * s))
      case .lowPass: (1, power(1 - s * s, s / q))
      case .highPass: (s * s * s * s, power(1 - s * s, s / q))
      case .notch: (power(1 - s * s, 0), power(1 - s * s, s / q))
      }
    return 10 * log10(above / below)
  }

  /// Every kind, at many places.
  @Test(arguments: EqualizerBand.Kind.allCases)
  func followsTheCookbook(kind: EqualizerBand.Kind) {
    for rate in Self.rates {
      for center in [10.0, 31.5, 105, 1_000, 3_999, 12_000, 22_000, 40_000] {
        for (gain, quality) in [(24.0, 0.1), (-24, 100), (6, 0.7071), (-3.2, 1.41)] {
          let band = EqualizerBand(kind, center, gain: gain, quality: quality)
          let response = EqualizerResponse(EqualizerSettings(bands: [band]), rate: rate)
          for frequency in stride(from: 15.0, to: min(20_000, Double(rate) / 2), by: 497) {
            let expected = Self.decibels(band, frequency, rate: rate)
            let heard = response.decibels(frequency, of: .left)
            if expected < -120 { continue }
            #expect(abs(heard - expected) < 1e-3, "\(band) at \(rate), \(frequency) Hz: \(heard), not \(expected)")
          }
        }
      }
    }
  }

  /// Coefficients for 1 kHz, 6 dB and Q 1 at 48 kHz, computed with the formulas of the Audio EQ Cookbook by another program.
  @Test(
    arguments: [
      (.peak, [1.0439530870, -1.8953207239, 0.8677222848, -1.8953207239, 0.9116753718]),
      (.lowPass, [0.0040155050, 0.0080310100, 0.0040155050, -1.8614084445, 0.8774704646]),
    ] as [(EqualizerBand.Kind, [Double])])
  func coefficients(_ kind: EqualizerBand.Kind, _ expected: [Double]) throws {
    let biquad = try #require(Biquad(EqualizerBand(kind, 1_000, gain: 6, quality: 1), rate: 48_000))
    let found = [biquad.b0, biquad.b1, biquad.b2, biquad.a1, biquad.a2]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found)")
  }

  /// Without sound above half of the sample rate, there is nothing to filter.
  @Test(arguments: EqualizerBand.Kind.allCases)
  func bandsAboveHalfTheRateChangeNothing(kind: EqualizerBand.Kind) {
    for frequency in [22_050.0, 22_051, 40_000] {
      #expect(Biquad(EqualizerBand(kind, frequency, gain: 12), rate: 44_100) == nil)
      #expect(Biquad(EqualizerBand(kind, frequency, gain: 12), rate: 192_000) != nil)
    }
  }

  @Test(
    arguments: [
      ("none", [], 0, 0.001), ("a cut", [EqualizerBand(.peak, 100, gain: -6)], 0, 0.001),
      ("a boost", [EqualizerBand(.peak, 100, gain: 6)], 6, 0.001),
      ("a narrow boost", [EqualizerBand(.peak, 3_333, gain: 12, quality: 100)], 12, 0.001),
      ("the same twice", [EqualizerBand(.peak, 100, gain: 6), EqualizerBand(.peak, 100, gain: 6)], 12, 0.001),
      (
        "boosts far apart",
        [EqualizerBand(.peak, 50, gain: 6, quality: 8), EqualizerBand(.peak, 9_000, gain: 6, quality: 8)], 6.005, 0.01
      ),
      ("a boost that is cut", [EqualizerBand(.peak, 100, gain: 6), EqualizerBand(.peak, 100, gain: -6)], 0, 0.001),
      ("on one side", [EqualizerBand(.peak, 100, gain: 6, channel: .right)], 6, 0.001),
      (
        "on both sides",
        [EqualizerBand(.peak, 100, gain: 6, channel: .right), EqualizerBand(.peak, 100, gain: 4, channel: .left)], 6,
        0.001
      ),
      ("a low shelf", [EqualizerBand(.lowShelf, 100, gain: 6)], 6, 0.001),
      ("a high shelf", [EqualizerBand(.highShelf, 8_000, gain: 6)], 6, 0.001),
      // 20 · log10(Q / √(1 − 1/(4Q²)))
      ("a resonance", [EqualizerBand(.lowPass, 1_000, quality: 2)], 6.301, 0.01),
      ("a notch", [EqualizerBand(.notch, 1_000)], 0, 0.001),
      ("off", [EqualizerBand(.peak, 100, gain: 6, isOn: false)], 0, 0.001),
      ("above half the rate", [EqualizerBand(.peak, 30_000, gain: 6)], 0, 0.001),
    ] as [(String, [EqualizerBand], Double, Double)])
  func largestBoost(_ name: String, _ bands: [EqualizerBand], _ expected: Double, _ tolerance: Double) {
    let settings = EqualizerSettings(bands: bands)
    #expect(abs(EqualizerResponse(settings, rate: 44_100).largestBoost - expected) < tolerance)
    #expect(abs(settings.preampInForce(rate: 44_100) + expected) < tolerance)
    #expect(EqualizerSettings(bands: bands, preamp: -3, automaticPreamp: false).preampInForce(rate: 44_100) == -3)
  }

  /// No frequency of a dense grid is louder, for settings like those of a room.
  @Test(arguments: rates) func nothingIsLouderThanTheLargestBoost(rate: Int) {
    let kinds: [EqualizerBand.Kind] = [.peak, .lowShelf, .highShelf, .peak]
    let bands = (0..<20).map { place in
      let (gain, quality) = (Double((place * 7) % 19) - 9, 0.5 + Double((place * 5) % 9))
      return EqualizerBand(kinds[place % 4], 30 * pow(1.4, Double(place)), gain: gain, quality: quality)
    }
    let response = EqualizerResponse(EqualizerSettings(bands: bands), rate: rate)
    let step = Double(rate) / 40_000
    let loudest = (1..<20_000).map { response.decibels(step * Double($0), of: .left) }.max() ?? 0
    #expect(loudest <= response.largestBoost + 0.01)
    #expect(response.largestBoost < 60)
  }

  @Test func theCurveHasTheCentersOfNarrowBands() {
    let settings = EqualizerSettings(bands: [EqualizerBand(.peak, 1_234.5, gain: 9, quality: 100, channel: .left)])
    let curve = EqualizerResponse(settings, rate: 44_100).curve
    #expect(curve.first?.frequency == 20 && curve.last?.frequency == 20_000)
    #expect(zip(curve, curve.dropFirst()).allSatisfy { $0.frequency < $1.frequency })
    let center = curve.first { $0.frequency == 1_234.5 }
    #expect(abs((center?.left ?? 0) - 9) < 1e-6 && center?.right == 0)
  }
}
