import Glibc
import Logging
import PlaybackModel
import Providers

/// Shows the speaker to an MQTT broker and takes commands from it.
@CompanionActor final class MQTT: CompanionFeature {
  /// Seconds between two looks at the connection; also the only wake-up of an idle one.
  private static let careInterval = Duration.seconds(8)
  /// How long the goodbye may take.
  private static let goodbyeTime = Duration.milliseconds(300)

  private let settings: MQTTSettings
  private let prefix: String
  private let context: CompanionContext
  private let logger: Logger

  private var publisher = MQTTPublisher()
  private var retry = BrokerRetry()
  private var gate = CommandGate()
  private var announcement: Announcement?
  private let cleanup: BrokerCleanup
  private var version = BrokerVersion()
  private var isStopped = false
  private var moment: SpeakerMoment?

  private var link: BrokerLink?
  private var isConnected = false
  /// Messages that the broker has not answered.
  private var unanswered = 0
  private var publishTimer: CompanionTimer?
  private var careTimer: CompanionTimer?
  private var retryTimer: CompanionTimer?
  private var greetingTimer: CompanionTimer?
  private var errorTimer: CompanionTimer?
  private var errorToPublish: MQTTCommand.Problem?
  /// Problems that have been logged since the last connection that held: each is logged once.
  private var loggedProblems: Set<String> = []
  /// Whether the end of a connection was logged, so that the next one is too.
  private var isConnectionNews = true
  /// Whether the broker has accepted this connection.
  private var wasAccepted = false
  private var hasLoggedCommand = false

  init(_ settings: MQTTSettings, _ context: CompanionContext) {
    self.settings = settings
    self.context = context
    logger = context.logger
    prefix = settings.prefix ?? "swiftlet/\(context.identity.uuid)"
    let identifier = HomeAssistantDiscovery.identifier(context.identity)
    cleanup = BrokerCleanup(
      context.store, announcementTopic: HomeAssistantDiscovery.topic(identifier: identifier), logger: logger)
    if settings.announcesToHomeAssistant {
      announcement = Announcement(prefix: prefix, identity: context.identity)
    }
  }

  // MARK: CompanionFeature

  func start() {
    let report = MQTTReport(broker: settings.broker.place, prefix: prefix)
    context.board.update { $0.mqtt = report }
    context.link.observe { [weak self] moment in self?.speakerChanged(moment) }
    connect()
  }

  func stop() async {
    isStopped = true
    (publishTimer, careTimer, retryTimer, greetingTimer, errorTimer) = (nil, nil, nil, nil, nil)
    if isConnected { link?.sayGoodbye(prefix + "/availability", within: Self.goodbyeTime) }
    link = nil
    isConnected = false
  }

  // MARK: Connection

  private func connect() {
    guard !isStopped else { return }
    let (settings, prefix, isVersion5) = (settings, prefix, version.is5)
    // MQTT 3.1.1 guarantees 23 characters.
    let identifier = "swiftlet-" + context.identity.uuid.filter { $0 != "-" }.suffix(14)
    // Blocks while it resolves the name and connects.
    NamedThread.start("broker") { [weak self] in
      let result = Result { () throws(MQTTError) -> MosquittoClient in
        let client = try MosquittoClient(
          try MosquittoLibrary.load(), settings, identifier: identifier,
          willTopic: prefix + "/availability", isVersion5: isVersion5)
        try client.connect()
        return client
      }
      Task { @CompanionActor in self?.reached(result) }
    }
  }

  /// The broker's machine has been reached, or not.
  private func reached(_ result: Result<MosquittoClient, MQTTError>) {
    guard !isStopped else { return }
    switch result {
    case .failure(let error): failed(error)
    case .success(let client):
      guard let link = BrokerLink(client, { [weak self] in self?.work() }) else {
        return failed(.lost("the broker closed it"))
      }
      self.link = link
      wasAccepted = false
      care()
      work()
    }
  }

