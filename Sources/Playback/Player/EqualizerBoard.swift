import PlaybackModel

/// The equalizer of the speaker: its state with observers, applied to the player. Lives on the player's executor.
public final class EqualizerBoard {
  public private(set) var equalizer: Equalizer
  private let player: Player
  private let save: (Equalizer) -> Void
  private var observers: [() -> Void] = []

  /// - Parameter save: called after every change.
  public init(player: Player, _ equalizer: Equalizer = Equalizer(), save: @escaping (Equalizer) -> Void = { _ in }) {
    self.player = player
    self.equalizer = equalizer
    self.save = save
    if equalizer.isOn { apply() }
  }

  /// Calls the body after every change.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// Performs a change, or none if it throws. A step that leaves the equalizer equal is neither saved nor reported.
  public func change(_ step: (inout Equalizer) throws(EqualizerError) -> Void) throws(EqualizerError) {
    let before = equalizer
    var next = equalizer
    try step(&next)
    guard next != before else { return }
    equalizer = next
    if next.inForce != before.inForce { apply() }
    save(next)
    for observer in observers { observer() }
  }

  private func apply() {
    let settings = equalizer.inForce
    player.immediately { $0.setEqualizer(settings) }
  }
}
