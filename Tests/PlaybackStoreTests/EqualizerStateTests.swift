import PlaybackModel
import Testing

@testable import PlaybackStore

@Suite struct EqualizerStateTests {
  @Test func theEqualizerSurvives() throws {
    var equalizer = Equalizer()
    #expect(Equalizer(equalizer.text) == equalizer)
    for name in ["Bass", "Späte Nacht; mit “Zeichen”"] {
      let bands = EqualizerBand.Kind.allCases.map { kind in
        EqualizerBand(kind, 1_000.0 / 3, gain: -10.0 / 3, quality: 0.1, channel: .left, isOn: kind != .notch)
      }
      try equalizer.change(to: EqualizerSettings(bands: bands, preamp: -20.0 / 3, automaticPreamp: name == "Bass"))
      try equalizer.save(as: name)
    }
    try equalizer.change(to: EqualizerSettings(preamp: 1))
    equalizer.isOn = true
    #expect(Equalizer(equalizer.text) == equalizer)
  }

  /// An invalid state is set aside as a whole.
  @Test(arguments: [
    [:], ["on": "true"], ["on": "x", "settings": "0 true"], ["on": "true", "settings": ""],
    ["on": "true", "settings": "nan true"], ["on": "true", "settings": "0 true;peak both true 100 3"],
    ["on": "true", "settings": "0 true;peak both true 1 3 1"],
    ["on": "true", "settings": "0 true;tape both true 100 3 1"], ["on": "true", "settings": "0 true", "name": "A"],
    ["on": "true", "settings": "0 true", "name": "", "preset": "0 true"],
    ["on": "true", "settings": "0 true", "name": "A", "preset": "0 true;peak both true 100 inf 1"],
  ])
  func anInvalidStateIsRefused(lines: [String: String]) {
    var text = StateText()
    for (key, value) in lines { text.add(key, value) }
    #expect(Equalizer(text) == nil)
  }
}
