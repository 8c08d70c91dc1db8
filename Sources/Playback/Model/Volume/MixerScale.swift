import Glibc

/// Our volume steps on a card's own scale, in hundredths of a decibel.
///
/// Step 100 is 0 dB, or the most that the card has if that is less: a card is never told to amplify. What lies below the
/// card's least is left to the samples.
package struct MixerScale: Sendable, Equatable {
  /// The least level that is not silence.
  package let minimum: Int
  /// The level of step 100.
  package let reference: Int

  /// Nil for a range that is none, as drivers without a scale of their own report it.
  package init?(minimum: Int, maximum: Int) {
    guard minimum < maximum, minimum < 0 else { return nil }
    self.minimum = minimum
    reference = min(0, maximum)
  }

  /// What the card is set to for a step, and the factor on every sample that makes up the rest: 1 as a rule.
  func level(step: Int) -> (card: Int, samples: Double) {
    guard let decibels = VolumeScale.decibels(step: step) else { return (minimum, 0) }
    let wanted = reference + Int((decibels * 100).rounded())
    return wanted >= minimum ? (wanted, 1) : (minimum, pow(10, Double(wanted - minimum) / 2_000))
  }

  /// The step that is nearest to a level of the card.
  /// - Parameter level: nil for silence.
  func step(level: Int?) -> Int {
    guard let level else { return 0 }
    let steps = Double(level - reference) / 100 / VolumeScale.decibelsPerStep
    return min(max(100 + Int(steps.rounded()), 1), 100)
  }
}
