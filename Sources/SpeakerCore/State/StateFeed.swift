import Playback
import PlaybackModel

/// The one stream of the speaker's changes, and its state. Lives on the player's executor.
///
/// A section is read again only after a change, and only when somebody asks for the state.
package final class StateFeed {
  private let owners: SpeakerState.Owners
  private var last = SpeakerState()
  private var stale = SpeakerSections.all
  private var observers: [(SpeakerSections) -> Void] = []

  package init(
    name: String, room: String?, player: Player, playlist: PlaylistSource, radio: RadioSource,
    programs: ProgramSources? = nil, pins: PinBoard, equalizer: EqualizerBoard, alarms: AlarmControl? = nil
  ) {
    let programs = programs ?? ProgramSources(player: player)
    owners = SpeakerState.Owners(
      player: player, playlist: playlist, radio: radio, programs: programs, pins: pins, equalizer: equalizer,
      alarms: alarms)
    (last.name, last.room) = (name, room)
    last.sources += programs.names.map { .program($0) }
    programs.observe { [weak self] in self?.changed(.playing) }
    playlist.observe { [weak self] in self?.changed([.queue, .modes, .playing]) }
    radio.observe { [weak self] in self?.changed([.presets, .playing]) }
    pins.observe { [weak self] in self?.changed(.pins) }
    equalizer.observe { [weak self] in self?.changed(.equalizer) }
    alarms?.observe { [weak self] in self?.changed(.alarms) }
  }

  /// Calls the body with the sections that may have changed.
  package func observe(_ body: @escaping (SpeakerSections) -> Void) { observers.append(body) }

  // MARK: Changes

  /// The speaker or a source has changed.
  /// - Parameter source: nil for the current one.
  package func update(_ changes: PlayerChanges, of source: Source? = nil) {
    guard let source else { return changed(SpeakerSections(changes)) }
    // Observers of a source also get changes of the speaker, such as its volume.
    guard !changes.isDisjoint(with: .ofDeck) else { return }
    switch source {
    // The queue and the presets are shown even while another source is current.
    case .playlist: changed(.queue)
    case .radio: changed(.presets)
    case .upnpAV, .receiver, .program: break
    }
  }

  package func rename(_ name: String, room: String?) {
    guard (name, room) != (last.name, last.room) else { return }
    (last.name, last.room) = (name, room)
    changed(.identity)
  }

  /// Other rooms have begun or ceased to receive this one.
  package func sending(_ isSending: Bool) {
    guard isSending != last.isSending else { return }
    last.isSending = isSending
    changed(.source)
  }

  private func changed(_ sections: SpeakerSections) {
    guard !sections.isEmpty else { return }
    stale.formUnion(sections)
    for observer in observers { observer(sections) }
  }

  // MARK: Reading

  /// The current state. Reads the stale sections again.
  package var state: SpeakerState {
    last.read(stale, from: owners)
    stale = []
    return last
  }
}
