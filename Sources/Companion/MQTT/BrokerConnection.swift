import Glibc
import Logging
import PlaybackModel

/// Receives the events of a `BrokerConnection`.
@CompanionActor protocol BrokerConnectionDelegate: AnyObject {
  /// The broker has accepted the connection. Nothing has been sent on it yet.
  func brokerAccepted(_ client: MosquittoClient)
  /// The connection has ended, or an attempt has failed. The next attempt follows automatically.
  func brokerLost()
  /// An event of an accepted connection other than its beginning and end.
  func brokerSent(_ event: MosquittoClient.Event, on client: MosquittoClient)
  /// Called every few seconds while the connection is open.
  func brokerConnectionIsIdle()
}

/// Keeps a connection to the broker: connects, retries with exponential backoff, and logs each problem once.
@CompanionActor final class BrokerConnection {
  /// Interval of libmosquitto's keep-alive check, the only wake-up of an idle connection.
  private static let idleInterval = Duration.seconds(8)
  /// Upper limit for leaving the broker at the end of the program.
  private static let goodbyeTime = Duration.milliseconds(300)

  private let settings: MQTTSettings
  private let availabilityTopic: String
  private let prefix: String
  private let context: CompanionContext
  private let logger: Logger
  private weak var delegate: (any BrokerConnectionDelegate)?

  private var retry = BrokerRetry()
  private var version = BrokerVersion()
  private var problems = LoggedProblems()
  private var isStopped = false
  private var isHandlingEvents = false
  private var link: BrokerLink?
  /// Whether the broker has accepted the connection of `link`.
  private var isAccepted = false
  private var idleTimer: CompanionTimer?
  private var retryTimer: CompanionTimer?

  init(_ settings: MQTTSettings, prefix: String, _ context: CompanionContext) {
    self.settings = settings
    self.prefix = prefix
    self.context = context
    logger = context.logger
    availabilityTopic = prefix + "/availability"
  }

  /// The client of an accepted connection; nil while there is none.
  var client: MosquittoClient? { isAccepted ? link?.client : nil }

  func start(_ delegate: some BrokerConnectionDelegate) {
    self.delegate = delegate
    let report = MQTTReport(broker: settings.broker.place, prefix: prefix)
    context.board.update { $0.mqtt = report }
    connect()
  }

  /// Disconnects in such a way that the broker publishes the last will. Blocks for at most 0.3 s.
  func stop() {
    isStopped = true
    (idleTimer, retryTimer) = (nil, nil)
    if isAccepted { link?.sayGoodbye(within: Self.goodbyeTime) }
    close()
  }

  /// Sends queued messages, and handles the events that publishing has caused. Call it after publishing.
  func flush() {
    // Called inside a delegate method: the running `handleEvents` continues afterwards.
    guard !isHandlingEvents else { return }
    handleEvents()
  }

  /// Logs and reports a problem that does not end the connection.
  func report(_ problem: String) {
    guard problems.isNew(problem) else { return }
    logger.warning("MQTT: \(problem)")
    context.board.update { $0.mqtt?.problem = problem }
  }

  // MARK: Connecting

  private func connect() {
    guard !isStopped else { return }
    let (settings, willTopic, isVersion5) = (settings, availabilityTopic, version.is5)
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
    guard !isStopped else { return }
    switch result {
    case .failure(let error): fail(error)
    case .success(let client):
      guard let link = BrokerLink(client, { [weak self] in self?.handleEvents() }) else {
        return fail(.lost("the broker closed it"))
      }
      self.link = link
      waitForIdleCheck()
      handleEvents()
    }
  }

  private func waitForIdleCheck() {
    idleTimer = CompanionTimer(after: Self.idleInterval) { [weak self] in
      guard let self, let link = self.link else { return }
      link.client.keepAlive()
      self.waitForIdleCheck()
      if self.isAccepted { self.delegate?.brokerConnectionIsIdle() }
      self.handleEvents()
    }
  }

  // MARK: Events

  /// Handles the events that libmosquitto has collected.
  private func handleEvents() {
    isHandlingEvents = true
    defer { isHandlingEvents = false }
    while let link {
      let events = link.client.takeEvents()
      guard !events.isEmpty else { break }
      for event in events {
        handle(event, link)
        // The event may have ended the connection.
        guard self.link === link else { return }
      }
    }
    guard let link else { return }
    if link.isClosed { end(link, "the broker closed it") } else { link.rearm() }
  }

  private func handle(_ event: MosquittoClient.Event, _ link: BrokerLink) {
    switch event {
    case .connected: accept(link)
    case .refused(.oldVersion):
      let error: MQTTError = version.is5 ? .oldVersion : .refused("it does not know MQTT 3.1.1")
      version.refused()
      fail(error)
    case .refused(let error): fail(error)
    case .disconnected(let code): end(link, link.client.reason(code))
    case .message, .published, .subscriptionRefused: delegate?.brokerSent(event, on: link.client)
    }
  }

  private func accept(_ link: BrokerLink) {
    isAccepted = true
    retry.connected(at: .now)
    if problems.connected() {
      logger.notice("MQTT: connected to \(settings.broker.place), topics begin with \(prefix)/.")
    }
    context.board.update { report in
      report.mqtt?.isConnected = true
      report.mqtt?.problem = nil
    }
    delegate?.brokerAccepted(link.client)
  }

  /// The connection has ended without a refusal.
  private func end(_ link: BrokerLink, _ reason: String) {
    version.ended(wasAccepted: isAccepted)
    fail(settings.broker.isSecure && !isAccepted ? link.client.errorTLS : .lost(reason))
  }

  /// Closes the connection, and waits before the next attempt.
  private func fail(_ error: MQTTError) {
    close()
    let problem = error.description
    if retry.isStable(at: .now) { problems.forget() }
    if problems.disconnected(problem) {
      logger.warning("MQTT: \(problem) The speaker tries \(settings.broker) again.")
    }
    context.board.update { report in
      report.mqtt?.isConnected = false
      report.mqtt?.problem = problem
    }
    let pause = retry.pause(at: .now, jitter: .random(in: 0...1))
    retryTimer = CompanionTimer(after: pause) { [weak self] in self?.connect() }
    delegate?.brokerLost()
  }

  private func close() {
    idleTimer = nil
    link = nil
    isAccepted = false
  }
}

/// Decides which problems of a connection are logged: each one once, until a connection has been stable.
struct LoggedProblems {
  private var texts: Set<String> = []
  /// Whether the next connection is logged: the first one, and each one after a logged problem.
  private var isConnectionNews = true

  /// Whether to log a problem that leaves the connection open.
  mutating func isNew(_ problem: String) -> Bool { texts.insert(problem).inserted }

  /// Whether to log a problem that has ended the connection.
  mutating func disconnected(_ problem: String) -> Bool {
    guard texts.insert(problem).inserted else { return false }
    isConnectionNews = true
    return true
  }

  /// Whether to log that the speaker is connected.
  mutating func connected() -> Bool {
    defer { isConnectionNews = false }
    return isConnectionNews
  }

  /// A stable connection has ended: problems are logged again.
  mutating func forget() { texts = [] }
}
