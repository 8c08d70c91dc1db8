/// Limits how often something happens, for each client and for all together, so that one client does not lock out the others.
///
/// Pure: the time is a parameter. It remembers no more than the events of all clients in a window.
struct RateBudget {
  typealias Instant = ContinuousClock.Instant

  private let maximumPerClient: Int
  private let maximum: Int
  private let window: Duration
  /// The events in the window, the oldest first.
  private(set) var taken: [(client: String, time: Instant, count: Int)] = []

  /// - Parameters:
  ///   - maximum: the maximum number of events in any `window`.
  ///   - perClient: the maximum number of events of one client; nil for the same.
  init(maximum: Int, perClient: Int? = nil, window: Duration) {
    self.maximum = maximum
    maximumPerClient = perClient ?? maximum
    self.window = window
  }

  /// Counts an event, unless it is refused.
  /// - Parameter client: the address of the client.
  /// - Returns: nil if the event may happen; otherwise the time until the next one may.
  mutating func take(_ client: String = "", now: Instant) -> Duration? {
    if let wait = wait(client, now: now) { return wait }
    count(1, of: client, now: now)
    return nil
  }

  /// - Returns: nil if an event may happen; otherwise the time until the next one may.
  mutating func wait(_ client: String, now: Instant) -> Duration? {
    guard remaining(client, now: now) <= 0 else { return nil }
    let own = taken.filter { $0.client == client }
    let ends = [(Self.sum(own) >= maximumPerClient, own.first), (Self.sum(taken) >= maximum, taken.first)]
      .compactMap { isFull, first in isFull ? first.map { $0.time + window } : nil }
    return ends.max().map { now.duration(to: $0) }
  }

  /// The number of events that may happen now.
  mutating func remaining(_ client: String, now: Instant) -> Int {
    taken.removeAll { $0.time + window <= now }
    return max(
      0, min(maximumPerClient - Self.sum(taken.filter { $0.client == client }), maximum - Self.sum(taken)))
  }

  /// Counts events that have happened.
  mutating func count(_ events: Int, of client: String, now: Instant) {
    if events > 0 { taken.append((client, now, events)) }
  }

  private static func sum(_ taken: [(client: String, time: Instant, count: Int)]) -> Int {
    taken.reduce(0) { $0 + $1.count }
  }
}
