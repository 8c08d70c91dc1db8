import NIOCore
import OrderedCollections
import UPnP

/// All subscriptions of one server, with the limits on them and their ends.
struct SubscriptionTable {
  /// How many subscriptions there may be; beyond them SUBSCRIBE is answered 503.
  struct Limits: Equatable {
    var total = 1024
    /// From one address. Large enough for a machine that runs several controllers, each subscribing to every service.
    var perAddress = 512
  }

  private let limits: Limits
  private var subscriptions: OrderedDictionary<SID, Subscription> = [:]
  private var counts: [IPAddress: Int] = [:]

  init(limits: Limits = Limits()) { self.limits = limits }

  var count: Int { subscriptions.count }

  func hasRoom(for asker: IPAddress) -> Bool {
    count < limits.total && counts[asker, default: 0] < limits.perAddress
  }

  /// - Returns: false if there is no room for it.
  mutating func insert(_ subscription: Subscription) -> Bool {
    guard hasRoom(for: subscription.asker) else { return false }
    counts[subscription.asker, default: 0] += 1
    subscriptions[subscription.id] = subscription
    return true
  }

  subscript(id: SID) -> Subscription? { subscriptions[id] }

  var ids: [SID] { Array(subscriptions.keys) }

  func hasSubscription(to authority: Authority) -> Bool {
    subscriptions.values.contains { $0.authority == authority }
  }

  /// Changes one subscription in place; nil if there is none of that name.
  mutating func update<Result>(_ id: SID, _ body: (inout Subscription) -> Result) -> Result? {
    guard let index = subscriptions.index(forKey: id) else { return nil }
    return body(&subscriptions.values[index])
  }

  @discardableResult
  mutating func remove(_ id: SID) -> Subscription? {
    guard let removed = subscriptions.removeValue(forKey: id) else { return nil }
    release(removed.asker)
    return removed
  }

  private mutating func release(_ asker: IPAddress) {
    let left = counts[asker, default: 1] - 1
    counts[asker] = left > 0 ? left : nil
  }

  /// Tells every subscriber of a source what changed.
  /// - Returns: those to submit, in the order in which they subscribed.
  mutating func changed(_ variables: VariableSet, source: Int) -> [SID] {
    var submit: [SID] = []
    for index in subscriptions.values.indices where subscriptions.values[index].source == source {
      if subscriptions.values[index].queue.changed(variables) == .submit { submit.append(subscriptions.keys[index]) }
    }
    return submit
  }

  /// Removes what has expired and wakes what has rested enough.
  /// - Returns: the removed, those to submit, and when to call again, if anything is left.
  mutating func elapsed(now: NIODeadline) -> (expired: [Subscription], submit: [SID], next: NIODeadline?) {
    let expired = subscriptions.values.filter { $0.expires <= now }
    if !expired.isEmpty {
      subscriptions.removeAll { $0.value.expires <= now }
      for subscription in expired { release(subscription.asker) }
    }
    var submit: [SID] = []
    var next: NIODeadline?
    for index in subscriptions.values.indices {
      if subscriptions.values[index].queue.elapsed(now: now) == .submit { submit.append(subscriptions.keys[index]) }
      let deadline = subscriptions.values[index].deadline
      next = min(next ?? deadline, deadline)
    }
    return (expired, submit, next)
  }

  mutating func removeAll() {
    subscriptions.removeAll()
    counts.removeAll()
  }
}