  /// Handles what the connection has brought.
  private func work() {
    while let link, !isStopped {
      let events = link.client.takeEvents()
      guard !events.isEmpty else { break }
      for event in events {
        handle(event, link)
        if self.link !== link { return }
      }
    }
    guard let link else { return }
    if link.isClosed { ended(link, "the broker closed it") } else { link.rearm() }
  }

  private func handle(_ event: MosquittoClient.Event, _ link: BrokerLink) {
    if cleanup.handle(event, link.client) { return }
    switch event {
    case .connected: connected(link)
    case .refused(.oldVersion):
      let error: MQTTError = version.is5 ? .oldVersion : .refused("it does not know MQTT 3.1.1")
      version.refused()
      failed(error)
    case .refused(let error): failed(error)
    case .disconnected(let code): ended(link, link.client.reason(code))
    case .message(let message): received(message)
    case .published(_, let reason):
      unanswered = max(0, unanswered - 1)
      if reason >= 128 {
        complain("The broker does not allow the speaker to publish: \(link.client.reason(ofPublication: reason)).")
      }
      if unanswered == MQTTPublisher.window / 2 { publish(publisher.fire(unanswered: unanswered, at: .now)) }
    case .subscriptionRefused: complain("The broker does not allow the speaker to receive commands.")
    }
  }

  /// The connection has ended without a refusal.
  private func ended(_ link: BrokerLink, _ text: String) {
    version.ended(wasAccepted: wasAccepted)
    failed(settings.broker.isSecure && !wasAccepted ? link.client.errorTLS : .lost(text))
  }

  private func connected(_ link: BrokerLink) {
    wasAccepted = true
    retry.connected(at: .now)
    isConnected = true
    unanswered = 0
    if isConnectionNews {
      logger.notice("MQTT: connected to \(settings.broker.place), topics begin with \(prefix)/.")
      isConnectionNews = false
    }
    context.board.update { report in
      report.mqtt?.isConnected = true
      report.mqtt?.problem = nil
    }
    for topic in MQTTCommand.subscriptions {
      link.client.subscribe("\(prefix)/\(topic)")
    }
    cleanup.begin(
      link.client, host: settings.broker.host, prefix: prefix, announces: settings.announcesToHomeAssistant)
    if announcement != nil { link.client.subscribe(MQTTCommand.homeAssistantStatus) }
    announcement?.forget()
    publish(publisher.connected(at: .now))
    announce()
    send("availability", "online")
  }

  /// Waits before the next attempt.
  private func failed(_ error: MQTTError) {
    isConnected = false
    publisher.disconnected()
    link = nil
    (publishTimer, careTimer, greetingTimer, errorTimer) = (nil, nil, nil, nil)
    errorToPublish = nil
    let problem = error.description
    if retry.isStable(at: .now) { loggedProblems = [] }
    if loggedProblems.insert(problem).inserted {
      logger.warning("MQTT: \(problem) The speaker tries \(settings.broker) again.")
      isConnectionNews = true
    }
    context.board.update { report in
      report.mqtt?.isConnected = false
      report.mqtt?.problem = problem
    }
    let pause = retry.pause(at: .now, jitter: .random(in: 0...1))
    retryTimer = CompanionTimer(after: pause) { [weak self] in self?.connect() }
  }

  /// A problem that leaves the connection as it is.
  private func complain(_ problem: String) {
    guard loggedProblems.insert(problem).inserted else { return }
    logger.warning("MQTT: \(problem)")
    context.board.update { $0.mqtt?.problem = problem }
  }

  /// Keeps the connection alive, and notices another address of the page.
  private func care() {
    careTimer = CompanionTimer(after: Self.careInterval) { [weak self] in
      guard let self, let link = self.link else { return }
      link.client.keepAlive()
      self.care()
      self.announce()
      self.work()
    }
  }

  // MARK: State

  private func speakerChanged(_ moment: SpeakerMoment) {
    self.moment = moment
    publish(publisher.update(moment, unanswered: unanswered, at: .now))
    announce()
    link?.rearm()
  }

