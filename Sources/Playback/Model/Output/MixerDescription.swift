/// A control of a sound card that sets the volume, as `--mixer` names it.
public struct MixerDescription: Sendable, Equatable, CustomStringConvertible {
  /// In ALSA's notation, such as `hw:CARD=DAC`.
  public var device: String
  /// The name of the control, such as `Digital`.
  public var control: String
  /// Which of several controls of that name.
  public var index: Int

  /// Reads `alsa:DEVICE/CONTROL` or `alsa:DEVICE/CONTROL,INDEX`.
  public init(parsing text: String) throws(OutputError) {
    let prefix = "alsa:"
    let trimmed = text.trimmingSpaces()
    let rest = trimmed.dropFirst(prefix.count)
    // Names of devices hold no stroke; those of controls may.
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
