/// Why a command to the radio is refused. Nothing has changed then.
public enum RadioError: Error, Sendable, Equatable {
  /// No preset has the id.
  case noSuchPreset
}
