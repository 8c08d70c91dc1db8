import PlaybackModel

/// RenderingControl's VolumeDB (RenderingControl:1 §2.2): 1/256 dB, 0 for unity, in the steps of the volume.
enum VolumeDB {
  private static let perStep = VolumeScale.decibelsPerStep * 256

  /// From one step below the quietest, which stands for silence, to unity.
  static let range = value(step: 0)...value(step: 100)

  static func value(step: Int) -> Int16 {
    Int16((Double(step - 100) * perStep).rounded())
  }

  /// The step that is nearest.
  /// - Parameter value: within `range`.
  static func step(value: Int16) -> Int {
    100 + Int((Double(value) / perStep).rounded())
  }
}
