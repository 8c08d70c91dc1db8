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
    // Names of devices contain no slash; those of controls may.
    guard trimmed.hasPrefix(prefix), let stroke = rest.firstIndex(of: "/") else {
      throw OutputError("The mixer “\(text)” is not understood: write alsa:DEVICE/CONTROL, such as alsa:hw:0/Master.")
    }
    device = String(rest[..<stroke])
    control = String(rest[rest.index(after: stroke)...])
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
