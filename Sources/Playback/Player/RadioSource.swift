import PlaybackModel

/// The radio as a source of the player: one channel, which is a preset or anything else that has an address. What it is
/// on lies in the radio's deck; what plays, pauses and stops it are the player's commands.
///
/// On the player's executor.
public final class RadioSource {
  private let player: Player
  private let describe: (RadioPreset) -> String
  private let keep: (RadioState) -> Void

  public private(set) var presets: RadioPresets
  private var observers: [() -> Void] = []

  /// - Parameters:
  ///   - channel: what it was on, ready to be played again.
  ///   - describe: the metadata of a preset.
  ///   - keep: told of every channel from now on.
  public init(
    player: Player, presets: [RadioPreset] = [], channel: RadioState? = nil,
    describe: @escaping (RadioPreset) -> String, keep: @escaping (RadioState) -> Void = { _ in }
  ) {
    self.player = player
    self.presets = RadioPresets(presets)
    self.describe = describe
    self.keep = keep
    if let channel { set(channel) }
  }

  /// Calls the body whenever the presets have become others.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// What it is on; nil for nothing.
  public var channel: MediaItem? { player.immediately { $0.deck(.radio) }.item }

  /// The preset that it is on: the one that was chosen, else the one with the channel's address; 0 for none.
  public var presetID: UInt32 {
    guard let channel else { return 0 }
    return presets[channel.tag] == nil ? presets.id(ofURI: channel.uri) ?? 0 : channel.tag
  }

  /// The preset behind the one that it is on; nil behind the last one, and where the channel is none of them.
  public var nextPresetID: UInt32? { presets.id(1, from: presetID) }

  /// The preset before the one that it is on, likewise.
  public var previousPresetID: UInt32? { presets.id(-1, from: presetID) }

  /// The metadata of a preset; nil if none has the id.
  public func metadata(of id: UInt32) -> String? { presets[id].map(describe) }

  /// Another configuration. The channel stays what it is, also where its preset is gone.
  public func setPresets(_ presets: [RadioPreset]) {
    let presets = RadioPresets(presets)
    guard presets != self.presets else { return }
    self.presets = presets
    for observer in observers { observer() }
  }

  /// Goes to a preset. If the radio plays, that is heard at once; otherwise it is only laid ready.
  /// - Parameter uri: another address for the preset; empty for its own.
  public func select(_ id: UInt32, uri: String = "") throws(RadioError) {
    guard let preset = presets[id] else { throw .noSuchPreset }
    change(RadioState(uri: uri.isEmpty ? preset.uri : uri, metadata: describe(preset), presetID: id))
  }

  /// Plays a preset.
  public func play(_ id: UInt32) throws(RadioError) {
    try select(id)
    player.immediately { try? $0.play(.radio) }
  }

  /// Goes to a channel that need not be a preset, likewise.
  /// - Parameter uri: empty for no channel, which is silence.
  public func setChannel(uri: String, metadata: String) {
    change(RadioState(uri: uri, metadata: metadata))
  }

  private func change(_ channel: RadioState) {
    set(channel)
    keep(channel)
  }

  private func set(_ channel: RadioState) {
    let item = MediaItem(uri: channel.uri, metadata: channel.metadata, tag: channel.presetID)
    player.immediately { $0.setItem(channel.uri.isEmpty ? nil : item, of: .radio) }
  }
}
