import Testing

@testable import PlaybackModel

@Suite struct EqualizerTests {
  private static let rock = EqualizerSettings(bands: [EqualizerBand(.peak, 100, gain: 3)])
  private static let jazz = EqualizerSettings(bands: [EqualizerBand(.highShelf, 8_000, gain: -2)], preamp: -1)

  /// A speaker with two presets, the second one selected.
  private static func equalizer() throws -> Equalizer {
    var equalizer = Equalizer()
    try equalizer.change(to: rock)
    try equalizer.save(as: "Rock")
    try equalizer.change(to: jazz)
    try equalizer.save(as: "Jazz")
    return equalizer
  }

  @Test func aPresetIsSelectedAndSwitchesOn() throws {
    var equalizer = try Self.equalizer()
    #expect(equalizer.inForce == nil)
    try equalizer.select("Rock")
    #expect(equalizer.inForce == Self.rock && equalizer.selected == "Rock" && !equalizer.isChanged)
    equalizer.isOn = false
    #expect(equalizer.inForce == nil && equalizer.settings == Self.rock)
  }

  @Test func aChangeIsHeardBeforeItIsSaved() throws {
    var equalizer = try Self.equalizer()
    try equalizer.change(to: Self.rock)
    #expect(equalizer.isChanged && equalizer.preset("Jazz")?.settings == Self.jazz)
    try equalizer.save(as: "Jazz")
    #expect(!equalizer.isChanged && equalizer.preset("Jazz")?.settings == Self.rock)
    #expect(equalizer.presets.map(\.name) == ["Rock", "Jazz"])
  }

  @Test func presetsAreRenamedAndRemoved() throws {
    var equalizer = try Self.equalizer()
    try equalizer.rename("Jazz", to: "  Late   night ")
    #expect(equalizer.selected == "Late night" && equalizer.presets.map(\.name) == ["Rock", "Late night"])
    try equalizer.rename("Late night", to: "Late night")
    #expect(throws: EqualizerError.wrongValue("Another preset has this name.")) {
      try equalizer.rename("Rock", to: "Late night")
    }
    try equalizer.remove("Late night")
    #expect(equalizer.selected == nil && equalizer.settings == Self.jazz && !equalizer.isChanged)
    for name in ["Late night", "rock", ""] {
      #expect(throws: EqualizerError.unknownPreset) { try equalizer.remove(name) }
      #expect(throws: EqualizerError.unknownPreset) { try equalizer.select(name) }
      #expect(throws: EqualizerError.unknownPreset) { try equalizer.rename(name, to: "New") }
    }
    #expect(equalizer.presets.map(\.name) == ["Rock"])
  }

  @Test(arguments: [
    "", "   ", "on", "Off", "TOGGLE", String(repeating: "x", count: 101), String(repeating: "ü", count: 51), "a\u{0}b",
    "a\u{1B}[31mb",
  ])
  func wrongNamesAreRefused(name: String) throws {
    var equalizer = try Self.equalizer()
    let before = equalizer
    #expect(throws: EqualizerError.self) { try equalizer.save(as: name) }
    #expect(throws: EqualizerError.self) { try equalizer.rename("Rock", to: name) }
    #expect(equalizer == before)
  }

  @Test func thereAreAtMost32Presets() throws {
    var equalizer = Equalizer()
    for number in 1...Equalizer.maximumPresets { try equalizer.save(as: "\(number)") }
    #expect(throws: EqualizerError.presetsFull) { try equalizer.save(as: "one more") }
    try equalizer.save(as: "32")
    #expect(equalizer.presets.count == 32)
  }

  @Test(
    arguments: [
      ("no bands", EqualizerSettings(), nil),
      ("20 bands", EqualizerSettings(bands: bands(20)), nil),
      ("21 bands", EqualizerSettings(bands: bands(21)), "There are more than 20 bands."),
      ("limits", EqualizerSettings(bands: [EqualizerBand(.notch, 40_000, gain: -24, quality: 0.1)], preamp: -60), nil),
      ("a low frequency", band(9.99), "Band 1: the frequency must be between 10 and 40000 Hz."),
      ("a high frequency", band(40_001), "Band 1: the frequency must be between 10 and 40000 Hz."),
      ("no frequency", band(.nan), "Band 1: the frequency must be between 10 and 40000 Hz."),
      ("a loud band", band(100, gain: 24.1), "Band 1: the gain must be between −24 and 24 dB."),
      ("an infinite gain", band(100, gain: -.infinity), "Band 1: the gain must be between −24 and 24 dB."),
      ("no gain", band(100, gain: .nan), "Band 1: the gain must be between −24 and 24 dB."),
      ("no Q", band(100, quality: 0), "Band 1: Q must be between 0.1 and 100."),
      ("a negative Q", band(100, quality: -1), "Band 1: Q must be between 0.1 and 100."),
      ("an infinite Q", band(100, quality: .infinity), "Band 1: Q must be between 0.1 and 100."),
      ("a loud preamp", EqualizerSettings(preamp: 25), "The preamp must be between −60 and 24 dB."),
      ("no preamp", EqualizerSettings(preamp: .nan), "The preamp must be between −60 and 24 dB."),
    ] as [(String, EqualizerSettings, String?)])
  func limits(_ name: String, _ settings: EqualizerSettings, _ problem: String?) throws {
    var equalizer = try Self.equalizer()
    let before = equalizer
    guard let problem else { return try equalizer.change(to: settings) }
    #expect(throws: EqualizerError.wrongValue(problem)) { try equalizer.change(to: settings) }
    #expect(equalizer == before)
  }

  private static func bands(_ count: Int) -> [EqualizerBand] {
    Array(repeating: EqualizerBand(.peak, 10, gain: 24, quality: 100), count: count)
  }

  private static func band(_ frequency: Double, gain: Double = 1, quality: Double = 1) -> EqualizerSettings {
    EqualizerSettings(bands: [EqualizerBand(.peak, frequency, gain: gain, quality: quality)])
  }

  @Test(
    arguments: [
      ("nothing", EqualizerSettings(), true),
      ("gains of 0", EqualizerSettings(bands: [EqualizerBand(.peak, 100)]), true),
      ("off", EqualizerSettings(bands: [EqualizerBand(.lowPass, 100, isOn: false)]), true),
      ("a preamp that is replaced", EqualizerSettings(preamp: -3), true),
      ("a preamp", EqualizerSettings(preamp: -3, automaticPreamp: false), false),
      ("a notch", EqualizerSettings(bands: [EqualizerBand(.notch, 100)]), false),
      ("a gain", band(100, gain: 0.1), false),
    ] as [(String, EqualizerSettings, Bool)])
  func neutrality(_ name: String, _ settings: EqualizerSettings, _ isNeutral: Bool) {
    #expect(settings.isNeutral == isNeutral)
  }
}
