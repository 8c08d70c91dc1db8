/// Decides when to connect to the bus again after the connection has ended, and what is logged about it. Pure.
///
/// A bus may accept connections and drop them at once. Therefore only a connection that has lasted `stableTime` resets the
/// backoff and allows problems to be logged again.
struct BusRetry {
  static let stableTime = Duration.seconds(30)

  enum Loss: Equatable {
    case first
    /// A connection that the log reported has ended soon.
    case again
    /// Not logged.
    case further
  }

  private var pauses: RetryPauses
  private var connectedAt: ContinuousClock.Instant?
  /// The last logged event; nil before the first one and after a stable connection.
  private var logged: Logged?

  private enum Logged { case lost, returned, lostAgain }

  init(_ pauses: RetryPauses) { self.pauses = pauses }

  /// - Returns: whether to log that there is a connection again.
  mutating func connected(at now: ContinuousClock.Instant) -> Bool {
    connectedAt = now
    guard logged == .lost else { return false }
    logged = .returned
    return true
  }

  /// The connection has ended, or could not be made.
  mutating func lost(at now: ContinuousClock.Instant) -> (pause: Duration, loss: Loss) {
    if let connectedAt, now - connectedAt >= Self.stableTime {
      pauses.reset()
      logged = nil
    }
    connectedAt = nil
    switch logged {
    case nil:
      logged = .lost
      return (pauses.next(), .first)
    case .returned:
      logged = .lostAgain
      return (pauses.next(), .again)
    case .lost, .lostAgain: return (pauses.next(), .further)
    }
  }
}
