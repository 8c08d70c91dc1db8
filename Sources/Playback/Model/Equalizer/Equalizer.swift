/// Settings of the equalizer under a name.
public struct EqualizerPreset: Sendable, Equatable {
  public var name: String
  public var settings: EqualizerSettings

  public init(name: String, settings: EqualizerSettings) {
    self.name = name
    self.settings = settings
  }
}

/// The state of the equalizer: on or off, the settings in force, and the presets.
///
/// A pure value. The settings are a copy of the selected preset's, so that changes are heard before they are saved.
public struct Equalizer: Sendable, Equatable {
  public static let maximumPresets = 32
  /// Limit for a name, in bytes.
  public static let maximumNameBytes = 100
  /// Words of commands, which no preset may be called.
  static let reservedNames = ["on", "off", "toggle"]

  public var isOn: Bool
  public private(set) var settings: EqualizerSettings
  /// In the order of their first saving.
  public private(set) var presets: [EqualizerPreset]
  /// The name of the preset that was last selected or saved; nil if there is none.
  public private(set) var selected: String?

  public init() { (isOn, settings, presets) = (false, EqualizerSettings(), []) }

  /// Restores a saved state.
  /// - Throws: if it is invalid.
  public init(
    isOn: Bool, settings: EqualizerSettings, presets: [EqualizerPreset], selected: String?
  ) throws(EqualizerError) {
    self.init()
    for preset in presets {
      try change(to: preset.settings)
      guard !self.presets.contains(where: { $0.name == preset.name }) else { throw .wrongValue("A name occurs twice.") }
      try save(as: preset.name)
    }
    try change(to: settings)
    self.isOn = isOn
    self.selected = self.presets.contains { $0.name == selected } ? selected : nil
  }

  /// What the samples pass; nil while the equalizer is off.
  public var inForce: EqualizerSettings? { isOn ? settings : nil }

  /// Whether the settings differ from those of the selected preset.
  public var isChanged: Bool { selected.flatMap { preset($0) }.map { $0.settings != settings } ?? false }

  public func preset(_ name: String) -> EqualizerPreset? { presets.first { $0.name == name } }

  /// Switches on with the settings of a preset.
  public mutating func select(_ name: String) throws(EqualizerError) {
    guard let preset = preset(name) else { throw .unknownPreset }
    (isOn, settings, selected) = (true, preset.settings, name)
  }

  /// Replaces the settings. The selected preset stays as it was saved.
  public mutating func change(to settings: EqualizerSettings) throws(EqualizerError) {
    try settings.check()
    self.settings = settings
  }

  /// Saves the settings under a name, which replaces the preset with this name, and selects it.
  public mutating func save(as name: String) throws(EqualizerError) {
    let name = try Self.checked(name)
    let preset = EqualizerPreset(name: name, settings: settings)
    if let index = presets.firstIndex(where: { $0.name == name }) {
      presets[index] = preset
    } else {
      guard presets.count < Self.maximumPresets else { throw .presetsFull }
      presets.append(preset)
    }
    selected = name
  }

  public mutating func rename(_ name: String, to other: String) throws(EqualizerError) {
    guard let index = presets.firstIndex(where: { $0.name == name }) else { throw .unknownPreset }
    let other = try Self.checked(other)
    guard other == name || preset(other) == nil else { throw .wrongValue("Another preset has this name.") }
    presets[index].name = other
    if selected == name { selected = other }
  }

  /// The settings in force stay, even if they are those of the preset.
  public mutating func remove(_ name: String) throws(EqualizerError) {
    guard let index = presets.firstIndex(where: { $0.name == name }) else { throw .unknownPreset }
    presets.remove(at: index)
    if selected == name { selected = nil }
  }

  /// The name with single spaces and without those at its ends, as a command writes it.
  static func checked(_ name: String) throws(EqualizerError) -> String {
    let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !name.isEmpty else { throw .wrongValue("The preset needs a name.") }
    guard name.utf8.count <= maximumNameBytes else {
      throw .wrongValue("The name is longer than \(maximumNameBytes) bytes.")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .wrongValue("The name has a control character.")
    }
    guard !reservedNames.contains(name.lowercased()) else {
      throw .wrongValue("“\(name)” is a command: choose another name.")
    }
    return name
  }
}
