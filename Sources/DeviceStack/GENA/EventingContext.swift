import Glibc
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// What the event sources of one server share: subscriptions, connections to subscribers, limits, timers.
///
/// Lives on the event loop.
final class EventingContext {
  let eventLoop: any EventLoop
  let logger: Logger
  /// Which callbacks new subscriptions may have.
  var policy: CallbackPolicy
  private let prefixLength: (IPAddress) -> Int?
  private let productToken: String

  private var sources: [EventSource] = []
  private var table: SubscriptionTable
  private let tableAlarm: Alarm
  private var scheduler: DeliveryScheduler
  private let schedulerAlarm: Alarm
  private var connections: [DeliveryScheduler.ConnectionID: NotifyConnection] = [:]
  private var deliveries: [DeliveryScheduler.ConnectionID: Delivery] = [:]
  private var openChannels = 0
  private var stopped: EventLoopPromise<Void>?

  /// A message on its way.
  private struct Delivery {
    let id: SID
    /// When it was sent; nil while connecting.
    var sentAt: NIODeadline?
  }

  private static let connectTimeout: TimeAmount = .seconds(5)

  /// - Parameters:
  ///   - eventLoop: everything happens on it, and everything here must be called on it.
  ///   - policy: which callbacks are allowed beside the asker's own address and those on the link.
  ///   - productToken: for USER-AGENT, as in SERVER: `OS/version UPnP/1.1 product/version`.
  ///   - maximumSubscriptions: beyond them SUBSCRIBE is answered 503.
  ///   - maximumPerAddress: subscriptions from one address, likewise.
  ///   - prefixLength: of the subnet of an address of ours; nil if the address is not (or no longer) ours.
  convenience init(
    eventLoop: any EventLoop, policy: CallbackPolicy = CallbackPolicy(), productToken: String,
    maximumSubscriptions: Int = 1024, maximumPerAddress: Int = 512, logger: Logger,
    prefixLength: @escaping (IPAddress) -> Int?
  ) {
    self.init(
      eventLoop: eventLoop, policy: policy, productToken: productToken,
      limits: SubscriptionTable.Limits(total: maximumSubscriptions, perAddress: maximumPerAddress),
      schedulerLimits: DeliveryScheduler.Limits(), logger: logger, prefixLength: prefixLength)
  }

  init(
    eventLoop: any EventLoop, policy: CallbackPolicy, productToken: String, limits: SubscriptionTable.Limits,
    schedulerLimits: DeliveryScheduler.Limits, logger: Logger, prefixLength: @escaping (IPAddress) -> Int?
  ) {
    self.eventLoop = eventLoop
    self.policy = policy
    self.productToken = productToken
    self.logger = logger
    self.prefixLength = prefixLength
    table = SubscriptionTable(limits: limits)
    scheduler = DeliveryScheduler(limits: schedulerLimits)
    tableAlarm = Alarm(eventLoop: eventLoop)
    schedulerAlarm = Alarm(eventLoop: eventLoop)
    tableAlarm.onElapsed = { [weak self] in self?.tableElapsed() }
    schedulerAlarm.onElapsed = { [weak self] in self?.schedulerElapsed() }
  }

  /// How many subscriptions there are.
  var subscriptionCount: Int { table.count }

  /// Ends all subscriptions and closes all connections, without waiting for any answer.
  /// - Returns: done when the last connection is closed. Nothing is sent any more, whatever changes.
  func stop() -> EventLoopFuture<Void> {
    if let stopped { return stopped.futureResult }
    let promise = eventLoop.makePromise(of: Void.self)
    stopped = promise
    tableAlarm.cancel()
    schedulerAlarm.cancel()
    for source in sources { source.stop() }
    sources.removeAll()
    table.removeAll()
    deliveries.removeAll()
    for connection in connections.values { connection.close() }
    connections.removeAll()
    if openChannels == 0 { promise.succeed() }
    return promise.futureResult
  }

