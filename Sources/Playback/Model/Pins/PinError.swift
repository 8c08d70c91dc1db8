/// Why a change of the pins is refused. Nothing has changed then.
public enum PinError: Error, Sendable, Equatable {
  /// There is no such place.
  case indexOutOfRange
  /// No pin has the id.
  case idNotFound
}
