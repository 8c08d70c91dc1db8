/// A fault of the stand-in renderer that cannot be added on the wire.
enum StandInFault: Sendable, Equatable {
  /// The position rises while paused, too.
  case pauseKeepsCounting
}
