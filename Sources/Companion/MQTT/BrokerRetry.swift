/// Decides how long to wait before the next connection: 1 s to 60 s, doubled after every failure.
struct BrokerRetry {
  static let shortest = Duration.seconds(1)
  static let longest = Duration.seconds(60)
  /// A connection that has lasted this long resets the pause.
  static let stable = Duration.seconds(30)

  private var pause = shortest
  private var connected: ContinuousClock.Instant?

  mutating func connected(at now: ContinuousClock.Instant) { connected = now }

  /// Whether the connection has lasted for `stable`.
  func isStable(at now: ContinuousClock.Instant) -> Bool { connected.map { now - $0 >= Self.stable } ?? false }

  /// The pause before the next attempt, after a failure or the end of a connection.
  /// - Parameter jitter: a random value 0…1, so that clients do not all reconnect at once after the broker has
  ///   restarted.
  mutating func pause(at now: ContinuousClock.Instant, jitter: Double) -> Duration {
    if isStable(at: now) { pause = Self.shortest }
    connected = nil
    defer { pause = min(Self.longest, pause * 2) }
    return pause * (0.75 + 0.25 * jitter)
  }
}
