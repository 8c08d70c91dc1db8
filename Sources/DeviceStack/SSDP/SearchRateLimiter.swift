import NIOCore

/// How many searches of one asker are answered: ten in any second. It remembers a limited number of askers, since who
/// forges addresses has any number of them.
struct SearchRateLimiter: Sendable {
  static let limit = 10
  static let window = TimeAmount.seconds(1)
  static let capacity = 1024

  /// The times of the last answered searches by address, oldest first.
  private var answered: [String: [NIODeadline]] = [:]

  /// Whether a search of this asker is answered at `now`, which then counts.
  mutating func admit(_ address: String, at now: NIODeadline) -> Bool {
    if answered[address] == nil, answered.count >= Self.capacity {
      answered = answered.filter { $0.value.contains { now - $0 < Self.window } }
      guard answered.count < Self.capacity else { return false }
    }
    var times = answered[address, default: []]
    times.removeAll { now - $0 >= Self.window }
    defer { answered[address] = times }
    guard times.count < Self.limit else { return false }
    times.append(now)
    return true
  }

  /// How many askers are remembered.
  var count: Int { answered.count }
}
