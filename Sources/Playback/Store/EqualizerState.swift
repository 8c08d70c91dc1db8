import PlaybackModel

extension Equalizer {
  /// Reads the saved equalizer; nil if it is invalid. Unknown keys are ignored.
  public init?(_ text: StateText) {
    let (names, saved) = (text.values("name"), text.values("preset").map(EqualizerSettings.init(line:)))
    guard let isOn = text.value("on", as: Bool.self), names.count == saved.count,
      let settings = text["settings"].flatMap(EqualizerSettings.init(line:))
    else { return nil }
    var presets: [EqualizerPreset] = []
    for (name, settings) in zip(names, saved) {
      guard let settings else { return nil }
      presets.append(EqualizerPreset(name: name, settings: settings))
    }
    do throws(EqualizerError) {
      try self.init(isOn: isOn, settings: settings, presets: presets, selected: text["selected"])
    } catch {
      return nil
    }
  }

  public var text: StateText {
    var text = StateText()
    text.add("on", isOn)
    text.add("settings", settings.line)
    if let selected { text.add("selected", selected) }
    for preset in presets {
      text.add("name", preset.name)
      text.add("preset", preset.settings.line)
    }
    return text
  }
}

/// One line: the preamp and whether it is automatic, then for each band kind, channel, on, frequency, gain and Q.
extension EqualizerSettings {
  fileprivate init?(line: String) {
    let parts = line.split(separator: ";").map { $0.split(separator: " ").map(String.init) }
    guard let head = parts.first, head.count == 2, let preamp = Double(head[0]), let isAutomatic = Bool(head[1]) else {
      return nil
    }
    self.init(preamp: preamp, automaticPreamp: isAutomatic)
    for words in parts.dropFirst() {
      guard words.count == 6, let kind = EqualizerBand.Kind(rawValue: words[0]),
        let channel = EqualizerBand.Channel(rawValue: words[1]), let isOn = Bool(words[2]),
        let frequency = Double(words[3]), let gain = Double(words[4]), let quality = Double(words[5])
      else { return nil }
      bands.append(EqualizerBand(kind, frequency, gain: gain, quality: quality, channel: channel, isOn: isOn))
    }
  }

  fileprivate var line: String {
    (["\(preamp) \(automaticPreamp)"]
      + bands.map { band in
        "\(band.kind.rawValue) \(band.channel.rawValue) \(band.isOn) \(band.frequency) \(band.gain) \(band.quality)"
      }).joined(separator: ";")
  }
}
