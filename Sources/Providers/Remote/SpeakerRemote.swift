import Playback
import PlaybackModel

/// Performs commands that name no source: each goes to the current one. Lives on the player's executor.
///
/// The page and the companions share it, so that “next” means the same everywhere.
package final class SpeakerRemote {
  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let pins: PinBoard
  private let pinInvoker: PinInvoker

  package init(
    player: Player, playlist: PlaylistSource, radio: RadioSource, pins: PinBoard, pinInvoker: PinInvoker
  ) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.pins = pins
    self.pinInvoker = pinInvoker
  }

  /// Performs a command.
  /// - Parameter reply: called once with nil for success, now or later: a pin may have to read its play list first.
  package func perform(_ command: RemoteCommand, _ reply: @escaping (RemoteError?) -> Void) {
    do throws(RemoteError) {
      if case .pin(let number) = command { return try play(pin: number, reply) }
      try perform(command)
      reply(nil)
    } catch {
      reply(error)
    }
  }

  private func perform(_ command: RemoteCommand) throws(RemoteError) {
    switch command {
    case .play: try transport { player throws(PlayerError) in try player.play() }
    case .pause: try pause()
    case .stop: player.immediately { $0.stop() }
    case .toggle: try toggle()
    case .next: try skipToNext()
    case .previous: try skipToPrevious()
    case .seek(let position): try transport { player throws(PlayerError) in try player.seek(to: position) }
    case .skip(let offset): try skip(by: offset)
    case .setVolume(let step): try changeVolume { $0.setVolume(step) }
    case .changeVolume(let steps): try changeVolume { $0.setVolume($0.volume + steps) }
    case .mute(let isOn): player.immediately { $0.setMuted(isOn ?? !$0.isMuted) }
    case .source(let source): player.immediately { $0.selectSource(source) }
    case .preset(let number): try play(preset: number)
    case .pin: break
    case .standby(let isOn): player.immediately { $0.setStandby(isOn ?? !$0.isStandby) }
    case .repeat(let isOn): playlist.setRepeats(isOn)
    case .shuffle(let isOn): playlist.setShuffles(isOn)
    }
  }

  // MARK: Transport

  /// Pauses, or stops a live stream.
  package func pause() throws(RemoteError) {
    try transport { player throws(PlayerError) in try player.pauseOrStop() }
  }

  /// Pauses or plays.
  package func toggle() throws(RemoteError) {
    let state = player.immediately { $0.deck().state }
    if state == .playing || state == .transitioning { return try pause() }
    try transport { player throws(PlayerError) in try player.play() }
  }

  /// Skips to the next track of the playlist, the next preset of the radio, or the next item of a UPnP AV controller.
  package func skipToNext() throws(RemoteError) {
    guard abilities.next else { throw .noNeighbour }
    switch player.immediately({ $0.source }) {
    case .playlist: playlist.next()
    case .radio:
      guard let preset = radio.nextPresetID else { fallthrough }
      try? radio.play(preset)
    case .upnpAV: try transport { player throws(PlayerError) in try player.skipToNext() }
    }
  }

  /// The opposite of `skipToNext()`.
  package func skipToPrevious() throws(RemoteError) {
    guard abilities.previous else { throw .noNeighbour }
    switch player.immediately({ $0.source }) {
    case .playlist: playlist.previous()
    case .radio:
      guard let preset = radio.previousPresetID else { fallthrough }
      try? radio.play(preset)
    case .upnpAV: try transport { player throws(PlayerError) in try player.skipToPrevious() }
    }
  }

  /// Which transport commands have an effect now.
  package var abilities: TransportAbilities { TransportAbilities(player, playlist, radio) }

  private func skip(by offset: Duration) throws(RemoteError) {
    let deck = player.immediately { $0.deck() }
    let target = max(.zero, deck.position + offset)
    // Behind the end is the next track.
    if let duration = deck.duration, target >= duration { return try skipToNext() }
    try transport { player throws(PlayerError) in try player.seek(to: target) }
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
      try radio.play(radio.presets.id(at: number - 1) ?? 0)
    } catch {
      throw .nothingThere
    }
  }

  private func play(pin number: Int, _ reply: @escaping (RemoteError?) -> Void) throws(RemoteError) {
    guard let index = UInt32(exactly: number - 1), let pin = try? pins.pins.pin(at: index) else {
      throw .nothingThere
    }
    do throws(PinFault) {
      try pinInvoker.invoke(pin) { fault in reply(fault.map { _ in .nothingThere }) }
    } catch {
      throw .nothingThere
    }
  }
}

/// Why a command had no effect.
package enum RemoteError: Error, Equatable, CustomStringConvertible {
  case player(PlayerError)
  /// There is no next or previous track.
  case noNeighbour
  /// There is no such preset, no such pin, or nothing in it.
  case nothingThere
  case fixedVolume

  package var description: String {
    switch self {
    case .player(.transitionNotAvailable): "This is not possible now."
    case .player(.noContents): "There is nothing to play."
    case .player(.seekNotAvailable): "This stream cannot be sought."
    case .player(.illegalSeekTarget): "The position is not in the track."
    case .noNeighbour: "There is nothing to skip to."
    case .nothingThere: "There is nothing there to play."
    case .fixedVolume: "The volume of this speaker is fixed."
    }
  }
}
