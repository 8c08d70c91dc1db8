/// A position known at one moment, from which it is reckoned at any other.
enum PositionAnchor: Equatable {
  /// The position does not move.
  case standing(at: Duration)
  /// The position was this at that moment, and has advanced with the time since.
  case advancing(from: Duration, since: ContinuousClock.Instant)

  /// - Parameter limit: where the track ends, which the position does not pass.
  func position(now: ContinuousClock.Instant, limit: Duration?) -> Duration {
    switch self {
    case .standing(let position): return position
    case .advancing(let position, let since):
      let reckoned = position + max(.zero, since.duration(to: now))
      return limit.map { min(reckoned, max($0, position)) } ?? reckoned
    }
  }
}
