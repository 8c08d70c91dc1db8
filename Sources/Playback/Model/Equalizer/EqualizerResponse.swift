import Glibc

/// The frequency response of the equalizer's bands at a sample rate, without the preamp.
public struct EqualizerResponse: Sendable {
  /// The response of one side at a frequency, in dB.
  public struct Point: Sendable, Equatable {
    public var frequency: Double
    public var left: Double
    public var right: Double
  }

  /// Below −200 dB nothing is heard. Keeps the depth of a notch finite.
  static let floor = -200.0

  private let rate: Double
  private let frequencies: [Double]
  private let left: [Biquad]
  private let right: [Biquad]

  public init(_ settings: EqualizerSettings, rate: Int) {
    self.rate = Double(max(rate, 1))
    let sections = { (side: ChannelSide) in
      settings.bands.filter { $0.channel.includes(side) }.compactMap { Biquad($0, rate: rate) }
    }
    (left, right) = (sections(.left), sections(.right))
    let nyquist = self.rate / 2
    frequencies = settings.bands.filter { !$0.isNeutral }.map(\.frequency).filter { $0 < nyquist }
  }

  /// The gain of a side at a frequency, in dB.
  /// - Parameter side: channels in the middle have no response of their own here.
  package func decibels(_ frequency: Double, of side: ChannelSide) -> Double {
    decibels(frequency, side == .right ? right : left)
  }

  private func decibels(_ frequency: Double, _ sections: [Biquad]) -> Double {
    let sine = sin(.pi * min(frequency, rate / 2) / rate)
    let phi = sine * sine
    // A sum of logarithms, since a product of 20 powers may underflow.
    let sum = sections.reduce(0) { $0 + log10(max($1.power(phi: phi), 1e-300)) }
    return max(Self.floor, 10 * sum)
  }

  /// Points for a curve from 20 Hz to 20 kHz: 24 per octave, and the frequencies of the bands, so that a narrow one is not
  /// missed.
  public var curve: [Point] {
    let last = min(20_000, rate / 2)
    let steps = (0..<240).map { 20 * pow(2, Double($0) / 24) }.filter { $0 < last }
    let bands = frequencies.filter { (20...last).contains($0) }
    return Set(steps + bands + [last]).sorted().map {
      Point(frequency: $0, left: decibels($0, left), right: decibels($0, right))
    }
  }

  /// The largest gain of all bands together at any frequency, in dB; 0 if no frequency is amplified.
  public var largestBoost: Double { max(0, peak(left), left == right ? 0 : peak(right)) }

  /// Searches around the highest points of a grid.
  private func peak(_ sections: [Biquad]) -> Double {
    guard !sections.isEmpty else { return 0 }
    let nyquist = rate / 2
    let steps = (0...256).map { pow(nyquist, Double($0) / 256) }
    let grid = Set(steps + frequencies + [0]).sorted()
    let heights = grid.map { decibels($0, sections) }
    let highest = heights.max() ?? 0
    return grid.indices.reduce(highest) { best, index in
      let neighbours = [max(index - 1, 0), min(index + 1, grid.count - 1)]
      let isPeak = neighbours.allSatisfy { heights[$0] <= heights[index] } && heights[index] > highest - 6
      return isPeak ? max(best, peak(sections, between: grid[neighbours[0]], and: grid[neighbours[1]])) : best
    }
  }

  /// The highest point of an interval with one peak, by golden-section search.
  private func peak(_ sections: [Biquad], between lower: Double, and upper: Double) -> Double {
    let ratio = (5.0.squareRoot() - 1) / 2
    var (lower, upper) = (lower, upper)
    for _ in 0..<24 {
      let (first, second) = (upper - ratio * (upper - lower), lower + ratio * (upper - lower))
      if decibels(first, sections) < decibels(second, sections) { lower = first } else { upper = second }
    }
    return decibels((lower + upper) / 2, sections)
  }
}

extension EqualizerSettings {
  /// The preamp in force at a sample rate, in dB.
  public func preampInForce(rate: Int) -> Double {
    automaticPreamp ? 0 - EqualizerResponse(self, rate: rate).largestBoost : preamp
  }
}
