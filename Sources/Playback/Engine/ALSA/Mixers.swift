import CALSA

/// The controls of this machine's sound cards that can set the volume.
public enum Mixers {
  /// Each in the notation of `--mixer`, and in words.
  public static func list() -> [(description: String, name: String)] {
    var card: Int32 = -1
    var devices: [String] = []
    while snd_card_next(&card) >= 0, card >= 0 { devices.append("hw:\(card)") }
    return devices.flatMap(list)
  }

  static func list(_ device: String) -> [(description: String, name: String)] {
    let controls = (try? ALSAMixerControl.list(device)) ?? []
    return controls.map { control, scale in
      (control.description, "\(Double(scale.minimum) / 100) to \(Double(scale.reference) / 100) dB")
    }
  }
}
