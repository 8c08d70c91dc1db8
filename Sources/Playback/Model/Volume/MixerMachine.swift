/// What a card's control and our samples have to do with each other: who sets whom.
package struct MixerMachine: Equatable {
  /// Where a control stands.
  package struct Position: Equatable {
    /// Hundredths of a decibel; nil for silence.
    package var level: Int?
    /// Nil where the card has no switch to mute it.
    package var isOn: Bool?

    package init(level: Int? = nil, isOn: Bool? = nil) {
      self.level = level
      self.isOn = isOn
    }
  }

  package enum Action: Equatable {
    /// Sets the control, as near as it can.
    case move(Position)
    /// What is left to the samples: a factor, and whether they are muted.
    case samples(gain: Double, isMuted: Bool)
    /// The control was moved by somebody else.
    case tell(Level)
  }

  package private(set) var level: Level
  private var card: (scale: MixerScale, position: Position)?

  package static func == (left: MixerMachine, right: MixerMachine) -> Bool {
    left.level == right.level && left.card?.scale == right.card?.scale && left.card?.position == right.card?.position
  }

  package init(level: Level = .init(volume: 100, isMuted: false)) { self.level = level }

  /// Somebody wants another level, or nobody does: then a card that is there stays as it is.
  package mutating func set(_ level: Level) -> [Action] {
    if level.revision == 0, card != nil { return [] }
    self.level = level
    return apply()
  }

  /// The card is there. What it stands at is taken over as long as nobody has said how loud it is to be; a card that
  /// comes back later is set as it was.
  package mutating func found(_ scale: MixerScale, at position: Position) -> [Action] {
    card = (scale, position)
    guard level.revision == 0 else { return apply() }
    level.volume = scale.step(level: position.level)
    level.isMuted = position.isOn == false
    return [samples(gain: position.level == nil ? 0 : 1), .tell(level)]
  }

  /// The card is gone: all is left to the samples.
  package mutating func lost() -> [Action] {
    card = nil
    return apply()
  }

  /// Where the card stands after it was set, which is as near to it as it can.
  package mutating func settled(at position: Position) { card?.position = position }

  /// Where the card stands now.
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
    // The card first: the samples become louder only once it is softer.
    return [.move(Position(level: wanted, isOn: card.position.isOn.map { _ in !level.isMuted })), samples(gain: gain)]
  }

  private func samples(gain: Double) -> Action {
    .samples(gain: gain, isMuted: card?.position.isOn == nil && level.isMuted)
  }
}
