import PlaybackModel

/// The programs of the configuration as sources of the player. The item of such a source is the sound of the program.
///
/// The player's own commands play and stop it. While the program is silent, the deck is transitioning. Lives on the player's
/// executor.
public final class ProgramSources {
  public let names: [ProgramName]
  private let player: Player
  private var skipping: Set<ProgramName> = []
  private var observers: [() -> Void] = []
  /// Called with what a program is to be told.
  public var control: (ProgramControl, ProgramName) -> Void = { _, _ in }

  /// - Parameter metadata: DIDL-Lite of a program that has named no track.
  package init(player: Player, names: [ProgramName] = [], metadata: (ProgramName) -> String = { _ in "" }) {
    self.player = player
    self.names = names
    for name in names {
      let item = MediaItem(program: name, metadata: metadata(name))
      player.immediately { $0.setItem(item, of: .program(name)) }
    }
  }

  /// The source as it is configured; nil for a program that the speaker does not have.
  package func known(_ source: Source) -> Source? {
    guard case .program(let name) = source else { return source }
    return names.first { $0 == name }.map { .program($0) }
  }

  /// Whether the program can skip tracks now.
  package func setSkips(_ skips: Bool, of name: ProgramName) {
    guard skipping.contains(name) != skips else { return }
    if skips { skipping.insert(name) } else { skipping.remove(name) }
    for observer in observers { observer() }
  }

  /// Calls the body when programs have become able to skip, or unable.
  package func observe(_ body: @escaping () -> Void) { observers.append(body) }

  package func abilities(of name: ProgramName) -> TransportAbilities {
    var abilities = player.immediately { $0.deck(.program(name)) }.abilities
    if skipping.contains(name) { (abilities.next, abilities.previous) = (true, true) }
    return abilities
  }
}

// MARK: - What a program says

/// Without effect unless the source plays.
extension ProgramSources {
  /// The program plays another track.
  package func announced(metadata: String, of name: ProgramName) {
    player.immediately { $0.handle(.track(MediaItem(program: name, metadata: metadata)), of: .program(name)) }
  }

  package func announced(_ position: Duration, of duration: Duration?, by name: ProgramName) {
    player.immediately { $0.handle(.progress(position, of: duration), of: .program(name)) }
  }

  /// Sound has begun or ceased to arrive.
  package func sound(isArriving: Bool, of name: ProgramName) {
    player.immediately { $0.handle(.sound(isArriving: isArriving), of: .program(name)) }
  }
}
