import PlaybackModel

/// The radio as a source of the player: one channel, which is a preset or any other stream.
///
/// The channel is the item of the radio's deck. The player's own commands play, pause and stop it. Lives on the
/// player's executor.
public final class RadioSource {
  private let player: Player
  private let describe: (RadioPreset) -> String
  private let save: (RadioState) -> Void

  private let saveOwn: ([RadioPreset]) -> Void

  public private(set) var list: PresetList
  private var observers: [() -> Void] = []

  /// - Parameters:
  ///   - channel: the saved channel, cued but not played.
  ///   - describe: the metadata of a preset.
  ///   - save: called with every new channel.
  ///   - own: the saved presets that were added at run time.
  ///   - saveOwn: called when they change.
  public init(
    player: Player, presets: [RadioPreset] = [], channel: RadioState? = nil,
    describe: @escaping (RadioPreset) -> String, save: @escaping (RadioState) -> Void = { _ in },
    own: [RadioPreset] = [], saveOwn: @escaping ([RadioPreset]) -> Void = { _ in }
  ) {
    self.player = player
    list = PresetList(configured: presets, own: own)
    self.describe = describe
    self.save = save
    self.saveOwn = saveOwn
    if let channel { cue(channel) }
  }

  /// Calls the body when the presets have changed.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// All presets, those of the configuration first.
  public var presets: RadioPresets { list.presets }

  /// The channel as an item; nil if there is none.
  public var channel: MediaItem? { player.immediately { $0.deck(.radio) }.item }

  /// The id of the selected preset; 0 for a channel that was not selected as a preset. A preset that was changed has
  /// another id, and is found by its address.
  public var presetID: UInt32 {
    guard let channel, channel.tag > 0 else { return 0 }
    return presets[channel.tag] == nil ? presets.id(ofURI: channel.uri) ?? 0 : channel.tag
  }

  /// The id of the preset after the current one; nil at the end and for a channel that is not a preset.
  public var nextPresetID: UInt32? { presets.id(offset: 1, from: presetID) }

  /// The id of the preset before the current one; nil at the beginning and for a channel that is not a preset.
  public var previousPresetID: UInt32? { presets.id(offset: -1, from: presetID) }

  /// What can be done with the channel and its neighbours now.
  public var abilities: TransportAbilities {
    player.immediately { $0.deck(.radio) }.abilities.with(
      .inPresets(isPreset: presetID != 0, hasNext: nextPresetID != nil, hasPrevious: previousPresetID != nil))
  }

  /// The metadata of a preset; nil for an unknown id.
  public func metadata(of id: UInt32) -> String? { presets[id].map(describe) }

  /// Replaces the presets of the configuration. The channel stays, even if its preset is gone.
  public func setPresets(_ presets: [RadioPreset]) { try? change { $0.setConfigured(presets) } }

  /// Changes the presets. The channel stays, even if its preset is gone.
  @discardableResult
  public func change<Result>(
    _ step: (inout PresetList) throws(PresetError) -> Result
  ) throws(PresetError) -> Result {
    let before = list
    let result = try step(&list)
    if list.own != before.own { saveOwn(list.own) }
    if list != before { for observer in observers { observer() } }
    return result
  }

  /// Makes a preset the channel. It plays at once if the radio is playing. If it plays already, nothing changes.
  /// - Parameter uri: overrides the preset's address unless empty.
  public func select(_ id: UInt32, uri: String = "") throws(PresetError) {
    guard let preset = presets[id] else { throw .unknown }
    let channel = RadioState(uri: uri.isEmpty ? preset.uri : uri, metadata: describe(preset), presetID: id)
    if !isPlaying(channel) { change(channel) }
  }

  private func isPlaying(_ channel: RadioState) -> Bool {
    let deck = player.immediately { $0.deck(.radio) }
    return deck.state.isActive && deck.item == Self.item(channel)
  }

  public func play(_ id: UInt32) throws(PresetError) {
    try select(id)
    player.immediately { try? $0.play(.radio) }
  }

  /// - Parameter index: from 0.
  public func play(at index: Int) throws(PresetError) { try play(presets.id(at: index) ?? 0) }

  /// Sets a channel that need not be a preset. It plays at once if the radio is playing.
  /// - Parameter uri: empty for no channel.
  public func setChannel(uri: String, metadata: String) {
    change(RadioState(uri: uri, metadata: metadata))
  }

  private func change(_ channel: RadioState) {
    cue(channel)
    save(channel)
  }

  private func cue(_ channel: RadioState) {
    player.immediately { $0.setItem(channel.uri.isEmpty ? nil : Self.item(channel), of: .radio) }
  }

  private static func item(_ channel: RadioState) -> MediaItem {
    MediaItem(uri: channel.uri, metadata: channel.metadata, tag: channel.presetID)
  }
}