  private func publish(_ output: MQTTPublisher.Output) {
    for (topic, payload) in output.payloads.sorted(by: { $0.key < $1.key }) { send(topic, payload) }
    publishTimer = output.timer.map { time in
      CompanionTimer(at: time) { [weak self] in
        guard let self else { return }
        self.publish(self.publisher.fire(unanswered: self.unanswered, at: .now))
        self.work()
      }
    }
  }

  private func send(_ topic: String, _ payload: String, isRetained: Bool = true) {
    guard isConnected, let link else { return }
    link.client.publish("\(prefix)/\(topic)", payload, isRetained: isRetained)
    unanswered += 1
  }

  // MARK: Home Assistant

  /// Publishes the device if Home Assistant does not know it as it is.
  private func announce() {
    guard isConnected, let link, let moment, let message = announcement?.message(moment) else { return }
    link.client.publish(message.topic, message.payload, isRetained: true)
    unanswered += 1
  }

  private func homeAssistantStarted() {
    // All devices of the house answer at this moment.
    let pause = Duration.milliseconds(Int.random(in: 0...2000))
    greetingTimer = CompanionTimer(after: pause) { [weak self] in
      guard let self else { return }
      self.announcement?.forget()
      self.announce()
      self.send("availability", "online")
      self.work()
    }
  }

  // MARK: Commands

  private func received(_ message: IncomingMessage) {
    switch MQTTCommand(message, prefix: prefix) {
    case .ignore: break
    case .homeAssistantStarted: homeAssistantStarted()
    case .reject(let problem): reject(problem)
    case .perform(let command):
      let topic = String(message.topic.dropFirst(prefix.count + 1))
      guard gate.admit(at: .now) else {
        return reject(MQTTCommand.Problem(topic: topic, message: "There are too many commands at once."))
      }
      context.link.send(command) { [weak self] error in
        guard let self, let error else { return }
        self.report(MQTTCommand.Problem(topic: topic, message: error.description))
      }
    }
  }

  /// Logs the first message that is no command, and tells its sender.
  private func reject(_ problem: MQTTCommand.Problem) {
    if !hasLoggedCommand {
      hasLoggedCommand = true
      logger.notice(
        """
        MQTT: \(prefix)/\(problem.topic): \(problem.message) Further messages of this kind are not logged; see \
        \(prefix)/error.
        """)
    }
    report(problem)
  }

  /// Publishes the last problem, at most four times a second.
  private func report(_ problem: MQTTCommand.Problem) {
    errorToPublish = problem
    guard errorTimer == nil else { return }
    publishError()
  }

  private func publishError() {
    guard let problem = errorToPublish else {
      errorTimer = nil
      return
    }
    errorToPublish = nil
    send("error", "\(problem.topic): \(problem.message)", isRetained: false)
    errorTimer = CompanionTimer(after: MQTTPublisher.interval) { [weak self] in
      self?.publishError()
      self?.work()
    }
    link?.rearm()
  }
}

/// Decides when Home Assistant must be told about the speaker.
struct Announcement {
  let prefix: String
  let identity: SpeakerIdentity
  private var published: HomeAssistantDiscovery.Facts?

  init(prefix: String, identity: SpeakerIdentity) {
    self.prefix = prefix
    self.identity = identity
  }

  /// The next message is made even if nothing has changed.
  mutating func forget() { published = nil }

  /// Nil if nothing has changed since the last one.
  mutating func message(_ moment: SpeakerMoment) -> (topic: String, payload: String)? {
    let facts = HomeAssistantDiscovery.Facts(
      name: moment.name, page: identity.page(), volumeLimit: moment.volumeLimit, isVolumeFixed: moment.isVolumeFixed)
    guard facts != published else { return nil }
    published = facts
    let identifier = HomeAssistantDiscovery.identifier(identity)
    let discovery = HomeAssistantDiscovery(facts, identifier: identifier, prefix: prefix, version: identity.version)
    return (HomeAssistantDiscovery.topic(identifier: identifier), discovery.json)
  }
}
