/// Splits the volume between a card's mixer and the samples.
package struct MixerMachine: Equatable {
  /// Position of a control.
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
    /// Reports that another program moved the control.
    case tell(Level)
  }

  package private(set) var level: Level
  private var card: (scale: MixerScale, position: Position)?

  package static func == (left: MixerMachine, right: MixerMachine) -> Bool {
    left.level == right.level && left.card?.scale == right.card?.scale && left.card?.position == right.card?.position
  }

  package init(level: Level = .init(volume: 100, isMuted: false)) { self.level = level }

  /// Sets another level. A card keeps its position before the first change (revision 0).
  package mutating func set(_ level: Level) -> [Action] {
    if level.revision == 0, card != nil { return [] }
    self.level = level
    return apply()
  }

  /// The card appeared. Its position is taken over if the volume was never set; otherwise the card is set.
  package mutating func found(_ scale: MixerScale, at position: Position) -> [Action] {
    card = (scale, position)
    guard level.revision == 0 else { return apply() }
    level.volume = scale.step(level: position.level)
    level.isMuted = position.isOn == false
    return [samples(gain: position.level == nil ? 0 : 1), .tell(level)]
  }

  /// The card is gone: the samples get the whole volume.
  package mutating func lost() -> [Action] {
    card = nil
    return apply()
  }

  /// The position that the card reached when it was set.
  package mutating func settled(at position: Position) { card?.position = position }

  /// The card is at this position now.
  package mutating func moved(to position: Position) -> [Action] {
    guard let (scale, former) = card, position != former else { return [] }
    card?.position = position
    if position.level != former.level { level.volume = scale.step(level: position.level) }
    if let isOn = position.isOn { level.isMuted = !isOn }
    return [samples(gain: position.level == nil ? 0 : 1), .tell(level)]
  }

  private func apply() -> [Action] {
    guard let card else {
      return [.samples(gain: VolumeScale.gain(step: level.volume), isMuted: level.isMuted)]
    }
    let (wanted, gain) = card.scale.level(step: level.volume)
    // The card first, so that the samples become louder only after the card is softer.
    return [.move(Position(level: wanted, isOn: card.position.isOn.map { _ in !level.isMuted })), samples(gain: gain)]
  }

  private func samples(gain: Double) -> Action {
    .samples(gain: gain, isMuted: card?.position.isOn == nil && level.isMuted)
  }
}
