import Playback
import PlaybackModel
import Songcast

/// The effects of a command that its sender may need.
package struct CommandResult: Sendable, Equatable {
  /// The ids of the tracks or the preset that it added or changed.
  package var ids: [UInt32] = []
  /// The tracks that it removed from the queue.
  package var change: QueueChange?
  /// The token that undoes `change`, if it has one already.
  package var undo: String?

  package init(undo: String? = nil) { self.undo = undo }
}

/// Performs commands. Lives on the player's executor.
///
/// Everything that controls the speaker shares it, so that “next” means the same everywhere. A new command is a case of
/// `SpeakerCommand` and a line of `perform`.
package final class SpeakerControl {
  package typealias Reply = (Result<CommandResult, CommandError>) -> Void

  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let receiver: ReceiverSource
  private let programs: ProgramSources
  private let pins: PinBoard
  private let equalizer: EqualizerBoard
  private let skipping: SourceSkip
  package let pinInvoker: PinInvoker
  package let alarms: AlarmControl
  package let announcements: AnnouncementReplies
  package var rights = CommandRights()
  package let rates = CommandRates()

  package init(
    player: Player, playlist: PlaylistSource, radio: RadioSource, receiver: ReceiverSource,
    programs: ProgramSources? = nil, pins: PinBoard, equalizer: EqualizerBoard,
    alarms: AlarmEnvironment = AlarmEnvironment()
  ) {
    let programs = programs ?? ProgramSources(player: player)
    self.programs = programs
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.receiver = receiver
    self.pins = pins
    self.equalizer = equalizer
    announcements = AnnouncementReplies(player: player)
    pinInvoker = PinInvoker(player: player, radio: radio, playlist: playlist, announcements: announcements)
    skipping = SourceSkip(player: player, playlist: playlist, radio: radio, programs: programs)
    self.alarms = AlarmControl(
      player: player, playlist: playlist, radio: radio, pins: pins, pinInvoker: pinInvoker, alarms)
    self.alarms.isAnnouncing = { player.immediately { $0.announcements.isPlaying || $0.announcements.count > 0 } }
  }

  /// Performs a command if its sender may do this.
  /// - Parameter reply: called once with the result, now or later: a pin may have to read its playlist document first.
  package func perform(_ command: SpeakerCommand, from origin: CommandOrigin, _ reply: @escaping Reply) {
    do throws(CommandError) {
      if let result = try begin(command, from: origin, reply) { reply(.success(result)) }
    } catch {
      reply(.failure(error))
    }
  }

  /// Performs a command if its sender may do this. Does not wait for a pin that has to read its playlist document.
  @discardableResult
  package func perform(_ command: SpeakerCommand, from origin: CommandOrigin) throws(CommandError) -> CommandResult {
    try begin(command, from: origin) { _ in } ?? CommandResult()
  }

  /// - Parameter later: called with the result of a command that plays a pin.
  /// - Returns: the result; nil if `later` gets it.
  private func begin(
    _ command: SpeakerCommand, from origin: CommandOrigin, _ later: @escaping Reply
  ) throws(CommandError) -> CommandResult? {
    try rights.check(kind(of: command), from: origin)
    return try alarms.following(command) { () throws(CommandError) in try perform(command, origin, later) }
  }

  private func perform(
    _ command: SpeakerCommand, _ origin: CommandOrigin, _ later: @escaping Reply
  ) throws(CommandError) -> CommandResult? {
    switch command {
    case .transport(let command, let source): try perform(command, of: source, from: origin)
    case .toggle: try perform(isActive ? .pause : .play, of: nil, from: origin)
    case .skip(let offset): try seek(by: offset, from: origin)
    case .setVolume(let step, let unmutes): try changeVolume(unmutes) { _ in step }
    case .changeVolume(let steps, let unmutes): try changeVolume(unmutes) { $0 + steps }
    case .mute(let isOn): player.immediately { $0.setMuted(isOn ?? !$0.isMuted) }
    case .balance(let step): player.immediately { $0.setBalance(step) }
    case .source(let source):
      let source = try known(source)
      player.immediately { $0.selectSource(source) }
    case .preset(let number): try play(preset: number)
    case .pin(let number): return try play(pin: number, later)
    case .standby(let isOn): player.immediately { $0.setStandby(isOn ?? !$0.isStandby) }
    case .repeat(let isOn): playlist.setRepeats(isOn)
    case .shuffle(let isOn): playlist.setShuffles(isOn)
    case .queue(let command): return try perform(command)
    case .radio(let command): return try perform(command)
    case .sender(let uri, let metadata): try setSender(uri, metadata)
    case .pins(.play(let pin)): return try play(pin, later)
    case .pins(let command): try perform(command)
    case .item(let command): perform(command)
    case .equalizer(let command): try perform(command)
    case .sleep(let end): try alarms.sleep(end)
    case .alarm(let command): return try alarms.perform(command)
    case .announce(let request, let waits) where request.isForGroup && receives:
      try announcements.announceInGroup(request, waits: waits, later)
      return nil
    case .announce(let request, let waits):
      try announcements.announce(request, waits: waits, later)
      return nil
    }
    return CommandResult()
  }

  /// The kind of a command for the check of rights.
  package func kind(of command: SpeakerCommand) -> CommandKind {
    let (volume, isMuted) = player.immediately { ($0.volume, $0.isMuted) }
    switch command {
    case .queue(.add(_, let place, _)): return place.kind
    case .setVolume(let step, let unmutes) where step <= volume && !(unmutes && isMuted): return .quieter
    case .changeVolume(let steps, let unmutes) where steps <= 0 && !(unmutes && isMuted): return .quieter
    case .mute(let isOn) where isOn ?? !isMuted: return .quieter
    default: return .control
    }
  }

  /// - Parameter source: nil for the current one.
  package func abilities(of source: Source? = nil) -> TransportAbilities { skipping.abilities(of: source) }

  // MARK: Transport

  private var isActive: Bool { player.immediately { $0.deck().state.isActive } }

  private func perform(
    _ command: TransportCommand, of source: Source?, from origin: CommandOrigin
  ) throws(CommandError) {
    let source = try source.map(known) ?? player.immediately { $0.source }
    switch command {
    case .next: return try skip(.next, of: source, from: origin)
    case .previous: return try skip(.previous, of: source, from: origin)
    case .play where source == .receiver && receiver.sender == nil: throw .noSender
    case .seek(_, let track?) where track != player.immediately({ $0.deck(source).trackID }): throw .anotherTrack
    default: break
    }
    do throws(PlayerError) {
      try player.immediately { player throws(PlayerError) in
        switch command {
        case .play: try player.play(source)
        case .pause where origin.canPauseLive(source): try player.pause(source)
        case .pause: try player.pauseOrStop(source)
        case .stop: player.stop(source)
        case .seek(let position, _) where origin.playsAfterSeek: try player.seekAndPlay(to: position, of: source)
        case .seek(let position, _): try player.seek(to: position, of: source)
        case .selectTrack(let number): try player.selectTrack(number, of: source)
        case .next, .previous: break
        }
      }
    } catch {
      throw .player(error)
    }
  }

  private func skip(
    _ direction: SourceSkip.Direction, of source: Source, from origin: CommandOrigin
  ) throws(CommandError) {
    let abilities = abilities(of: source)
    let hasTarget = direction == .next ? abilities.next : abilities.previous
    guard hasTarget || source == .playlist && origin.skipsBehindLastTrack else {
      throw source == .radio && radio.channel != nil && radio.presetID == 0 ? .noPreset : .noNeighbour
    }
    do throws(PlayerError) {
      try skipping.skip(direction, of: source)
    } catch {
      throw .player(error)
    }
  }

  private func seek(by offset: Duration, from origin: CommandOrigin) throws(CommandError) {
    let deck = player.immediately { $0.deck() }
    let target = max(.zero, deck.position + offset)
    // A target past the end skips to the next track.
    let isInside = deck.duration.map { target < $0 } ?? true
    try perform(isInside ? .seek(to: target) : .next, of: nil, from: origin)
  }

  private func perform(_ command: ItemCommand) {
    player.immediately { player in
      switch command {
      case .set(let item): player.setItem(item, of: .upnpAV)
      case .setNext(let item): player.setNext(item, of: .upnpAV)
      case .repeats(let isOn): player.setRepeatsOne(isOn, of: .upnpAV)
      }
    }
  }

  /// - Throws: `noSuchSource`.
  private func known(_ source: Source) throws(CommandError) -> Source {
    guard let source = programs.known(source) else { throw .noSuchSource }
    return source
  }

  // MARK: Volume

  /// The player clamps the result.
  private func changeVolume(_ unmutes: Bool, _ step: @Sendable (Int) -> Int) throws(CommandError) {
    let isFixed = player.immediately { player in
      player.transaction { player in
        player.setVolume(step(player.volume))
        if unmutes { player.setMuted(false) }
        return player.isVolumeFixed
      }
    }
    if isFixed { throw .fixedVolume }
  }

  // MARK: Queue

  private func perform(_ command: QueueCommand) throws(CommandError) -> CommandResult {
    var result = CommandResult()
    do throws(PlaylistError) {
      switch command {
      case .play(let id): try playlist.seek(toID: id)
      case .add(let tracks, let place, let shuffles):
        var addition = QueueAddition(playlist, place, shuffles: shuffles)
        if let failure = addition.add(tracks).failure, addition.ids.isEmpty { throw failure }
        (result.ids, result.change) = (addition.ids, addition.replaced.map { .replaced($0) })
      case .insert(let tracks, let predecessor): result.ids = try playlist.insert(tracks, after: predecessor)
      case .move(let ids, let predecessor): try playlist.move(ids, after: predecessor)
      case .delete(let ids):
        let deleted = playlist.delete(ids)
        guard !deleted.isEmpty else { throw .idNotFound }
        result.change = .removed(deleted)
      case .clear: result.change = .replaced(playlist.clear())
      case .undo(.removed(let tracks)): try playlist.restore(tracks)
      case .undo(.replaced(let replaced)): try playlist.undo(replaced)
      }
    } catch {
      throw .playlist(error)
    }
    return result
  }

  // MARK: Radio

  private func perform(_ command: RadioCommand) throws(CommandError) -> CommandResult {
    var result = CommandResult()
    do throws(PresetError) {
      switch command {
      case .setChannel(let uri, let metadata): radio.setChannel(uri: uri, metadata: metadata)
      case .select(let id, let uri): try radio.select(id, uri: uri)
      case .play(let id): try radio.play(id)
      case .add(let preset, let place):
        result.ids = [try radio.change { list throws(PresetError) in try list.add(preset, after: place) }]
      case .change(let id, let preset):
        result.ids = [try radio.change { list throws(PresetError) in try list.change(id, to: preset) }]
      case .remove(let id): try radio.change { list throws(PresetError) in try list.remove(id) }
      case .move(let id, let place): try radio.change { list throws(PresetError) in try list.move(id, after: place) }
      }
    } catch {
      throw .preset(error)
    }
    return result
  }

  private func play(preset number: Int) throws(CommandError) {
    do throws(PresetError) {
      try radio.play(at: number - 1)
    } catch {
      throw .nothingThere
    }
  }

  // MARK: Songcast

  /// Whether the speaker plays the sound of another one, or waits for it.
  private var receives: Bool {
    receiver.sender != nil && player.immediately { $0.source == .receiver && $0.deck().state.isActive }
  }

  private func setSender(_ uri: String, _ metadata: String) throws(CommandError) {
    guard uri.isEmpty || SongcastURI(uri) != nil else { throw .badSender }
    receiver.setSender(uri: uri, metadata: metadata)
  }

  // MARK: Equalizer

  private func perform(_ command: EqualizerCommand) throws(CommandError) {
    do throws(EqualizerError) {
      try equalizer.change { equalizer throws(EqualizerError) in
        switch command {
        case .switch(let isOn): equalizer.isOn = isOn ?? !equalizer.isOn
        case .select(let name): try equalizer.select(name)
        case .change(let settings, let name):
          try equalizer.change(to: settings)
          if let name { try equalizer.save(as: name) }
        case .save(let name): try equalizer.save(as: name)
        case .rename(let name, let other): try equalizer.rename(name, to: other)
        case .remove(let name): try equalizer.remove(name)
        }
      }
    } catch {
      throw .equalizer(error)
    }
  }

  // MARK: Pins

  private func perform(_ command: PinCommand) throws(CommandError) {
    do throws(PinFault) {
      switch command {
      case .set(let pin, let index):
        try pinInvoker.check(pin)
        try change { pins throws(PinError) in try pins.set(pin, at: index) }
      case .clear(let id): try change { pins throws(PinError) in try pins.clear(id) }
      case .swap(let first, let second): try change { pins throws(PinError) in try pins.swap(first, second) }
      case .play: break
      }
    } catch {
      throw .pin(error)
    }
  }

  private func change(_ step: (inout PinSet) throws(PinError) -> Void) throws(PinFault) {
    do throws(PinError) {
      try pins.change(step)
    } catch {
      throw PinFault(error)
    }
  }

  private func play(pin number: Int, _ later: @escaping Reply) throws(CommandError) -> CommandResult? {
    guard let index = UInt32(exactly: number - 1), let pin = try? pins.pins.pin(at: index) else {
      throw .nothingThere
    }
    return try play(pin, later)
  }

  private func play(_ pin: Pin, _ later: @escaping Reply) throws(CommandError) -> CommandResult? {
    do throws(PinFault) {
      try pinInvoker.invoke(pin) { later($0.mapError { .pin($0) }) }
      return nil
    } catch {
      throw .pin(error)
    }
  }
}
