import NIOCore

/// When changes are told: the first one after quiet at once, those that follow within the interval together at its end.
struct EventModerator {
  enum Action: Equatable {
    /// It is already going to be told.
    case nothing
    /// Tell at the end of the current turn of the loop, so that what is set together goes together.
    case flushThisTurn
    case flush(at: NIODeadline)
  }

  /// The least time between two events; zero for variables that are not moderated.
  let interval: TimeAmount
  private var isPending = false
  private var lastFlush: NIODeadline?

  init(interval: TimeAmount) { self.interval = interval }

  mutating func changed(now: NIODeadline) -> Action {
    guard !isPending else { return .nothing }
    isPending = true
    guard let lastFlush, lastFlush + interval > now else { return .flushThisTurn }
    return .flush(at: lastFlush + interval)
  }

  mutating func flushed(now: NIODeadline) {
    isPending = false
    lastFlush = now
  }
}
