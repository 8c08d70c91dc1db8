import NIOCore
import OrderedCollections
import UPnP

/// One subscriber of one service instance.
struct Subscription {
  let id: SID
  /// The number of its `EventSource` in `Subscriptions`.
  let source: Int
  let callbacks: [CallbackURL]
  /// The address that subscribed, for the limit per address.
  let subscriber: IPAddress
  /// The local address that was subscribed to. Events leave from it.
  let local: IPAddress
  /// The port of the HTTP server.
  var port: Int?
  var expires: NIODeadline
  var queue: SubscriberQueue

  /// The target of the next attempt.
  var callback: CallbackURL { callbacks[Int(queue.callback)] }

  /// When `SubscriptionTable.elapsed` must handle it: at its expiry or at the end of its back-off.
  var deadline: NIODeadline { queue.backOffDeadline.map { min($0, expires) } ?? expires }

  var authority: Authority {
    Authority(address: callback.address, port: callback.port, local: local)
  }
}

/// All subscriptions of one server, with their limits and expiry. Pure: takes the time as a parameter.
struct SubscriptionTable {
  /// Limits on the number of subscriptions. Beyond them, SUBSCRIBE is answered with 503.
  struct Limits: Equatable {
    var total = 1024
    /// Subscriptions from one address: enough for a computer with several controllers that subscribe to every service.
    var perAddress = 512
  }

  private let limits: Limits
  private var subscriptions: OrderedDictionary<SID, Subscription> = [:]
  private var counts: [IPAddress: Int] = [:]

  init(limits: Limits = Limits()) { self.limits = limits }

  var count: Int { subscriptions.count }

  func hasRoom(for subscriber: IPAddress) -> Bool {
    count < limits.total && counts[subscriber, default: 0] < limits.perAddress
  }

  /// - Returns: false if a limit is reached.
  mutating func insert(_ subscription: Subscription) -> Bool {
    guard hasRoom(for: subscription.subscriber) else { return false }
    counts[subscription.subscriber, default: 0] += 1
    subscriptions[subscription.id] = subscription
    return true
  }

  subscript(id: SID) -> Subscription? { subscriptions[id] }

  var ids: [SID] { Array(subscriptions.keys) }

  func hasSubscription(to authority: Authority) -> Bool {
    subscriptions.values.contains { $0.authority == authority }
  }

  /// Changes one subscription in place. Returns nil if it does not exist.
  mutating func update<Result>(_ id: SID, _ body: (inout Subscription) -> Result) -> Result? {
    guard let index = subscriptions.index(forKey: id) else { return nil }
    return body(&subscriptions.values[index])
  }

  @discardableResult
  mutating func remove(_ id: SID) -> Subscription? {
    guard let removed = subscriptions.removeValue(forKey: id) else { return nil }
    release(removed.subscriber)
    return removed
  }

  private mutating func release(_ subscriber: IPAddress) {
    let left = counts[subscriber, default: 1] - 1
    counts[subscriber] = left > 0 ? left : nil
  }

  /// Queues a change for every subscriber of a source.
  /// - Parameter fingerprint: of a variable's current value.
  /// - Returns: the subscriptions to submit, in the order in which they subscribed.
  mutating func changed(
    _ variables: VariableSet, source: Int, _ fingerprint: SubscriberQueue.Fingerprint
  ) -> [SID] {
    var submit: [SID] = []
    for index in subscriptions.values.indices where subscriptions.values[index].source == source {
      let step = subscriptions.values[index].queue.changed(variables, fingerprint)
      if step == .submit { submit.append(subscriptions.keys[index]) }
    }
    return submit
  }

  /// Removes expired subscriptions and ends elapsed back-offs.
  /// - Returns: the removed subscriptions, those to submit, and when to call again.
  mutating func elapsed(now: NIODeadline) -> (expired: [Subscription], submit: [SID], next: NIODeadline?) {
    let expired = subscriptions.values.filter { $0.expires <= now }
    if !expired.isEmpty {
      subscriptions.removeAll { $0.value.expires <= now }
      for subscription in expired { release(subscription.subscriber) }
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
