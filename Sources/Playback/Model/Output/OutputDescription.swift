/// Where the sound goes, as `--output` names it.
public enum OutputDescription: Sendable, Equatable, Hashable, CustomStringConvertible {
  /// An ALSA device, such as `default` or `hw:CARD=DAC`.
  case alsa(device: String)
  /// The PulseAudio server of the session.
  case pulse
  /// The PipeWire server of the session.
  case pipewire
  /// Nowhere, at the pace of a clock: everything works but is not heard.
  case null
  /// A GStreamer bin in the notation of gst-launch, such as `audioresample ! jackaudiosink`.
  case bin(String)

  /// Reads `alsa`, `alsa:DEVICE`, `pulse`, `pipewire`, `null` or a GStreamer bin description.
  ///
  /// Only the notation is judged here; `Outputs.probe(_:)` says whether it can be opened.
  public init(parsing text: String) throws(OutputError) {
    let trimmed = text.trimmingSpaces()
    switch trimmed {
    case "": throw OutputError("The output is empty: name alsa, alsa:DEVICE, pulse, pipewire, null or a GStreamer bin.")
    case "alsa": self = .alsa(device: "default")
    case "pulse": self = .pulse
    case "pipewire": self = .pipewire
    case "null": self = .null
    default:
      if trimmed.hasPrefix("alsa:") {
        let device = String(trimmed.dropFirst("alsa:".count))
        guard !device.isEmpty else {
          throw OutputError("The output “alsa:” names no device: write alsa:DEVICE or alsa.")
        }
        self = .alsa(device: device)
      } else if let advice = Self.advice(on: trimmed) {
        throw OutputError("The output “\(trimmed)” is not understood: \(advice).")
      } else {
        self = .bin(trimmed)
      }
    }
  }

  /// How ALSA's own names of devices begin (alsa-lib, conf/).
  private static let cards = ["hw:", "plughw:", "default", "sysdefault", "dmix", "front", "iec958", "hdmi"]

  /// What was probably meant by something that looks like no bin.
  private static func advice(on text: String) -> String? {
    let lowercase = text.lowercased()
    if cards.contains(where: lowercase.hasPrefix), !text.contains("!") {
      return "an ALSA device is written alsa:\(text)"
    }
    guard text != lowercase else { return nil }
    let known = ["alsa", "pulse", "pipewire", "null"].first { lowercase == $0 || lowercase.hasPrefix($0 + ":") }
    return known.map { "write \($0) in small letters" }
  }

  /// The notation that `init(parsing:)` reads.
  public var description: String {
    switch self {
    case .alsa(let device): "alsa:\(device)"
    case .pulse: "pulse"
    case .pipewire: "pipewire"
    case .null: "null"
    case .bin(let description): description
    }
  }
}
