import Logging
import PlaybackModel

/// Receives the events of a `BrokerConnection`.
@CompanionActor protocol BrokerConnectionDelegate: AnyObject {
  /// The broker has accepted the connection. Nothing has been sent on it yet.
  func brokerAccepted(_ client: MosquittoClient)
  /// An accepted connection has ended. The next attempt follows automatically.
  func brokerLost()
  /// Publish something that the broker acknowledges.
  func brokerProbe()
  /// An event of an accepted connection other than its beginning and end.
  func brokerSent(_ event: MosquittoClient.Event, on client: MosquittoClient)
  /// Called every few seconds while the connection is open.
  func brokerConnectionIsIdle()
}

/// Keeps a connection to the broker. `BrokerSession` decides, this class performs its actions.
@CompanionActor final class BrokerConnection {
  /// Interval of libmosquitto's keep-alive check, the only wake-up of an idle connection.
  private static let idleInterval = Duration.seconds(8)
  /// Upper limit for the answer to a probe.
  private static let probeTime = Duration.seconds(3)
  /// Upper limit for leaving the broker at the end of the program.
  private static let goodbyeTime = Duration.milliseconds(300)

  private let settings: MQTTSettings
  private let prefix: String
  private let context: CompanionContext
  private weak var delegate: (any BrokerConnectionDelegate)?

  private var session: BrokerSession
  private var isHandlingEvents = false
  private var link: BrokerLink?
  private var idleTimer: CompanionTimer?
  private var retryTimer: CompanionTimer?
  private var probeTimer: CompanionTimer?
  private var network: NetworkWatch?

  init(_ settings: MQTTSettings, prefix: String, _ context: CompanionContext) {
    self.settings = settings
    self.prefix = prefix
    self.context = context
    session = BrokerSession(broker: settings.broker, prefix: prefix)
  }

  /// The client of an accepted connection; nil while there is none.
  var client: MosquittoClient? { session.isAccepted ? link?.client : nil }

  func start(_ delegate: some BrokerConnectionDelegate) {
    self.delegate = delegate
    let report = MQTTReport(broker: settings.broker.place, prefix: prefix)
    context.board.update { $0.mqtt = report }
    network = NetworkWatch { [weak self] in
      guard let self else { return }
      handle(.networkChanged(isUsable: link?.isUsable ?? false))
    }
    handle(.started)
  }

  /// Disconnects so that the broker publishes the last will. Blocks for at most 0.3 s.
  func stop() {
    network?.stop()
    handle(.stopped)
  }

  /// Sends queued messages, and handles the events that publishing has caused. Call it after publishing.
  func flush() {
    // Called inside a delegate method: the running `handleEvents` continues afterwards.
    guard !isHandlingEvents else { return }
    handleEvents()
  }

  /// Logs and reports a problem that does not end the connection.
  func report(_ problem: String) { handle(.problem(problem)) }

  // MARK: Actions

  private func handle(_ event: BrokerSession.Event) {
    for action in session.handle(event, at: .now, jitter: .random(in: 0...1)) { perform(action) }
  }

  private func perform(_ action: BrokerSession.Action) {
    switch action {
    case .connect(let isVersion5): connect(isVersion5: isVersion5)
    case .close: (link, idleTimer, retryTimer, probeTimer) = (nil, nil, nil, nil)
    case .retry(let pause): retryTimer = CompanionTimer(after: pause) { [weak self] in self?.handle(.retryDue) }
    case .notice(let text): context.logger.notice("MQTT: \(text)")
    case .warn(let text): context.logger.warning("MQTT: \(text)")
    case .report(let isConnected, let problem):
      context.board.update { report in
        report.mqtt?.isConnected = isConnected
        report.mqtt?.problem = problem
      }
    case .probe:
      probeTimer = CompanionTimer(after: Self.probeTime) { [weak self] in self?.handle(.probeOverdue) }
      delegate?.brokerProbe()
    case .begin: if let client { delegate?.brokerAccepted(client) }
    case .end: delegate?.brokerLost()
    case .sayGoodbye: link?.sayGoodbye(within: Self.goodbyeTime)
    }
  }

  // MARK: Connecting

  private func connect(isVersion5: Bool) {
    retryTimer = nil
    let (settings, willTopic) = (settings, prefix + "/availability")
    // MQTT 3.1.1 guarantees 23 characters.
    let identifier = "swiftlet-" + context.identity.uuid.filter { $0 != "-" }.suffix(14)
    // Blocks while it resolves the name and connects.
    NamedThread.start("broker") { [weak self] in
      let result = Result { () throws(MQTTError) -> MosquittoClient in
        let client = try MosquittoClient(
          try MosquittoLibrary.load(), settings, identifier: identifier, willTopic: willTopic, isVersion5: isVersion5)
        try client.connect()
        return client
      }
      Task { @CompanionActor in self?.finishConnecting(result) }
    }
  }

  private func finishConnecting(_ result: Result<MosquittoClient, MQTTError>) {
    guard session.isConnecting else { return }
    switch result {
    case .failure(let error): handle(.refused(error))
    case .success(let client):
      link = BrokerLink(client) { [weak self] in self?.handleEvents() }
      guard link != nil else { return end(client) }
      waitForIdleCheck()
      handleEvents()
    }
  }

  private func waitForIdleCheck() {
    idleTimer = CompanionTimer(after: Self.idleInterval) { [weak self] in
      guard let self, let link = self.link else { return }
      link.client.keepAlive()
      self.waitForIdleCheck()
      if self.session.isAccepted { self.delegate?.brokerConnectionIsIdle() }
      self.handleEvents()
    }
  }

  /// Handles the events that libmosquitto has collected.
  private func handleEvents() {
    isHandlingEvents = true
    defer { isHandlingEvents = false }
    while let link {
      let events = link.client.takeEvents()
      guard !events.isEmpty else { break }
      for event in events {
        handle(event, link.client)
        // The event may have ended the connection.
        guard self.link === link else { return }
      }
    }
    guard let link else { return }
    if link.isClosed { end(link.client) } else { link.rearm() }
  }

  private func handle(_ event: MosquittoClient.Event, _ client: MosquittoClient) {
    switch event {
    case .connected: handle(.accepted)
    case .refused(let error): handle(.refused(error))
    case .disconnected(let code): end(client, client.reason(code))
    case .message, .published, .subscribed:
      handle(.answered)
      if session.isAccepted { delegate?.brokerSent(event, on: client) }
    }
  }

  private func end(_ client: MosquittoClient, _ reason: String = "the broker closed it") {
    handle(.closed(reason: reason, errorTLS: settings.broker.isSecure ? client.errorTLS : nil))
  }
}
