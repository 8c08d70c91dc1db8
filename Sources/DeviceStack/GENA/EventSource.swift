import NIOCore
import NIOHTTP1
import UPnP

/// The eventing side of one service instance: answers SUBSCRIBE and UNSUBSCRIBE and moderates changes (UDA 1.1 §4.1).
///
/// Used on the event loop only.
final class EventSource {
  private let store: VariableStore
  private let subscriptions: Subscriptions
  /// The service's name in log messages.
  private let name: String
  private var number = 0
  private var moderator: EventModerator
  private let alarm: Alarm
  /// The number of subscribers, maintained by `Subscriptions`.
  var subscriberCount = 0 {
    didSet { store.isWatched = subscriberCount > 0 }
  }
  /// Cached bodies with the current values, so that a change is encoded once and not once per subscriber.
  private var bodies: (generation: UInt64, byContent: [Content: ByteBuffer]) = (0, [:])
  private var generator = SystemRandomNumberGenerator()
  private var isStopped = false

  /// What bodies of one generation depend on.
  private struct Content: Hashable {
    let variables: VariableSet
    /// Empty unless a value is sent as a URL.
    let server: String
  }

  /// - Parameters:
  ///   - store: the variables; sets its `onChange`.
  ///   - name: the service's name in log messages.
  init(store: VariableStore, moderation: Moderation, subscriptions: Subscriptions, name: String) {
    self.store = store
    self.subscriptions = subscriptions
    self.name = name
    moderator = EventModerator(moderation, of: store.variables)
    alarm = Alarm(eventLoop: subscriptions.eventLoop)
    number = subscriptions.register(self)
    store.onChange = { [weak self] in self?.changed($0) }
    alarm.onElapsed = { [weak self] in self?.flush() }
  }

  /// Answers SUBSCRIBE: a renewal if the request has a SID, else a new subscription.
  /// - Returns: the answer, and a closure to call when it has been flushed. It sends the initial event, which a subscriber
  ///   cannot use before it knows its SID.
  func subscribe(_ request: HTTPRequest) -> (response: HTTPResponse, onFlushed: (() -> Void)?) {
    let headers = request.headers
    let seconds = TimeoutHeader.granted(headers.first(name: "timeout"))
    if let sid = headers.first(name: "sid") {
      guard !headers.contains(name: "nt"), !headers.contains(name: "callback") else {
        return refused(.badRequest, "SID together with NT or CALLBACK")
      }
      guard let id = SID(sid), subscriptions.renew(id, of: number, until: .now() + .seconds(Int64(seconds))) else {
        return refused(.preconditionFailed, "no such SID")
      }
      return (acceptance(id, seconds: seconds), nil)
    }
    guard headers.first(name: "nt") == "upnp:event", let subscriber = IPAddress(request.remote),
      let local = IPAddress(request.local)
    else { return refused(.preconditionFailed, "NT is not upnp:event") }
    let callbacks = CallbackHeader.parse(headers["callback"].joined()) {
      subscriptions.allows($0, subscriber: subscriber, local: local)
    }
    guard !callbacks.isEmpty else {
      return refused(
        .preconditionFailed, "no callback of \(subscriber) is an http URL of a literal address that is allowed")
    }
    let subscription = Subscription(
      id: SID(using: &generator), source: number, callbacks: callbacks, subscriber: subscriber, local: local,
      port: request.local.port,
      expires: .now() + .seconds(Int64(seconds)),
      queue: SubscriberQueue(variables: store.all, callbackCount: callbacks.count))
    guard subscriptions.add(subscription) else {
      return refused(.serviceUnavailable, "no room for another subscription of \(subscriber)")
    }
    let id = subscription.id
    subscriptions.logger.debug(
      "\(name): subscribed", metadata: ["sid": "\(id)", "callback": "\(callbacks[0].authority)"])
    return (acceptance(id, seconds: seconds), { [subscriptions] in subscriptions.release(id) })
  }

  /// Answers UNSUBSCRIBE. Waiting events are dropped.
  func unsubscribe(_ request: HTTPRequest) -> HTTPResponse {
    let headers = request.headers
    if headers.contains(name: "sid"), headers.contains(name: "nt") || headers.contains(name: "callback") {
      return HTTPResponse(.badRequest)
    }
    guard let sid = headers.first(name: "sid").flatMap({ SID($0) }), subscriptions.remove(sid, of: number) else {
      return HTTPResponse(.preconditionFailed)
    }
    return HTTPResponse(.ok)
  }

  private func refused(_ status: HTTPResponseStatus, _ why: String) -> (HTTPResponse, (() -> Void)?) {
    subscriptions.logger.debug("\(name): SUBSCRIBE refused with \(status.code): \(why)")
    return (HTTPResponse(status), nil)
  }

  private func acceptance(_ id: SID, seconds: Int) -> HTTPResponse {
    HTTPResponse(.ok, headers: ["SID": "\(id)", "TIMEOUT": TimeoutHeader.text(seconds)])
  }

  private func changed(_ index: Int) {
    switch moderator.changed(index, to: store.value(of: index), now: .now()) {
    case .nothing: break
    case .flushThisTurn: subscriptions.eventLoop.assumeIsolated().execute { [weak self] in self?.flush() }
    case .flush(let deadline): alarm.arm(at: deadline)
    }
  }

  private func flush() {
    // A flush that was due in the turn of `stop`.
    guard !isStopped else { return }
    let changes = store.takeChanges(of: moderator.flush(now: .now()))
    if let next = moderator.nextDue { alarm.arm(at: next) }
    if !changes.isEmpty { subscriptions.changed(changes, source: number) }
  }

  /// See `VariableStore.fingerprint(of:)`.
  func fingerprint(of index: Int) -> Int { store.fingerprint(of: index) }

  /// The body of an event with the current values.
  /// - Parameter server: the base URL of the HTTP server as the subscriber reached it.
  func body(of variables: VariableSet, server: String) -> ByteBuffer {
    if bodies.generation != store.generation { bodies = (store.generation, [:]) }
    let content = Content(variables: variables, server: variables.isDisjoint(with: store.served) ? "" : server)
    if let body = bodies.byContent[content] { return body }
    // Many different contents are due only when many subscribers could not be reached.
    if bodies.byContent.count == 4 { bodies.byContent.removeAll() }
    let body = EventBody.build(variables, of: store, server: content.server)
    bodies.byContent[content] = body
    return body
  }

  /// Stops eventing: later changes send nothing.
  func stop() {
    isStopped = true
    store.onChange = nil
    alarm.cancel()
    subscriberCount = 0
  }
}