  /// Networks have come or gone: on connections from an address that is ours no more nothing arrives, and whoever could
  /// not be reached may be by now.
  func networkChanged() {
    for (id, connection) in connections {
      guard let local = scheduler.authority(of: id)?.local, prefixLength(local) == nil else { continue }
      connection.abandon()
    }
    for id in table.ids { advance(id) { $0.renewed() } }
  }

  // MARK: What the sources ask

  /// - Returns: the source's number.
  func register(_ source: EventSource) -> Int {
    sources.append(source)
    return sources.count - 1
  }

  func allows(_ callback: IPAddress, asker: IPAddress, local: IPAddress) -> Bool {
    policy.allows(callback, asker: asker, local: local, prefixLength: prefixLength(local))
  }

  /// - Returns: false if there is no room, or no service any more.
  func add(_ subscription: Subscription) -> Bool {
    guard stopped == nil, table.insert(subscription) else { return false }
    sources[subscription.source].subscriptions += 1
    tableAlarm.arm(at: subscription.expires)
    return true
  }

  /// The answer to SUBSCRIBE has been sent.
  func release(_ id: SID) {
    advance(id) { $0.released() }
  }

  /// - Returns: false if the source has no such subscription.
  func renew(_ id: SID, of source: Int, until expires: NIODeadline) -> Bool {
    guard table[id]?.source == source else { return false }
    _ = table.update(id) { $0.expires = expires }
    tableAlarm.arm(at: expires)
    advance(id) { $0.renewed() }
    return true
  }

  /// - Returns: false if the source has no such subscription.
  func remove(_ id: SID, of source: Int) -> Bool {
    guard table[id]?.source == source else { return false }
    remove(id)
    return true
  }

  func changed(_ variables: VariableSet, source: Int) {
    for id in table.changed(variables, source: source) { submit(id) }
  }

  // MARK: Subscribers

  private func remove(_ id: SID) {
    guard let removed = table.remove(id) else { return }
    forget(removed)
  }

  /// It has ended: nothing is sent to it any more.
  private func forget(_ subscription: Subscription) {
    sources[subscription.source].subscriptions -= 1
    scheduler.cancel(subscription.id, to: subscription.authority)
    if !table.hasSubscription(to: subscription.authority) { perform(scheduler.release(subscription.authority)) }
  }

  private func submit(_ id: SID) {
    guard let subscription = table[id] else { return }
    perform(
      scheduler.submit(id, to: subscription.authority, isPrompt: subscription.queue.isPrompt, now: .now()))
  }

  /// Lets the subscriber's machine take a step, and does what it says.
  private func advance(_ id: SID, _ event: (inout SubscriberQueue) -> SubscriberQueue.Step) {
    switch table.update(id, { event(&$0.queue) }) ?? .nothing {
    case .nothing: break
    case .submit: submit(id)
    case .rest(let deadline): tableAlarm.arm(at: deadline)
    case .end:
      logger.debug("subscription ended: the subscriber does not know it", metadata: ["sid": "\(id)"])
      remove(id)
    }
  }

  private func tableElapsed() {
    let due = table.elapsed(now: .now())
    if let next = due.next { tableAlarm.arm(at: next) }
    for expired in due.expired {
      logger.debug("subscription expired", metadata: ["sid": "\(expired.id)"])
      forget(expired)
    }
    for id in due.submit { submit(id) }
  }

  // MARK: Connections

  private func perform(_ actions: [DeliveryScheduler.Action]) {
    for action in actions where stopped == nil {
      switch action {
      case .open(let connection, let authority, let id): open(connection, to: authority, for: id)
      case .reuse(let connection, let id):
        deliveries[connection] = Delivery(id: id)
        transmit(on: connection)
      case .close(let connection): connections.removeValue(forKey: connection)?.close()
      case .abort(let connection): connections[connection]?.abort()
      case .wake(let deadline): schedulerAlarm.arm(at: deadline)
      }
    }
  }

