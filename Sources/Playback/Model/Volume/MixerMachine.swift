import Glibc

/// Splits the volume between a card's mixer and the samples.
package struct MixerMachine {
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
    /// Sets the control to the nearest position. Cancels a planned `raise`.
    case move(Position)
    /// Sets the control once the samples of the action before it are heard, and remembers where it was.
    case raise(Position)
    /// Sets the control back to exactly where it was before `raise`.
    case restore
    /// Forgets where the control was before `raise`, and cancels a planned one.
    case forget
    /// Sets the gain of the samples, and whether they are muted.
    case samples(gain: Double, isMuted: Bool)
    /// Reports a level that another program set.
    case report(Level)
  }

  /// An announcement that the card is set louder for. The music is attenuated in the samples meanwhile.
  private struct Raise {
    /// Who has set the card's level since the announcement began.
    enum Change { case none, controller, otherProgram }

    /// The volume of the announcement.
    var step: Int
    /// The level that the music needs at least.
    var floor: Int
    /// The factor on the music by card and samples together.
    var music: Double
    /// The factor on the samples before the announcement.
    let samples: Double
    var change = Change.none
  }

  package private(set) var level: Level
  private var card: (scale: MixerScale, position: Position)?
  private var raise: Raise?
  /// The latest factor on the samples.
  private var gain = 1.0

  package init(level: Level = .init(volume: 100, isMuted: false)) { self.level = level }

  /// The card's factor on the samples, relative to that of step 100: 0 while it is silent, nil without a card.
  package var cardGain: Double? {
    guard let (scale, position) = card else { return nil }
    guard position.isOn != false, let level = position.level else { return 0 }
    return Self.factor(level - scale.reference)
  }

  /// Sets a new level. Revision 0 leaves a card at its own level.
  package mutating func set(_ level: Level) -> [Action] {
    if level.revision == 0, card != nil { return [] }
    self.level = level
    guard let card, var raise else { return apply() }
    let (wanted, gain) = card.scale.level(step: level.volume)
    (raise.floor, raise.music, raise.change) = (wanted, gain * Self.factor(wanted), .controller)
    self.raise = raise
    return applyRaise()
  }

  /// The card was found. Its position is adopted if the volume was never set; otherwise the card is set to the volume.
  package mutating func found(_ scale: MixerScale, at position: Position) -> [Action] {
    card = (scale, position)
    raise = nil
    guard level.revision == 0 else { return apply() }
    level.volume = scale.step(level: position.level)
    level.isMuted = position.isOn == false
    return [samples(gain: position.level == nil ? 0 : 1), .report(level)]
  }

  /// The card was lost: the whole volume is applied to the samples.
  package mutating func lost() -> [Action] {
    card = nil
    raise = nil
    return apply()
  }

  /// The card was set and has reached this position.
  package mutating func settled(at position: Position) -> [Action] {
    card?.position = position
    guard let raise, raise.change != .otherProgram, let level = position.level else { return [] }
    return [samples(gain: min(1, raise.music / Self.factor(level)))]
  }

  /// Another program moved the control to this position.
  package mutating func moved(to position: Position) -> [Action] {
    guard let (scale, former) = card, position != former else { return [] }
    card?.position = position
    if position.level != former.level { level.volume = scale.step(level: position.level) }
    if let isOn = position.isOn, raise == nil || isOn != former.isOn { level.isMuted = !isOn }
    let actions = [samples(gain: position.level == nil ? 0 : 1), .report(level)]
    guard raise != nil else { return actions }
    raise?.change = .otherProgram
    return [.forget] + actions
  }

  // MARK: Announcements

  /// Makes the card as loud as an announcement, and the samples softer accordingly. The card has its level again when the
  /// announcement is over.
  /// - Parameter step: the volume of the announcement; nil when it is over.
  package mutating func announce(_ step: Int?) -> [Action] {
    guard let card else { return [] }
    guard let step else { return endRaise() }
    if raise == nil {
      let level = card.position.level
      raise = Raise(
        step: step, floor: level ?? card.scale.minimum, music: level.map { gain * Self.factor($0) } ?? 0, samples: gain)
    }
    raise?.step = step
    return applyRaise()
  }

  private mutating func applyRaise() -> [Action] {
    guard let card, let raise, raise.change != .otherProgram else { return [] }
    let wanted = max(card.scale.level(step: raise.step).card, raise.floor)
    let position = Position(level: wanted, isOn: card.position.isOn.map { _ in true })
    let samples = samples(gain: min(1, raise.music / Self.factor(wanted)))
    let isSofter = card.position.isOn != false && card.position.level.map { wanted <= $0 } ?? false
    return isSofter ? [.move(position), samples] : [samples, .raise(position)]
  }

  private mutating func endRaise() -> [Action] {
    guard let card, let former = raise.take() else { return [] }
    switch former.change {
    case .none: return [.restore, samples(gain: former.samples)]
    case .controller: return [.forget] + apply()
    case .otherProgram:
      // Only the mute of before is left to be set.
      let (level, isOn) = (card.position.level, !self.level.isMuted)
      let isSet = level == nil || card.position.isOn == nil || card.position.isOn == isOn
      return (isSet ? [] : [.move(Position(level: level, isOn: isOn))]) + [samples(gain: gain)]
    }
  }

  // MARK: -

  private mutating func apply() -> [Action] {
    guard let card else {
      gain = VolumeScale.gain(step: level.volume)
      return [.samples(gain: gain, isMuted: level.isMuted)]
    }
    let (wanted, gain) = card.scale.level(step: level.volume)
    // Set the card first: the samples may become louder only after the card is softer.
    return [.move(Position(level: wanted, isOn: card.position.isOn.map { _ in !level.isMuted })), samples(gain: gain)]
  }

  private mutating func samples(gain: Double) -> Action {
    self.gain = gain
    // A raised card is switched on for the announcement.
    return .samples(gain: gain, isMuted: (card?.position.isOn == nil || raise != nil) && level.isMuted)
  }

  /// - Parameter level: hundredths of a decibel.
  private static func factor(_ level: Int) -> Double { pow(10, Double(level) / 2_000) }
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
