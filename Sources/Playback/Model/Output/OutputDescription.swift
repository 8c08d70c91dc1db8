/// An output in the notation of `--output`.
public enum OutputDescription: Sendable, Equatable, Hashable, CustomStringConvertible {
  /// An ALSA device, such as `default` or `hw:CARD=DAC`.
  case alsa(device: String)
  /// The PulseAudio server of the session.
  case pulse
  /// The PipeWire server of the session.
  case pipewire
  /// A stream of a Snapcast server, which plays in many rooms.
  case snapcast(SnapcastStream)
  /// Discards the sound in real time.
  case null
  /// A GStreamer bin in the notation of gst-launch, such as `audioresample ! jackaudiosink`.
  case bin(String)

  /// Reads `alsa`, `alsa:DEVICE`, `pulse`, `pipewire`, `snapcast:HOST`, `null` or a GStreamer bin description.
  ///
  /// Checks only the notation. `Outputs.probe(_:)` tests whether the output can be opened.
  public init(parsing text: String) throws(OutputError) {
    let trimmed = text.trimmingSpaces()
    switch trimmed {
    case "":
      throw OutputError(
        "The output is empty: name alsa, alsa:DEVICE, pulse, pipewire, snapcast:HOST, null or a GStreamer bin.")
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
      } else if trimmed.hasPrefix("snapcast:") {
        self = .snapcast(try SnapcastStream(parsing: String(trimmed.dropFirst("snapcast:".count))))
      } else if let advice = Self.advice(on: trimmed) {
        throw OutputError("Invalid output “\(trimmed)”: \(advice).")
      } else {
        self = .bin(trimmed)
      }
    }
  }

  /// Prefixes of ALSA device names (alsa-lib, conf/).
  private static let cards = ["hw:", "plughw:", "default", "sysdefault", "dmix", "front", "iec958", "hdmi"]

  /// A suggestion for text that does not look like a bin.
  private static func advice(on text: String) -> String? {
    let lowercase = text.lowercased()
    if cards.contains(where: lowercase.hasPrefix), !text.contains("!") {
      return "an ALSA device is written alsa:\(text)"
    }
    if text == "snapcast" { return "name the server, as in snapcast:HOST" }
    guard text != lowercase else { return nil }
    let known = ["alsa", "pulse", "pipewire", "snapcast", "null"].first {
      lowercase == $0 || lowercase.hasPrefix($0 + ":")
    }
    return known.map { "write \($0) in small letters" }
  }

  /// Whether the output is on another machine, which may be away for a while: playback then waits for it.
  public var isRemote: Bool { if case .snapcast = self { true } else { false } }

  /// The notation that `init(parsing:)` reads.
  public var description: String {
    switch self {
    case .alsa(let device): "alsa:\(device)"
    case .pulse: "pulse"
    case .pipewire: "pipewire"
    case .snapcast(let stream): "snapcast:\(stream)"
    case .null: "null"
    case .bin(let description): description
    }
  }
}

/// The player's output: fixed, or searched for.
public struct OutputChoice: Sendable {
  /// The output to begin with; nil if none was found yet.
  public let output: OutputDescription?
  /// Searches for an output that can be opened; nil if the output is fixed.
  package let find: (@Sendable () throws(OutputError) -> OutputDescription)?

  /// A fixed output. It need not be available until something plays.
  public static func fixed(_ output: OutputDescription) -> OutputChoice { .init(output: output, find: nil) }

  /// An output that `find` searches for.
  /// - Parameters:
  ///   - output: the result of the first search.
  ///   - find: called on the player's own thread every few seconds while there is no device. After a device is lost, it
  ///     is called again, since the device may return under another name.
  public static func found(
    _ output: OutputDescription?, find: @escaping @Sendable () throws(OutputError) -> OutputDescription
  ) -> OutputChoice { .init(output: output, find: find) }
}

/// Why an output cannot be used, as one sentence for the user.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String
  /// The error that items fail with.
  package let playbackError: PlaybackError

  package static let incomplete = OutputError(
    "GStreamer's base plugins are not installed (gstreamer1.0-plugins-base).")

  /// - Parameter playbackError: nil to derive it from the description.
  package init(_ description: String, playbackError: PlaybackError? = nil) {
    self.description = description
    self.playbackError =
      playbackError ?? .deviceFailed(description.hasSuffix(".") ? String(description.dropLast()) : description)
  }
}

/// A sound card's volume control in the notation of `--mixer`.
public struct MixerDescription: Sendable, Equatable, CustomStringConvertible {
  /// ALSA device, such as `hw:CARD=DAC`.
  public var device: String
  /// Name of the control, such as `Digital`.
  public var control: String
  /// Distinguishes controls of the same name.
  public var index: Int

  /// Reads `alsa:DEVICE/CONTROL` or `alsa:DEVICE/CONTROL,INDEX`.
  public init(parsing text: String) throws(OutputError) {
    let prefix = "alsa:"
    let trimmed = text.trimmingSpaces()
    let rest = trimmed.dropFirst(prefix.count)
    // Device names contain no slash; control names may.
    guard trimmed.hasPrefix(prefix), let slash = rest.firstIndex(of: "/") else {
      throw OutputError("Invalid mixer “\(text)”: write alsa:DEVICE/CONTROL, such as alsa:hw:0/Master.")
    }
    device = String(rest[..<slash])
    control = String(rest[rest.index(after: slash)...])
    index = 0
    if let comma = control.lastIndex(of: ","), let number = Int(control[control.index(after: comma)...]), number >= 0 {
      index = number
      control = String(control[..<comma])
    }
    guard !device.isEmpty, !control.isEmpty else {
      throw OutputError("The mixer “\(text)” names no \(device.isEmpty ? "device" : "control").")
    }
  }

  package init(device: String, control: String, index: Int) {
    self.device = device
    self.control = control
    self.index = index
  }

  /// The notation that `init(parsing:)` reads.
  public var description: String { "alsa:\(device)/\(control)" + (index == 0 ? "" : ",\(index)") }
}
