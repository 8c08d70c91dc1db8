import Playback
import PlaybackModel
import UPnP

/// The one stream of the speaker's changes, and its state. Lives on the player's executor.
///
/// A section is read again only after a change, and only when somebody asks for the state.
package final class StateFeed {
  private let player: Player
  private let playlist: PlaylistSource
  private let radio: RadioSource
  private let pins: PinBoard
  private let skip: SourceSkip
  private var last = SpeakerState()
  private var stale = SpeakerSections.all
  private var observers: [(SpeakerSections) -> Void] = []

  package init(
    name: String, room: String?, player: Player, playlist: PlaylistSource, radio: RadioSource, pins: PinBoard
  ) {
    self.player = player
    self.playlist = playlist
    self.radio = radio
    self.pins = pins
    skip = SourceSkip(player: player, playlist: playlist, radio: radio)
    (last.name, last.room) = (name, room)
    playlist.observe { [weak self] in self?.changed([.queue, .modes, .playing]) }
    radio.observe { [weak self] in self?.changed([.presets, .playing]) }
    pins.observe { [weak self] in self?.changed(.pins) }
  }

  /// Calls the body with the sections that may have changed.
  package func observe(_ body: @escaping (SpeakerSections) -> Void) { observers.append(body) }

  // MARK: Changes

  /// The speaker, the current source or another one has changed.
  /// - Parameter source: nil for the current one.
  package func update(_ changes: PlayerChanges, of source: Source? = nil) {
    guard let source else { return changed(SpeakerSections(changes)) }
    // Observers of a source learn of changes of the speaker, such as its volume, too.
    guard !changes.isDisjoint(with: .ofDeck) else { return }
    switch source {
    // They belong to their sources even while another one is current.
    case .playlist: changed(.queue)
    case .radio: changed(.presets)
    case .upnpAV: break
    }
  }

  /// Replaces the speaker's name and room.
  package func rename(_ name: String, room: String?) {
    guard (name, room) != (last.name, last.room) else { return }
    (last.name, last.room) = (name, room)
    changed(.identity)
  }

  private func changed(_ sections: SpeakerSections) {
    guard !sections.isEmpty else { return }
    stale.formUnion(sections)
    for observer in observers { observer(sections) }
  }

  // MARK: Reading

  /// The present state.
  package var state: SpeakerState {
    var state = last
    let deck = read(&state, stale)
    if stale.contains(.playing) { readTrack(&state, deck) }
    if stale.contains(.format) { state.streamInfo = deck.streamInfo }
    if stale.contains(.modes) { (state.repeats, state.shuffles) = (playlist.list.repeats, playlist.list.shuffles) }
    if stale.contains(.queue) {
      let list = playlist.list
      (state.queueRevision, state.queueCount, state.queueID) = (playlist.revision, list.count, list.currentID)
      state.queueIndex = list.index(of: list.currentID)
    }
    if stale.contains(.presets) { (state.presets, state.presetID) = (radio.list, radio.presetID) }
    if stale.contains(.pins) { state.pins = pins.pins }
    // It advances without a change.
    (state.position, state.duration, state.time) = (deck.position, deck.duration, .now)
    (last, stale) = (state, [])
    return state
  }

  /// Reads sections from the player itself.
  /// - Returns: the deck of the current source.
  private func read(_ state: inout SpeakerState, _ stale: SpeakerSections) -> Deck {
    player.immediately { player in
      if stale.contains(.source) { (state.source, state.isStandby) = (player.source, player.isStandby) }
      if stale.contains(.volume) {
        (state.volume, state.volumeLimit) = (player.volume, player.volumeLimit)
        (state.isVolumeFixed, state.isMuted, state.balance) = (player.isVolumeFixed, player.isMuted, player.balance)
      }
      if stale.contains(.output) {
        (state.output, state.outputFormat, state.signalPath) = (player.output, player.outputFormat, player.signalPath)
      }
      return player.deck()
    }
  }

  private func readTrack(_ state: inout SpeakerState, _ deck: Deck) {
    (state.state, state.abilities) = (deck.state, skip.abilities())
    (state.trackID, state.trackURI) = (deck.trackID, deck.trackURI)
    (state.trackNumber, state.trackCount) = (deck.trackNumber, deck.trackCount)
    let now = NowPlaying(deck)
    (state.title, state.artist, state.album) = (now.title, now.artist, now.album)
    // The metadata of a play list does not describe its tracks, but its picture may suit them.
    let texts = DIDLLite.texts(of: ["title", "albumArtURI"], in: deck.item?.metadata ?? "")
    state.art = texts["albumArtURI"]
    state.isLive = deck.streamInfo?.isLive ?? false
    let station = state.isLive || state.source == .radio ? texts["title"] : nil
    state.station = station == now.title ? nil : station
    (state.failure, state.skipped) = (deck.failure, deck.skipped)
  }
}

extension PlaylistSource {
  /// Changes with the tracks and their failures.
  package var revision: String { "\(list.token)-\(failures.revision)" }
}
