import Glibc

/// Volume steps on a card's own scale, in hundredths of a decibel.
///
/// Step 100 is 0 dB, or the card's maximum if that is less: a card is never set to amplify. Levels below the card's minimum
/// are reached by attenuating the samples.
package struct MixerScale: Sendable, Equatable {
  /// The lowest audible level.
  package let minimum: Int
  /// The level of step 100.
  package let reference: Int

  /// Nil for an empty range, which drivers without a scale report.
  package init?(minimum: Int, maximum: Int) {
    guard minimum < maximum, minimum < 0 else { return nil }
    self.minimum = minimum
    reference = min(0, maximum)
  }

  /// The card's level for a step, and the factor on the samples, usually 1.
  func level(step: Int) -> (card: Int, samples: Double) {
    guard let decibels = VolumeScale.decibels(step: step) else { return (minimum, 0) }
    let wanted = reference + Int((decibels * 100).rounded())
    return wanted >= minimum ? (wanted, 1) : (minimum, pow(10, Double(wanted - minimum) / 2_000))
  }

  /// The nearest step to a level of the card.
  /// - Parameter level: nil for silence.
  func step(level: Int?) -> Int {
    guard let level else { return 0 }
    let steps = Double(level - reference) / 100 / VolumeScale.decibelsPerStep
    return min(max(100 + Int(steps.rounded()), 1), 100)
  }
}
