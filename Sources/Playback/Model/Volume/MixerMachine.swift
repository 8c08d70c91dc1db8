import Glibc

/// Splits the volume between a card's mixer and the samples.
package struct MixerMachine: Equatable {
  /// The position of a mixer control.
  package struct Position: Equatable {
    /// Hundredths of a decibel; nil for silence.
    package var level: Int?
    /// Nil if the card has no mute switch.
    package var isOn: Bool?

    package init(level: Int? = nil, isOn: Bool? = nil) {
      self.level = level
      self.isOn = isOn
    }
  }

  package enum Action: Equatable {
    /// Sets the control to the nearest position.
    case move(Position)
    /// Sets the gain of the samples, and whether they are muted.
    case samples(gain: Double, isMuted: Bool)
    /// Reports a level that another program set.
    case report(Level)
  }

  package private(set) var level: Level
  private var card: (scale: MixerScale, position: Position)?

  package static func == (left: MixerMachine, right: MixerMachine) -> Bool {
    left.level == right.level && left.card?.scale == right.card?.scale && left.card?.position == right.card?.position
  }

  package init(level: Level = .init(volume: 100, isMuted: false)) { self.level = level }

  /// Sets a new level. Revision 0 leaves a card at its own level.
  package mutating func set(_ level: Level) -> [Action] {
    if level.revision == 0, card != nil { return [] }
    self.level = level
    return apply()
  }

  /// The card was found. Its position is adopted if the volume was never set; otherwise the card is set to the volume.
  package mutating func found(_ scale: MixerScale, at position: Position) -> [Action] {
    card = (scale, position)
    guard level.revision == 0 else { return apply() }
    level.volume = scale.step(level: position.level)
    level.isMuted = position.isOn == false
    return [samples(gain: position.level == nil ? 0 : 1), .report(level)]
  }

  /// The card was lost: the whole volume is applied to the samples.
  package mutating func lost() -> [Action] {
    card = nil
    return apply()
  }

  /// The card was set and has reached this position.
  package mutating func settled(at position: Position) { card?.position = position }

  /// Another program moved the control to this position.
  package mutating func moved(to position: Position) -> [Action] {
    guard let (scale, former) = card, position != former else { return [] }
    card?.position = position
    if position.level != former.level { level.volume = scale.step(level: position.level) }
    if let isOn = position.isOn { level.isMuted = !isOn }
    return [samples(gain: position.level == nil ? 0 : 1), .report(level)]
  }

  private func apply() -> [Action] {
    guard let card else {
      return [.samples(gain: VolumeScale.gain(step: level.volume), isMuted: level.isMuted)]
    }
    let (wanted, gain) = card.scale.level(step: level.volume)
    // Set the card first: the samples may become louder only after the card is softer.
    return [.move(Position(level: wanted, isOn: card.position.isOn.map { _ in !level.isMuted })), samples(gain: gain)]
  }

  private func samples(gain: Double) -> Action {
    .samples(gain: gain, isMuted: card?.position.isOn == nil && level.isMuted)
  }
}

/// Maps volume steps to a card's own scale, in hundredths of a decibel.
///
/// Step 100 is 0 dB, or the card's maximum if that is less: a card never amplifies. Levels below the card's
/// minimum are reached by attenuating the samples.
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
