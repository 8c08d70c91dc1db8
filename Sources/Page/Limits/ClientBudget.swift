/// Limits how often something happens, for each client and for all together, so that one client does not lock out the others.
///
/// Pure: the time is a parameter. It remembers no more than the events of all clients in a window.
struct ClientBudget {
  typealias Instant = ContinuousClock.Instant

  private let maximumPerClient: Int
  private let maximum: Int
  private let window: Duration
  /// The events in the window, the oldest first.
  private(set) var taken: [(client: String, time: Instant)] = []

  /// - Parameters:
  ///   - maximumPerClient: the maximum number of events of one client in any `window`.
  ///   - maximum: the maximum number of events of all clients together.
  init(maximumPerClient: Int, maximum: Int, window: Duration) {
    self.maximumPerClient = maximumPerClient
    self.maximum = maximum
    self.window = window
  }

  /// Counts an event, unless it is refused.
  /// - Parameter client: the address of the client.
  /// - Returns: nil if the event may happen; otherwise the time until the next one may.
  mutating func take(_ client: String, now: Instant) -> Duration? {
    taken.removeAll { $0.time + window <= now }
    let own = taken.filter { $0.client == client }
    let ends = [(own.count >= maximumPerClient, own.first), (taken.count >= maximum, taken.first)]
      .compactMap { isFull, first in isFull ? first.map { $0.time + window } : nil }
    if let end = ends.max() { return now.duration(to: end) }
    taken.append((client, now))
    return nil
  }
}
