import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// Sends event messages to subscribers: performs what `DeliveryScheduler` decides on connections to their listeners.
///
/// It knows subscribers only by their SIDs and asks for each message when a connection is ready for it. Used on the event
/// loop only.
final class EventDelivery {
  /// One NOTIFY request.
  struct Message {
    var head: HTTPRequestHead
    var body: ByteBuffer
  }

  /// How an attempt to deliver a message ended.
  enum Outcome {
    /// The subscriber answered with this status, this long after the message was sent.
    case answered(status: UInt, after: TimeAmount)
    case failed(SubscriberQueue.Failure)
  }

  /// A message that is being delivered.
  private struct Delivery {
    let id: SID
    /// nil while connecting.
    var sentAt: NIODeadline?
  }

  private static let connectTimeout: TimeAmount = .seconds(5)

  private let eventLoop: any EventLoop
  private let isLocal: (IPAddress) -> Bool
  private var scheduler: DeliveryScheduler
  private let alarm: Alarm
  private var connections: [DeliveryScheduler.ConnectionID: NotifyConnection] = [:]
  private var deliveries: [DeliveryScheduler.ConnectionID: Delivery] = [:]
  private var openChannels = 0
  private var stopped: EventLoopPromise<Void>?
  /// Returns what to send to a subscriber now; nil if it has unsubscribed or is up to date.
  var message: ((SID) -> Message?)?
  /// Called once for each message.
  var onOutcome: ((SID, Outcome) -> Void)?

  /// - Parameter isLocal: whether an address is one of this machine's now.
  init(eventLoop: any EventLoop, limits: DeliveryScheduler.Limits, isLocal: @escaping (IPAddress) -> Bool) {
    self.eventLoop = eventLoop
    self.isLocal = isLocal
    scheduler = DeliveryScheduler(limits: limits)
    alarm = Alarm(eventLoop: eventLoop)
    alarm.onElapsed = { [weak self] in
      guard let self else { return }
      perform(scheduler.elapsed(now: .now()))
    }
  }

  /// Closes all connections without waiting for answers.
  /// - Returns: succeeds when the last connection is closed.
  func stop() -> EventLoopFuture<Void> {
    if let stopped { return stopped.futureResult }
    let promise = eventLoop.makePromise(of: Void.self)
    stopped = promise
    alarm.cancel()
    deliveries.removeAll()
    for connection in connections.values { connection.close() }
    connections.removeAll()
    if openChannels == 0 { promise.succeed() }
    return promise.futureResult
  }

  /// Asks for a subscriber's message as soon as a connection to its listener is free.
  func submit(_ id: SID, to authority: Authority, isPrompt: Bool) {
    perform(scheduler.submit(id, to: authority, isPrompt: isPrompt, now: .now()))
  }

  /// A subscription ended.
  func cancel(_ id: SID, to authority: Authority) { scheduler.cancel(id, to: authority) }

  /// The last subscription of a listener ended.
  func release(_ authority: Authority) { perform(scheduler.release(authority)) }

  /// Abandons the connections from addresses that are no longer local: nothing arrives on them.
  func networkChanged() {
    for (id, connection) in connections {
      guard let local = scheduler.authority(of: id)?.local, !isLocal(local) else { continue }
      connection.abandon()
    }
  }

  private func perform(_ actions: [DeliveryScheduler.Action]) {
    for action in actions where stopped == nil {
      switch action {
      case .open(let connection, let authority, let id): open(connection, to: authority, for: id)
      case .reuse(let connection, let id):
        deliveries[connection] = Delivery(id: id)
        transmit(on: connection)
      case .close(let connection): connections.removeValue(forKey: connection)?.close()
      case .abort(let connection): connections[connection]?.abort()
      case .wake(let deadline): alarm.arm(at: deadline)
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
      // The kernel chooses the port at connect(), so that only connections to the same listener need different ports.
      .channelOption(.ipOption(.init(rawValue: IP_BIND_ADDRESS_NO_PORT)), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(HTTPRequestEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder(informationalResponseStrategy: .forward)))
          try pipeline.addHandler(handler.value)
        }
      }
    // If the address is no longer local, such as after DHCP, the kernel chooses one. The SID identifies us to the
    // subscriber.
    (isLocal(authority.local) ? bootstrap.bind(to: authority.local.socketAddress(port: 0)) : bootstrap)
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

  /// The subscriber closed an idle connection.
  private func closed(_ connection: DeliveryScheduler.ConnectionID) {
    connections[connection] = nil
    perform(scheduler.closed(connection, now: .now()))
  }

  private func channelClosed() {
    openChannels -= 1
    if openChannels == 0 { stopped?.succeed() }
  }

  /// Sends the subscriber's message, or frees the connection if there is no message left.
  private func transmit(on connection: DeliveryScheduler.ConnectionID) {
    guard let delivery = deliveries[connection] else { return }
    guard let message = message?(delivery.id) else {
      deliveries[connection] = nil
      perform(scheduler.finished(connection, isReusable: true, now: .now()))
      return
    }
    deliveries[connection]?.sentAt = .now()
    connections[connection]?.send(message.head, body: message.body)
  }

  private func ended(_ connection: DeliveryScheduler.ConnectionID, _ end: NotifyConnection.Outcome) {
    guard let delivery = deliveries.removeValue(forKey: connection) else { return }
    let now = NIODeadline.now()
    var isReusable = false
    let outcome: Outcome
    switch end {
    case .answered(let status, let reusable):
      isReusable = reusable
      outcome = .answered(status: status, after: now - (delivery.sentAt ?? now))
    case .failed(let failure): outcome = .failed(failure)
    }
    if !isReusable { connections[connection] = nil }
    // Frees the connection first, so that the subscriber's next message can use it.
    perform(scheduler.finished(connection, isReusable: isReusable, now: now))
    onOutcome?(delivery.id, outcome)
  }
}
