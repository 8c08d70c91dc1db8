import Logging
import NIOCore
import NIOHTTP1
import UPnP

/// The requests with which watchers reach devices.
struct EventRequests: Sendable {
  /// Sends a request to a host that the address policy allows.
  var send: @Sendable (ClientRequest) async throws(ControlPointError) -> ClientResponse
  /// Calls an action with its input arguments.
  var call:
    @Sendable (String, [(name: String, value: String)], DeviceDescription.Service) async throws(ControlPointError) ->
      [(name: String, value: String)]
}

/// Performs what one watcher's `SubscriptionMachine` decides: requests, timers, polls. Used on its event loop only.
final class EventWatcher {
  private static let requestedTimeout = "Second-1800"
  private static let timeout = TimeAmount.seconds(10)
  private static let unsubscribeTimeout = TimeAmount.seconds(2)
  private static let longestPollPause = TimeAmount.seconds(30)

  private let service: DeviceDescription.Service
  private let plan: PollPlan
  private let interval: TimeAmount
  private let mailbox: EventMailbox
  private let eventLoop: any EventLoop
  private let listener: EventListener
  private let requests: EventRequests
  private let logger: Logger
  private var machine: SubscriptionMachine
  private var route: EventListener.Route?
  private var timer: Scheduled<Void>?
  private var pollTimer: Scheduled<Void>?
  private var pollFailures = 0
  /// Increases each time polling starts, so that late answers from an earlier round are dropped.
  private var pollRound = 0
  private var pending = 0
  /// Called once, when nothing remains to be done.
  var onEnd: (() -> Void)?

  init(
    _ service: DeviceDescription.Service, plan: PollPlan, policy: EventPolicy, mailbox: EventMailbox,
    eventLoop: any EventLoop, listener: EventListener, logger: Logger, requests: EventRequests
  ) {
    self.service = service
    self.mailbox = mailbox
    self.eventLoop = eventLoop
    self.listener = listener
    self.logger = logger
    self.requests = requests
    self.plan = plan
    interval = policy.interval ?? .zero
    machine = SubscriptionMachine(
      source: Self.source(policy, hasEvents: service.eventURL != nil, canPoll: !plan.calls.isEmpty))
  }

  static func source(_ policy: EventPolicy, hasEvents: Bool, canPoll: Bool) -> SubscriptionMachine.Source {
    switch policy {
    case .eventsOnly: hasEvents ? .events : .none
    case .pollWhenEventsFail: hasEvents ? (canPoll ? .eventsThenPolling : .events) : (canPoll ? .pollingOnly : .none)
    case .pollOnly: canPoll ? .pollingOnly : .none
    }
  }

  /// The device's host.
  var host: String? { service.eventURL?.host }

  func start() { perform(machine.start(at: eventLoop.now)) }
  func leave() { perform(machine.leave()) }
  func hint(_ hint: SubscriptionMachine.Hint) { perform(machine.hint(hint, at: eventLoop.now)) }

  /// Subscribes again if this machine's address towards the device has changed.
  func networkChanged() {
    guard let route, let local = localAddress else { return }
    if route.address != local {
      perform(machine.moved(at: eventLoop.now))
    } else {
      hint(.appeared)
    }
  }

  private var localAddress: IPAddress? {
    service.eventURL?.address.flatMap { LocalAddress.reaching($0) }
  }

  private func perform(_ actions: [SubscriptionMachine.Action]) {
    for action in actions {
      switch action {
      case .subscribe: subscribe()
      case .renew(let sid): renew(sid)
      case .unsubscribe(let sid): unsubscribe(sid)
      case .deliver(let element): mailbox.send(element)
      case .startPolling: startPolling()
      case .stopPolling: stopPolling()
      case .finish: mailbox.finish()
      }
    }
    arm()
    guard machine.isEnded, pending == 0 else { return }
    closeRoute()
    onEnd?()
    onEnd = nil
  }