  private func open(_ id: DeliveryScheduler.ConnectionID, to authority: Authority, for subscription: SID) {
    let connection = NotifyConnection(
      onOutcome: { [weak self] in self?.ended(id, $0) },
      onClosed: { [weak self] in self?.closed(id) })
    connections[id] = connection
    deliveries[id] = Delivery(id: subscription)
    let handler = NIOLoopBound(connection, eventLoop: eventLoop)
    openChannels += 1
    let bootstrap = ClientBootstrap(group: eventLoop)
      .connectTimeout(Self.connectTimeout)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
      // Lets the kernel choose the port when connecting, so that ports are used up per listener and not altogether.
      .channelOption(.ipOption(.init(rawValue: IP_BIND_ADDRESS_NO_PORT)), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(HTTPRequestEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder(informationalResponseStrategy: .forward)))
          try pipeline.addHandler(handler.value)
        }
      }
    // With another address since, as after DHCP's, the kernel finds the way; the subscriber knows us by its SID.
    let isOurs = prefixLength(authority.local) != nil
    (isOurs ? bootstrap.bind(to: authority.local.socketAddress(port: 0)) : bootstrap)
      .connect(to: authority.address.socketAddress(port: authority.port))
      .assumeIsolated()
      .whenComplete { [self] result in
        switch result {
        case .success(let channel):
          connection.connected()
          channel.closeFuture.assumeIsolated().whenComplete { [self] _ in channelClosed() }
          transmit(on: id)
        case .failure:
          channelClosed()
          if connections[id] != nil { ended(id, .failed(.unreachable)) }
        }
      }
  }

  /// The other side closed an idle connection.
  private func closed(_ connection: DeliveryScheduler.ConnectionID) {
    connections[connection] = nil
    perform(scheduler.closed(connection, now: .now()))
  }

  private func schedulerElapsed() { perform(scheduler.elapsed(now: .now())) }

  private func channelClosed() {
    openChannels -= 1
    if openChannels == 0 { stopped?.succeed() }
  }

  /// Sends what the subscriber is due on a connection that is there; if it is gone, the connection is free again.
  private func transmit(on connection: DeliveryScheduler.ConnectionID) {
    guard let delivery = deliveries[connection] else { return }
    guard let subscription = table[delivery.id],
      let message = table.update(delivery.id, { $0.queue.begin() }) ?? nil
    else {
      deliveries[connection] = nil
      perform(scheduler.finished(connection, isReusable: true, now: .now()))
      return
    }
    deliveries[connection]?.sentAt = .now()
    let body = sources[subscription.source].body(of: message.variables)
    connections[connection]?.send(head(of: message, to: subscription, length: body.readableBytes), body: body)
  }

  private func ended(_ connection: DeliveryScheduler.ConnectionID, _ outcome: NotifyConnection.Outcome) {
    guard let delivery = deliveries.removeValue(forKey: connection) else { return }
    let now = NIODeadline.now()
    var isReusable = false
    let event: (inout SubscriberQueue) -> SubscriberQueue.Step
    switch outcome {
    case .answered(let status, let reusable):
      isReusable = reusable
      let sentAt = delivery.sentAt ?? now
      event = { $0.answered(status: status, after: now - sentAt, now: now) }
    case .failed(let failure):
      logger.debug("event not delivered: \(failure)", metadata: ["sid": "\(delivery.id)"])
      event = { $0.failed(failure, now: now) }
    }
    if !isReusable { connections[connection] = nil }
    // The connection is given back first, so that what the subscriber is due next can go on it.
    perform(scheduler.finished(connection, isReusable: isReusable, now: now))
    advance(delivery.id, event)
  }

  private func head(
    of message: SubscriberQueue.Message, to subscription: Subscription, length: Int
  ) -> HTTPRequestHead {
    let callback = subscription.callback
    return HTTPRequestHead(
      version: .http1_1, method: .NOTIFY, uri: callback.target,
      headers: [
        "HOST": String(callback.authority),
        "CONTENT-TYPE": "text/xml; charset=\"utf-8\"",
        "CONTENT-LENGTH": "\(length)",
        "NT": "upnp:event",
        "NTS": "upnp:propchange",
        "SID": "\(subscription.id)",
        "SEQ": "\(message.seq)",
        "USER-AGENT": productToken,
      ])
  }
}
