import Playback
import PlaybackModel
import PlaybackStore
import ServiceLifecycle
import SpeakerCore

/// Restores the state of player, playlist, radio, receiver, pins, equalizer and alarms after a restart, saves every change, and
/// closes the store.
struct StateKeeper: Service {
  private static let speaker = "speaker"
  private static let radio = "radio"
  private static let receiver = "receiver"
  private static let presets = "presets"
  private static let pins = "pins"
  private static let equalizer = "equalizer"
  private static let alarms = "alarms"

  private let store: StateStore
  private let savedSpeaker: SavedSpeaker?
  private let channel: RadioState?
  private let sender: ReceiverState?
  private let ownPresets: [RadioPreset]
  private let pinSet: PinSet
  private let equalizer: Equalizer
  let alarms: SavedAlarms

  /// - Parameter startupVolume: replaces the saved volume.
  init(store: StateStore, startupVolume: Int?) {
    self.store = store
    var savedSpeaker = Self.load(Self.speaker, from: store) { SavedSpeaker($0) }
    if let startupVolume { savedSpeaker?.volume = startupVolume }
    self.savedSpeaker = savedSpeaker
    channel = Self.load(Self.radio, from: store) { RadioState($0) }
    sender = Self.load(Self.receiver, from: store) { ReceiverState($0) }
    ownPresets = Self.load(Self.presets, from: store) { [RadioPreset]($0) } ?? []
    pinSet = Self.load(Self.pins, from: store) { PinSet($0) } ?? PinSet()
    equalizer = Self.load(Self.equalizer, from: store) { Equalizer($0) } ?? Equalizer()
    alarms = Self.load(Self.alarms, from: store) { SavedAlarms($0) } ?? SavedAlarms()
  }

  /// Reads a section. One that is invalid is set aside.
  /// - Returns: nil if the section is missing or invalid.
  private static func load<Value>(
    _ name: String, from store: StateStore, _ read: (StateText) -> Value?
  ) -> Value? {
    store.load(name).flatMap { text in
      let value = read(text)
      if value == nil { store.setAside(name) }
      return value
    }
  }

  /// Restores the player's state. Must be called on the player's executor.
  /// - Parameter programs: the sources that the speaker has besides its own.
  func restore(_ player: Player, programs: ProgramSources) {
    guard var savedSpeaker else { return }
    savedSpeaker.source = programs.known(savedSpeaker.source) ?? .playlist
    player.immediately { [savedSpeaker] in $0.restore(savedSpeaker) }
  }

  /// Saves the player's state after a change. Must be called on the player's executor.
  func save(_ player: Player, _ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: .ofSpeaker) else { return }
    store.keep(player.immediately { $0.savedSpeaker.text }, as: Self.speaker)
  }

  /// The saved playlist. Must be called on the player's executor.
  func playlist(on player: Player) -> PlaylistSource {
    PlaylistSource(
      player: player, list: store.takePlaylist(), save: { [store] in store.keep($0) }, duration: \.duration)
  }

  /// The radio on its saved channel, with its saved presets. Must be called on the player's executor.
  /// - Parameter presets: the presets of the configuration.
  func radio(on player: Player, presets: [RadioPreset]) -> RadioSource {
    RadioSource(
      player: player, presets: presets, channel: channel, describe: \.metadata,
      save: { [store] in store.keep($0.text, as: Self.radio) }, own: ownPresets,
      saveOwn: { [store] in store.keep($0.text, as: Self.presets) })
  }

  /// The receiver with its saved sender. Must be called on the player's executor.
  func receiver(on player: Player) -> ReceiverSource {
    ReceiverSource(player: player, sender: sender, save: { [store] in store.keep($0.text, as: Self.receiver) })
  }

  /// The saved pins.
  func pins() -> PinBoard {
    PinBoard(pinSet) { [store] pins in store.keep(pins.text, as: Self.pins) }
  }

  /// The saved equalizer, applied to the player. Must be called on the player's executor.
  func equalizer(on player: Player) -> EqualizerBoard {
    EqualizerBoard(player: player, equalizer) { [store] in store.keep($0.text, as: Self.equalizer) }
  }

  func save(_ alarms: SavedAlarms) { store.keep(alarms.text, as: Self.alarms) }

  func run() async {
    try? await gracefulShutdown()
    await store.shutdown()
  }
}
