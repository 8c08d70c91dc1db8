/// Limits how often something happens, for each client and for all together, so that one client does not lock out the others.
///
/// Pure: the time is a parameter. It remembers no more than the events of all clients in a window.
struct ClientBudget {
  typealias Instant = ContinuousClock.Instant

  private let mostOfClient: Int
  private let most: Int
  private let window: Duration
  /// The events in the window, the oldest first.
  private(set) var taken: [(client: String, time: Instant)] = []

  /// - Parameters:
  ///   - mostOfClient: the maximum number of events of one client in any `window`.
  ///   - most: the maximum number of events of all clients together.
  init(mostOfClient: Int, most: Int, window: Duration) {
    self.mostOfClient = mostOfClient
    self.most = most
    self.window = window
  }

  /// Counts an event, unless it is refused.
  /// - Parameter client: the address of the client.
  /// - Returns: nil if the event may happen; otherwise the time until the next one may.
  mutating func take(_ client: String, now: Instant) -> Duration? {
    taken.removeAll { $0.time + window <= now }
    let own = taken.filter { $0.client == client }
    let ends = [(own.count >= mostOfClient, own.first), (taken.count >= most, taken.first)]
      .compactMap { isFull, first in isFull ? first.map { $0.time + window } : nil }
    if let end = ends.max() { return now.duration(to: end) }
    taken.append((client, now))
    return nil
  }
}
