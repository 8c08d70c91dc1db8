/// The presets of the radio: first those of the configuration, which are read-only at run time, then those added at run
/// time.
///
/// A pure value. Both kinds share the ids of `RadioPresets`, so that none clashes, and `RadioPresets.maximumCount`.
public struct PresetList: Sendable, Equatable {
  /// The presets of the configuration.
  public private(set) var configured: [RadioPreset]
  /// The presets added at run time. Those beyond the maximum are kept, but have no id.
  public private(set) var own: [RadioPreset]
  /// All presets, with their ids.
  public private(set) var presets: RadioPresets

  public init(configured: [RadioPreset] = [], own: [RadioPreset] = []) {
    self.configured = configured
    self.own = own
    presets = RadioPresets(configured + own)
  }

  /// Whether only the configuration can change the preset.
  public func isReadOnly(_ id: UInt32) -> Bool {
    presets.ids.firstIndex(of: id).map { $0 < configured.count } ?? true
  }

  public mutating func setConfigured(_ configured: [RadioPreset]) {
    self = PresetList(configured: configured, own: own)
  }

  /// - Parameter predecessor: as for `move`; nil for the end.
  /// - Returns: the id of the new preset.
  public mutating func add(_ preset: RadioPreset, after predecessor: UInt32? = nil) throws(PresetError) -> UInt32 {
    guard configured.count + own.count < RadioPresets.maximumCount else { throw .full }
    let place = try predecessor.map { id throws(PresetError) in try self.place(after: id) } ?? own.count
    var own = own
    own.insert(preset, at: place)
    self = PresetList(configured: configured, own: own)
    return presets.ids[configured.count + place]
  }

  /// Replaces a preset at its place.
  /// - Returns: its id from now on.
  public mutating func change(_ id: UInt32, to preset: RadioPreset) throws(PresetError) -> UInt32 {
    let index = try index(of: id)
    var own = own
    own[index] = preset
    self = PresetList(configured: configured, own: own)
    return presets.ids[configured.count + index]
  }

  public mutating func remove(_ id: UInt32) throws(PresetError) {
    let index = try index(of: id)
    var own = own
    own.remove(at: index)
    self = PresetList(configured: configured, own: own)
  }

  /// Moves a preset behind another one.
  /// - Parameter predecessor: 0 or a configured preset for the front of `own`.
  public mutating func move(_ id: UInt32, after predecessor: UInt32) throws(PresetError) {
    let index = try index(of: id)
    guard predecessor != id else { throw .unknown }
    let place = try place(after: predecessor)
    var own = own
    let preset = own.remove(at: index)
    own.insert(preset, at: place > index ? place - 1 : place)
    self = PresetList(configured: configured, own: own)
  }

  /// The index in `own` behind a preset; 0 if the predecessor is 0 or a configured preset.
  private func place(after predecessor: UInt32) throws(PresetError) -> Int {
    guard predecessor != 0 else { return 0 }
    guard presets[predecessor] != nil else { throw .unknown }
    return isReadOnly(predecessor) ? 0 : try index(of: predecessor) + 1
  }

  private func index(of id: UInt32) throws(PresetError) -> Int {
    guard let index = presets.ids.firstIndex(of: id) else { throw .unknown }
    guard index >= configured.count else { throw .readOnly }
    return index - configured.count
  }
}

/// The reason for refusing a change of the presets. A refused change changes nothing.
public enum PresetError: Error, Sendable, Equatable {
  /// There is no such preset.
  case unknown
  /// The preset comes from the configuration.
  case readOnly
  /// There are `RadioPresets.maximumCount` presets.
  case full
}