  private func arm() {
    timer?.cancel()
    timer = machine.deadline.map { deadline in
      eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
        guard let self else { return }
        perform(machine.elapsed(at: eventLoop.now))
      }
    }
  }

  // MARK: Requests

  private func subscribe() {
    closeRoute()
    guard let url = service.eventURL, let device = url.address, let local = localAddress else {
      return perform(machine.subscribeFailed(.unreachable("no route"), at: eventLoop.now))
    }
    pending += 1
    listener.open(
      on: local, from: device, receiver: { [weak self] in self?.receive($0, $1) ?? false },
      completion: { [self] route in
        pending -= 1
        opened(route)
      })
  }

  private func opened(_ route: EventListener.Route?) {
    guard let route else {
      let error = ControlPointError.unreachable("no port is free to receive events")
      return perform(machine.subscribeFailed(error, at: eventLoop.now))
    }
    self.route = route
    let headers: HTTPHeaders = ["CALLBACK": "<\(route.url)>", "NT": "upnp:event", "TIMEOUT": Self.requestedTimeout]
    request(.SUBSCRIBE, headers) { watcher, result in watcher.subscribed(result) }
  }

  private func subscribed(_ result: Result<ClientResponse, ControlPointError>) {
    switch result {
    case .success(let response):
      guard let sid = SubscriptionAnswer.sid(response.headers) else {
        let error = ControlPointError.malformed("The answer to SUBSCRIBE has no SID.")
        return perform(machine.subscribeFailed(error, at: eventLoop.now))
      }
      let lifetime = SubscriptionAnswer.lifetime(response.headers)
      perform(machine.subscribed(sid: sid, lifetime: lifetime, at: eventLoop.now))
    case .failure(let error): perform(machine.subscribeFailed(error, at: eventLoop.now))
    }
  }

  private func renew(_ sid: String) {
    request(.SUBSCRIBE, ["SID": sid, "TIMEOUT": Self.requestedTimeout]) { watcher, result in
      let now = watcher.eventLoop.now
      switch result {
      case .success(let response):
        let headers = response.headers
        watcher.perform(
          watcher.machine.renewed(
            sid: SubscriptionAnswer.sid(headers), lifetime: SubscriptionAnswer.lifetime(headers), at: now))
      case .failure(let error): watcher.perform(watcher.machine.renewalFailed(error, at: now))
      }
    }
  }

  private func unsubscribe(_ sid: String) {
    // The answer does not matter: the subscription expires in any case.
    request(.UNSUBSCRIBE, ["SID": sid], timeout: Self.unsubscribeTimeout) { watcher, _ in watcher.perform([]) }
  }

  /// - Parameter completion: receives answers other than 200 as errors.
  private func request(
    _ method: HTTPMethod, _ headers: HTTPHeaders, timeout: TimeAmount = timeout,
    completion: @escaping (EventWatcher, Result<ClientResponse, ControlPointError>) -> Void
  ) {
    guard let url = service.eventURL else { return }
    let request = ClientRequest(method, url, headers: headers, maximumBody: 64 << 10, timeout: timeout)
    let exchange: @Sendable () async throws(ControlPointError) -> ClientResponse = {
      [requests] () async throws(ControlPointError) in
      let response = try await requests.send(request)
      guard response.status == .ok else { throw .status(Int(response.status.code)) }
      return response
    }
    run(exchange, completion)
  }

  /// Runs an asynchronous operation, which keeps the watcher alive until it ends.
  private func run<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws(ControlPointError) -> Value,
    _ completion: @escaping (EventWatcher, Result<Value, ControlPointError>) -> Void
  ) {
    pending += 1
    eventLoop.makeFutureWithTask { try await operation() }.assumeIsolated().whenComplete { [self] result in
      pending -= 1
      completion(self, result.mapError { ControlPointError(transport: $0) })
    }
  }

  // MARK: Events

  private func receive(_ request: NotifyRequest, _ body: ByteBuffer) -> Bool {
    guard machine.accepts(sid: request.sid) else { return false }
    var variables: [EventedVariable]?
    do throws(XMLReadingError) {
      let reading = try EventReader.read(Array(body.readableBytesView))
      for deviation in reading.deviations { logger.debug("\(service.name): \(deviation)") }
      variables = reading.isIncomplete && reading.variables.isEmpty ? nil : reading.variables
    } catch {
      logger.debug("An event of \(service.name) is \(error).")
    }
    perform(machine.notify(sid: request.sid, number: request.number, variables: variables))
    return true
  }

  private func closeRoute() {
    if let route { listener.close(route) }
    route = nil
  }

  // MARK: Polling

  private func startPolling() {
    pollFailures = 0
    pollRound += 1
    poll()
  }

  private func stopPolling() {
    pollRound += 1
    pollTimer?.cancel()
    pollTimer = nil
  }

  private func poll() {
    let round = pollRound
    let values: @Sendable () async throws(ControlPointError) -> [EventedVariable] = {
      [plan, service, requests] () async throws(ControlPointError) in
      try await plan.values(of: service, requests)
    }
    run(values) { watcher, result in watcher.polled(result, round: round) }
  }

  private func polled(_ result: Result<[EventedVariable], ControlPointError>, round: Int) {
    guard round == pollRound else { return perform([]) }
    var pause = interval
    switch result {
    case .success(let variables):
      pollFailures = 0
      perform(machine.polled(variables))
    case .failure(let error):
      pollFailures += 1
      pause = max(interval, min(interval * (1 << min(pollFailures, 6)), Self.longestPollPause))
      perform(machine.pollFailed(error))
    }
    // `perform` may have stopped the polling.
    guard round == pollRound else { return }
    pollTimer = eventLoop.assumeIsolated().scheduleTask(in: pause) { [weak self] in self?.poll() }
  }
}

extension PollPlan {
  /// Calls the getters. One that the device refuses is skipped, unless all are refused.
  fileprivate func values(
    of service: DeviceDescription.Service, _ requests: EventRequests
  ) async throws(ControlPointError) -> [EventedVariable] {
    var variables: [EventedVariable] = []
    var fault: ControlPointError?
    for call in calls {
      do throws(ControlPointError) {
        let outputs = try await requests.call(call.action, call.inputs.map { ($0.name, $0.value) }, service)
        variables += call.outputs.compactMap { output in
          outputs.first { $0.name == output.name }
            .map { EventedVariable(output.variable, channel: output.channel, $0.value) }
        }
      } catch {
        guard case .fault = error else { throw error }
        fault = error
      }
    }
    if variables.isEmpty, let fault { throw fault }
    return variables
  }
}
