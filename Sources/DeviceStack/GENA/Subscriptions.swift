import Logging
import NIOCore
import NIOHTTP1
import UPnP

/// The subscriptions of all event sources of one server: who is subscribed, until when, and within which limits.
///
/// Hands messages to `EventDelivery` and lets each subscriber's `SubscriberQueue` decide about retries. Used on the event
/// loop only.
final class Subscriptions {
  let eventLoop: any EventLoop
  let logger: Logger
  /// Which callbacks new subscriptions may have.
  var policy: CallbackPolicy
  private let prefixLength: (IPAddress) -> Int?
  private let productToken: String

  private var sources: [EventSource] = []
  private var table: SubscriptionTable
  private let alarm: Alarm
  private let delivery: EventDelivery
  private var isStopped = false

  /// - Parameters:
  ///   - productToken: the USER-AGENT header, as in SERVER: `OS/version UPnP/1.1 product/version`.
  ///   - prefixLength: of the subnet of a local address; nil for an address that is not local now.
  init(
    eventLoop: any EventLoop, policy: CallbackPolicy, productToken: String,
    limits: SubscriptionTable.Limits = SubscriptionTable.Limits(),
    deliveryLimits: DeliveryScheduler.Limits = DeliveryScheduler.Limits(), logger: Logger,
    prefixLength: @escaping (IPAddress) -> Int?
  ) {
    self.eventLoop = eventLoop
    self.policy = policy
    self.productToken = productToken
    self.logger = logger
    self.prefixLength = prefixLength
    table = SubscriptionTable(limits: limits)
    alarm = Alarm(eventLoop: eventLoop)
    delivery = EventDelivery(eventLoop: eventLoop, limits: deliveryLimits) { prefixLength($0) != nil }
    alarm.onElapsed = { [weak self] in self?.elapsed() }
    delivery.message = { [weak self] in self?.nextMessage(for: $0) }
    delivery.onOutcome = { [weak self] in self?.delivered($0, $1) }
  }

  /// The number of subscriptions.
  var count: Int { table.count }

  /// Ends all subscriptions and closes all connections, without waiting for answers. Later changes send nothing.
  /// - Returns: succeeds when the last connection is closed.
  func stop() -> EventLoopFuture<Void> {
    isStopped = true
    alarm.cancel()
    for source in sources { source.stop() }
    sources.removeAll()
    table.removeAll()
    return delivery.stop()
  }

  /// Networks appeared or disappeared. Retries subscribers that could not be reached.
  func networkChanged() {
    delivery.networkChanged()
    for id in table.ids { advance(id) { $0.renewed() } }
  }

  // MARK: For event sources

  /// - Returns: the source's number.
  func register(_ source: EventSource) -> Int {
    sources.append(source)
    return sources.count - 1
  }

  /// Whether events may be sent to this address. See `CallbackPolicy`.
  func allows(_ callback: IPAddress, subscriber: IPAddress, local: IPAddress) -> Bool {
    policy.allows(callback, subscriber: subscriber, local: local, prefixLength: prefixLength(local))
  }

  /// - Returns: false if a limit is reached or the server is stopping.
  func add(_ subscription: Subscription) -> Bool {
    guard !isStopped, table.insert(subscription) else { return false }
    sources[subscription.source].subscriberCount += 1
    alarm.arm(at: subscription.expires)
    return true
  }

  /// The answer to SUBSCRIBE was sent: the initial event may follow.
  func release(_ id: SID) { advance(id) { $0.released() } }

  /// - Returns: false if the source has no such subscription.
  func renew(_ id: SID, of source: Int, until expires: NIODeadline) -> Bool {
    guard table[id]?.source == source else { return false }
    _ = table.update(id) { $0.expires = expires }
    alarm.arm(at: expires)
    advance(id) { $0.renewed() }
    return true
  }

  /// - Returns: false if the source has no such subscription.
  func remove(_ id: SID, of source: Int) -> Bool {
    guard table[id]?.source == source else { return false }
    remove(id)
    return true
  }

  /// Variables of a source changed.
  func changed(_ variables: VariableSet, source: Int) {
    for id in table.changed(variables, source: source, sources[source].fingerprint) { submit(id) }
  }

  // MARK: Subscribers

  private func remove(_ id: SID) {
    guard let removed = table.remove(id) else { return }
    forget(removed)
  }

  /// Sends nothing more to a subscription that was removed from the table.
  private func forget(_ subscription: Subscription) {
    sources[subscription.source].subscriberCount -= 1
    delivery.cancel(subscription.id, to: subscription.authority)
    if !table.hasSubscription(to: subscription.authority) { delivery.release(subscription.authority) }
  }

  private func submit(_ id: SID) {
    guard let subscription = table[id] else { return }
    delivery.submit(id, to: subscription.authority, isPrompt: subscription.queue.isPrompt)
  }

  /// Passes an event to the subscriber's queue and performs its step.
  private func advance(_ id: SID, _ event: (inout SubscriberQueue) -> SubscriberQueue.Step) {
    switch table.update(id, { event(&$0.queue) }) ?? .nothing {
    case .nothing: break
    case .submit: submit(id)
    case .backOff(let deadline): alarm.arm(at: deadline)
    case .end:
      logger.debug("subscription ended: the subscriber does not know it", metadata: ["sid": "\(id)"])
      remove(id)
    }
  }

  private func elapsed() {
    let due = table.elapsed(now: .now())
    if let next = due.next { alarm.arm(at: next) }
    for expired in due.expired {
      logger.debug("subscription expired", metadata: ["sid": "\(expired.id)"])
      forget(expired)
    }
    for id in due.submit { submit(id) }
  }

  // MARK: Messages

  private func nextMessage(for id: SID) -> EventDelivery.Message? {
    guard let subscription = table[id] else { return nil }
    let source = sources[subscription.source]
    guard let message = table.update(id, { $0.queue.begin(source.fingerprint) }) ?? nil else { return nil }
    let body = source.body(
      of: message.variables, server: ServerURL.text(subscription.local, port: subscription.port))
    let callback = subscription.callback
    let head = HTTPRequestHead(
      version: .http1_1, method: .NOTIFY, uri: callback.target,
      headers: [
        "HOST": String(callback.authority),
        "CONTENT-TYPE": "text/xml; charset=\"utf-8\"",
        "CONTENT-LENGTH": "\(body.readableBytes)",
        "NT": "upnp:event",
        "NTS": "upnp:propchange",
        "SID": "\(id)",
        "SEQ": "\(message.seq)",
        "USER-AGENT": productToken,
      ])
    return EventDelivery.Message(head: head, body: body)
  }

  private func delivered(_ id: SID, _ outcome: EventDelivery.Outcome) {
    guard let subscription = table[id] else { return }
    let source = sources[subscription.source]
    let now = NIODeadline.now()
    switch outcome {
    case .answered(let status, let duration):
      advance(id) { $0.answered(status: status, after: duration, now: now, source.fingerprint) }
    case .failed(let failure):
      logger.debug("event not delivered: \(failure)", metadata: ["sid": "\(id)"])
      advance(id) { $0.failed(failure, now: now) }
    }
  }
}
