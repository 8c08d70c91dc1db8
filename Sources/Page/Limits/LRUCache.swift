/// A least-recently-used cache with a limit on the total cost. A pure value.
struct LRUCache<Key: Hashable, Value> {
  private struct Entry {
    var value: Value
    var cost: Int
    /// The number of the last use, counted in `uses`.
    var use: UInt64
  }

  let limit: Int
  /// The cost of all values together.
  private(set) var cost = 0
  private var entries: [Key: Entry] = [:]
  private var uses: UInt64 = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  /// The value, which counts as used now.
  mutating func value(_ key: Key) -> Value? {
    guard entries[key] != nil else { return nil }
    uses += 1
    entries[key]?.use = uses
    return entries[key]?.value
  }

  /// Adds or replaces a value. One that alone exceeds the limit is not kept.
  mutating func insert(_ value: Value, for key: Key, cost: Int) {
    if let former = entries.removeValue(forKey: key) { self.cost -= former.cost }
    guard cost <= limit else { return }
    uses += 1
    entries[key] = Entry(value: value, cost: cost, use: uses)
    self.cost += cost
    if self.cost > limit { evict() }
  }

  mutating func removeAll() {
    entries = [:]
    cost = 0
  }

  /// Removes the oldest values, an eighth of the limit at once, so that a full cache does not sort for each insertion. The
  /// newest one stays.
  private mutating func evict() {
    let target = limit - limit / 8
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard cost > target, entry.use < uses else { return }
      entries[key] = nil
      cost -= entry.cost
    }
  }
}
