/// A band of the equalizer: a filter of second order.
public struct EqualizerBand: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable, Codable {
    case peak
    case lowShelf = "low_shelf"
    case highShelf = "high_shelf"
    case lowPass = "low_pass"
    case highPass = "high_pass"
    case notch

    /// Whether the filter has a gain.
    public var hasGain: Bool { [.peak, .lowShelf, .highShelf].contains(self) }
  }

  /// The channels that a band filters.
  public enum Channel: String, Sendable, CaseIterable, Codable {
    case both, left, right

    /// Whether the band filters channels of a side. Those in the middle have only bands for both sides.
    func includes(_ side: ChannelSide) -> Bool { self == .both || "\(self)" == "\(side)" }
  }

  public static let frequencies = 10.0...40_000
  /// Larger gains are no correction but a mistake, and a boost of this size already needs the whole headroom of 4 bits.
  public static let gains = -24.0...24.0
  public static let qualities = 0.1...100.0

  public var kind: Kind
  public var channel: Channel
  /// Whether the band filters at all.
  public var isOn: Bool
  /// Hz: the center of a peak or notch, the middle of a shelf's slope, the corner of a pass.
  public var frequency: Double
  /// dB; without effect for a kind that has no gain.
  public var gain: Double
  /// See the Audio EQ Cookbook. √½ for a shelf or a pass without a resonance.
  public var quality: Double

  public init(
    _ kind: Kind, _ frequency: Double, gain: Double = 0, quality: Double = 0.5.squareRoot(), channel: Channel = .both,
    isOn: Bool = true
  ) {
    self.kind = kind
    self.channel = channel
    self.isOn = isOn
    self.frequency = frequency
    self.gain = gain
    self.quality = quality
  }

  /// Whether the band leaves all samples unchanged at any sample rate.
  var isNeutral: Bool { !isOn || kind.hasGain && gain == 0 }
}

/// What the equalizer does: bands and preamp. A preset stores it.
public struct EqualizerSettings: Sendable, Equatable {
  public static let maximumBands = 20
  public static let preamps = -60.0...24.0

  public var bands: [EqualizerBand]
  /// dB on all channels; replaced by `automaticPreamp`.
  public var preamp: Double
  /// Whether the preamp is the opposite of the largest boost of all bands together, so that they cannot clip a tone.
  public var automaticPreamp: Bool

  public init(bands: [EqualizerBand] = [], preamp: Double = 0, automaticPreamp: Bool = true) {
    self.bands = bands
    self.preamp = preamp
    self.automaticPreamp = automaticPreamp
  }

  /// Whether all samples stay unchanged.
  public var isNeutral: Bool { bands.allSatisfy(\.isNeutral) && (automaticPreamp || preamp == 0) }

  /// Whether the sides are filtered differently, which needs two channels.
  var separatesSides: Bool { bands.contains { $0.channel != .both && !$0.isNeutral } }

  /// Refuses values outside of the limits. None of them is infinite or not a number then.
  public func check() throws(EqualizerError) {
    guard bands.count <= Self.maximumBands else { throw .wrongValue("There are more than \(Self.maximumBands) bands.") }
    for (index, band) in bands.enumerated() {
      if let problem = band.problem { throw .wrongValue("Band \(index + 1): \(problem)") }
    }
    guard Self.preamps.contains(preamp) else {
      throw .wrongValue("The preamp must be between \(Self.preamps.shown) dB.")
    }
  }
}

extension EqualizerBand {
  /// A sentence about a value outside of its limits; nil if there is none.
  var problem: String? {
    if !Self.frequencies.contains(frequency) { return "the frequency must be between \(Self.frequencies.shown) Hz." }
    if !Self.gains.contains(gain) { return "the gain must be between \(Self.gains.shown) dB." }
    if !Self.qualities.contains(quality) { return "Q must be between \(Self.qualities.shown)." }
    return nil
  }
}

/// Why the equalizer refuses a change. A refused change changes nothing.
public enum EqualizerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence about the value.
  case wrongValue(String)
  /// A line of a text, from 1, and a sentence about it.
  case line(Int, String)
  case unknownPreset
  /// There are `Equalizer.maximumPresets` presets.
  case presetsFull

  public var description: String {
    switch self {
    case .wrongValue(let sentence): sentence
    case .line(let number, let sentence): "Line \(number): \(sentence)"
    case .unknownPreset: "The equalizer has no such preset."
    case .presetsFull: "The equalizer has \(Equalizer.maximumPresets) presets already."
    }
  }
}

extension ClosedRange<Double> {
  /// `−24 and 24`.
  fileprivate var shown: String { "\(lowerBound.short) and \(upperBound.short)".replacingMinus }
}

extension Double {
  /// With at most four decimals, and no fraction if it is zero.
  var short: String {
    let value = (self * 10_000).rounded() / 10_000
    return value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
  }
}

extension String {
  fileprivate var replacingMinus: String { String(map { $0 == "-" ? "−" : $0 }) }
}
