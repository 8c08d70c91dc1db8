import Playback
import PlaybackModel

/// Performs commands of users. Lives on the player's executor.
///
/// The page and the companions share it, so that “next” means the same everywhere. A new command is a case of
/// `SpeakerCommand` and a line of `perform`.
package final class SpeakerControl {
  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let pins: PinBoard
  private let pinInvoker: PinInvoker
  private let skipping: SourceSkip
  /// Who may send which commands.
  package var rights = CommandRights()
  /// How many commands are allowed.
  package let rates = CommandRates()

  package init(
    player: Player, playlist: PlaylistSource, radio: RadioSource, pins: PinBoard, pinInvoker: PinInvoker
  ) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.pins = pins
    self.pinInvoker = pinInvoker
    skipping = SourceSkip(player: player, playlist: playlist, radio: radio)
  }

  /// Performs a command if its sender may do this.
  /// - Parameter reply: called once with nil for success, now or later: a pin may have to read its play list first.
  package func perform(
    _ command: SpeakerCommand, from origin: CommandOrigin, _ reply: @escaping (CommandError?) -> Void
  ) {
    do throws(CommandError) {
      try rights.check(kind(of: command), from: origin)
      switch command {
      case .play: try play()
      case .playSource(let source): try play(source)
      case .pause: try pause()
      case .stop: player.immediately { $0.stop() }
      case .toggle: try toggle()
      case .next: try skip(.next)
      case .previous: try skip(.previous)
      case .seek(let position, let track): try seek(to: position, track: track)
      case .skip(let offset): try seek(by: offset)
      case .setVolume(let step): try changeVolume { $0.setVolume(step) }
      case .changeVolume(let steps): try changeVolume { $0.setVolume($0.volume + steps) }
      case .mute(let isOn): player.immediately { $0.setMuted(isOn ?? !$0.isMuted) }
      case .balance(let step): player.immediately { $0.setBalance(step) }
      case .source(let source): player.immediately { $0.selectSource(source) }
      case .preset(let number): try play(preset: number)
      // `play(pin:_:)` calls `reply` itself.
      case .pin(let number): return try play(pin: number, reply)
      case .standby(let isOn): player.immediately { $0.setStandby(isOn ?? !$0.isStandby) }
      case .repeat(let isOn): playlist.setRepeats(isOn)
      case .shuffle(let isOn): playlist.setShuffles(isOn)
      case .open(let uri): try open(uri)
      }
      reply(nil)
    } catch {
      reply(error)
    }
  }

  /// The kind of a command for the check of rights.
  package func kind(of command: SpeakerCommand) -> CommandKind {
    let (volume, isMuted) = player.immediately { ($0.volume, $0.isMuted) }
    let isQuieter =
      switch command {
      case .setVolume(let step): step <= volume
      case .changeVolume(let steps): steps <= 0
      case .mute(let isOn): isOn ?? !isMuted
      default: false
      }
    return isQuieter ? .quieter : .control
  }

  /// What can be done with the current source now.
  package var abilities: TransportAbilities { skipping.abilities() }

  // MARK: Transport

  private func play() throws(CommandError) { try transport { player throws(PlayerError) in try player.play() } }

  private func play(_ source: Source) throws(CommandError) {
    try transport { player throws(PlayerError) in
      try player.transaction { player throws(PlayerError) in
        guard player.deck(source).abilities.play else { throw .noContents }
        player.selectSource(source)
        try player.play(source)
      }
    }
  }

  /// Pauses, or stops a live stream.
  private func pause() throws(CommandError) {
    try transport { player throws(PlayerError) in try player.pauseOrStop() }
  }

  /// Pauses or plays.
  private func toggle() throws(CommandError) {
    if player.immediately({ $0.deck().state.isActive }) { try pause() } else { try play() }
  }

  /// Unlike OpenHome's Transport, it throws if there is nothing to skip to, for example after the last track.
  private func skip(_ direction: SourceSkip.Direction) throws(CommandError) {
    let abilities = self.abilities
    guard direction == .next ? abilities.next : abilities.previous else {
      let isOtherChannel = player.immediately { $0.source } == .radio && radio.channel != nil && radio.presetID == 0
      throw isOtherChannel ? .noPreset : .noNeighbour
    }
    do throws(PlayerError) {
      try skipping.skip(direction)
    } catch {
      throw .player(error)
    }
  }

  /// - Parameter track: the expected track; nil for any.
  private func seek(to position: Duration, track: Int? = nil) throws(CommandError) {
    if let track, track != player.immediately({ $0.deck().trackID }) { throw .anotherTrack }
    try transport { player throws(PlayerError) in try player.seek(to: position) }
  }

  private func seek(by offset: Duration) throws(CommandError) {
    let deck = player.immediately { $0.deck() }
    let target = max(.zero, deck.position + offset)
    // A target past the end skips to the next track.
    if let duration = deck.duration, target >= duration { return try skip(.next) }
    try seek(to: target)
  }

  private func transport(
    _ command: (isolated Player) throws(PlayerError) -> Void
  ) throws(CommandError) {
    do throws(PlayerError) {
      try player.immediately(command)
    } catch {
      throw .player(error)
    }
  }

  // MARK: Sound, presets and pins

  private func changeVolume(_ change: (isolated Player) -> Void) throws(CommandError) {
    guard !player.immediately({ $0.isVolumeFixed }) else { throw .fixedVolume }
    player.immediately(change)
  }

  private func play(preset number: Int) throws(CommandError) {
    do throws(RadioError) {
      try radio.play(at: number - 1)
    } catch {
      throw .nothingThere
    }
  }

  private func open(_ uri: String) throws(CommandError) {
    let track = PlaylistTrack(uri: uri, metadata: "")
    do throws(PlaylistError) {
      let ids = try playlist.insert([track], after: playlist.list.currentID, isNext: true)
      try playlist.seek(toID: ids.first ?? 0)
    } catch {
      throw .playlistFull
    }
  }

  private func play(pin number: Int, _ reply: @escaping (CommandError?) -> Void) throws(CommandError) {
    guard let index = UInt32(exactly: number - 1), let pin = try? pins.pins.pin(at: index) else {
      throw .nothingThere
    }
    do throws(PinFault) {
      try pinInvoker.invoke(pin) { result in
        if case .failure(let fault) = result { reply(CommandError(fault)) } else { reply(nil) }
      }
    } catch {
      throw CommandError(error)
    }
  }
}
