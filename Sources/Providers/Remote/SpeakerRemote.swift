import Playback
import PlaybackModel

/// Performs commands on the current source. Lives on the player's executor.
///
/// The page and the companions share it, so that “next” means the same everywhere.
package final class SpeakerRemote {
  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let pins: PinBoard
  private let pinInvoker: PinInvoker
  private let skipping: SourceSkip

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

  /// Performs a command.
  /// - Parameter reply: called once with nil for success, now or later: a pin may have to read its play list first.
  package func perform(_ command: RemoteCommand, _ reply: @escaping (RemoteError?) -> Void) {
    do throws(RemoteError) {
      switch command {
      case .play: try play()
      case .pause: try pause()
      case .stop: stop()
      case .toggle: try toggle()
      case .next: try skip(.next)
      case .previous: try skip(.previous)
      case .seek(let position, let track): try seek(to: position, track: track)
      case .skip(let offset): try seek(by: offset)
      case .setVolume(let step): try changeVolume { $0.setVolume(step) }
      case .changeVolume(let steps): try changeVolume { $0.setVolume($0.volume + steps) }
      case .mute(let isOn): player.immediately { $0.setMuted(isOn ?? !$0.isMuted) }
      case .source(let source): player.immediately { $0.selectSource(source) }
      case .preset(let number): try play(preset: number)
      // `play(pin:_:)` calls `reply` itself.
      case .pin(let number): return try play(pin: number, reply)
      case .standby(let isOn): player.immediately { $0.setStandby(isOn ?? !$0.isStandby) }
      case .repeat(let isOn): playlist.setRepeats(isOn)
      case .shuffle(let isOn): playlist.setShuffles(isOn)
      }
      reply(nil)
    } catch {
      reply(error)
    }
  }

  // MARK: Transport

  package func play() throws(RemoteError) { try transport { player throws(PlayerError) in try player.play() } }

  /// Pauses, or stops a live stream.
  package func pause() throws(RemoteError) {
    try transport { player throws(PlayerError) in try player.pauseOrStop() }
  }

  package func stop() { player.immediately { $0.stop() } }

  /// Pauses or plays.
  package func toggle() throws(RemoteError) {
    let state = player.immediately { $0.deck().state }
    if state == .playing || state == .transitioning { try pause() } else { try play() }
  }

  /// Skips to the next track of the playlist, the next preset of the radio, or the next item of a UPnP AV controller.
  package func skipToNext() throws(RemoteError) { try skip(.next) }

  /// The opposite of `skipToNext()`.
  package func skipToPrevious() throws(RemoteError) { try skip(.previous) }

  /// Moves to a position of the track.
  package func seek(to position: Duration) throws(RemoteError) {
    try transport { player throws(PlayerError) in try player.seek(to: position) }
  }

  /// Which transport commands have an effect now.
  package var abilities: TransportAbilities { TransportAbilities(player, playlist, radio) }

  /// Unlike OpenHome's Transport, it throws if there is nothing to skip to, for example after the last track.
  private func skip(_ direction: SourceSkip.Direction) throws(RemoteError) {
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
  private func seek(to position: Duration, track: Int?) throws(RemoteError) {
    if let track, track != player.immediately({ $0.deck().trackID }) { throw .anotherTrack }
    try seek(to: position)
  }

  private func seek(by offset: Duration) throws(RemoteError) {
    let deck = player.immediately { $0.deck() }
    let target = max(.zero, deck.position + offset)
    // A target past the end skips to the next track.
    if let duration = deck.duration, target >= duration { return try skip(.next) }
    try seek(to: target)
  }

  private func transport(
    _ command: (isolated Player) throws(PlayerError) -> Void
  ) throws(RemoteError) {
    do throws(PlayerError) {
      try player.immediately(command)
    } catch {
      throw .player(error)
    }
  }

  // MARK: Sound, presets and pins

  private func changeVolume(_ change: (isolated Player) -> Void) throws(RemoteError) {
    guard !player.immediately({ $0.isVolumeFixed }) else { throw .fixedVolume }
    player.immediately(change)
  }

  private func play(preset number: Int) throws(RemoteError) {
    do throws(RadioError) {
      try radio.play(at: number - 1)
    } catch {
      throw .nothingThere
    }
  }

  private func play(pin number: Int, _ reply: @escaping (RemoteError?) -> Void) throws(RemoteError) {
    guard let index = UInt32(exactly: number - 1), let pin = try? pins.pins.pin(at: index) else {
      throw .nothingThere
    }
    do throws(PinFault) {
      try pinInvoker.invoke(pin) { result in
        if case .failure(let fault) = result { reply(RemoteError(fault)) } else { reply(nil) }
      }
    } catch {
      throw RemoteError(error)
    }
  }
}

/// Why a command had no effect.
package enum RemoteError: Error, Equatable, CustomStringConvertible {
  case player(PlayerError)
  /// There is no next or previous track.
  case noNeighbour
  /// The radio's channel is no preset, so no preset comes before or after it.
  case noPreset
  /// The preset or pin does not exist, or is empty.
  case nothingThere
  /// The server of the music failed, for this reason, in a sentence.
  case server(String)
  case fixedVolume
  /// Another track plays than the one that the command names.
  case anotherTrack
  case playlistFull
  /// The sender exceeds the rate limit.
  case tooManyCommands

  init(_ fault: PinFault) {
    if case .failed(let reason) = fault { self = .server(reason) } else { self = .nothingThere }
  }

  package var description: String {
    switch self {
    case .player(.transitionNotAvailable): "This is not possible now."
    case .player(.noContents): "There is nothing to play."
    case .player(.seekNotAvailable): "Seeking is not possible in this stream."
    case .player(.illegalSeekTarget): "The position is not in the track."
    case .noNeighbour: "There is nothing to skip to."
    case .noPreset: "This station is not one of the presets, so there is none to skip to."
    case .nothingThere: "There is nothing there to play."
    case .server(let reason): reason
    case .fixedVolume: "The volume of this speaker is fixed."
    case .anotherTrack: "Another track plays now."
    case .playlistFull: "The playlist is full."
    case .tooManyCommands: "There are too many commands at once."
    }
  }
}
