import Logging
import PlaybackModel
import Providers

/// Publishes the speaker's state to an MQTT broker, and performs the commands that arrive from it.
@CompanionActor final class MQTT: CompanionFeature {
  private let prefix: String
  private let announces: Bool
  private let broker: BrokerAddress
  private let context: CompanionContext
  private let logger: Logger
  private let connection: BrokerConnection
  private let cleanup: BrokerCleanup
  private var errors: CommandErrors?

  private var moment: SpeakerMoment?
  private var publisher = MQTTPublisher()
  private var announcement: HomeAssistantAnnouncement
  private var gate = CommandGate()
  /// Number of published messages that the broker has not acknowledged.
  private var unanswered = 0
  private var publishTimer: CompanionTimer?
  private var greetingTimer: CompanionTimer?
  private var hasLoggedCommand = false

  init(_ settings: MQTTSettings, _ context: CompanionContext) {
    self.context = context
    logger = context.logger
    broker = settings.broker
    announces = settings.announcesToHomeAssistant
    prefix = settings.prefix ?? "swiftlet/\(context.identity.uuid)"
    connection = BrokerConnection(settings, prefix: prefix, context)
    announcement = HomeAssistantAnnouncement(prefix: prefix, identity: context.identity)
    cleanup = BrokerCleanup(context.store, announcementTopic: announcement.topic, logger: logger)
  }

  func start() {
    errors = CommandErrors { [weak self] problem in self?.publish(problem) }
    connection.start(self)
    context.link.observe { [weak self] moment in self?.speakerChanged(moment) }
  }

  func stop() async {
    cancelTimers()
    connection.stop()
  }

  private func cancelTimers() {
    (publishTimer, greetingTimer) = (nil, nil)
    errors?.reset()
  }

  // MARK: Publishing

  private func speakerChanged(_ moment: SpeakerMoment) {
    self.moment = moment
    publish(publisher.update(moment, unanswered: unanswered, at: .now))
    announce()
    connection.flush()
  }

  private func publish(_ output: MQTTPublisher.Output) {
    for (topic, payload) in output.payloads.sorted(by: { $0.key < $1.key }) { send(topic, payload) }
    publishTimer = output.timer.map { time in
      CompanionTimer(at: time) { [weak self] in
        guard let self else { return }
        self.publish(self.publisher.fire(unanswered: self.unanswered, at: .now))
        self.connection.flush()
      }
    }
  }

  /// Publishes below the prefix.
  private func send(_ topic: String, _ payload: String, isRetained: Bool = true) {
    send(fullTopic: "\(prefix)/\(topic)", payload, isRetained: isRetained)
  }

  private func send(fullTopic topic: String, _ payload: String, isRetained: Bool) {
    guard let client = connection.client else { return }
    do throws(MosquittoClient.Refusal) {
      _ = try client.publish(topic, payload, isRetained: isRetained)
      unanswered += 1
    } catch {
      // The next connection publishes everything again.
      guard client.socket != nil else { return }
      connection.report("\(topic) cannot be published: \(error.reason).")
    }
  }

  // MARK: Home Assistant

  /// Publishes the device if it differs from what Home Assistant knows.
  private func announce() {
    guard announces, connection.client != nil, let moment, let payload = announcement.update(moment) else { return }
    send(fullTopic: announcement.topic, payload, isRetained: true)
  }

  private func greetHomeAssistant() {
    // A random delay, because all devices of the house answer now.
    let pause = Duration.milliseconds(Int.random(in: 0...2000))
    greetingTimer = CompanionTimer(after: pause) { [weak self] in
      guard let self else { return }
      self.announcement.forget()
      self.announce()
      self.send("availability", "online")
      self.connection.flush()
    }
  }

  // MARK: Commands

  private func receive(_ message: IncomingMessage) {
    switch MQTTCommand(message, prefix: prefix) {
    case .ignore: break
    case .homeAssistantStarted: greetHomeAssistant()
    case .reject(let problem): reject(problem)
    case .perform(let command):
      let topic = String(message.topic.dropFirst(prefix.count + 1))
      guard gate.admit(at: .now) else {
        return reject(MQTTCommand.Problem(topic: topic, message: "There are too many commands at once."))
      }
      context.link.send(command) { [weak self] error in
        guard let error else { return }
        self?.errors?.report(MQTTCommand.Problem(topic: topic, message: error.description))
      }
    }
  }

  /// Reports an invalid message to its sender, and logs the first one.
  private func reject(_ problem: MQTTCommand.Problem) {
    if !hasLoggedCommand {
      hasLoggedCommand = true
      logger.notice(
        """
        MQTT: \(prefix)/\(problem.topic): \(problem.message) Further messages of this kind are not logged; see \
        \(prefix)/error.
        """)
    }
    errors?.report(problem)
  }

  private func publish(_ problem: MQTTCommand.Problem) {
    send("error", "\(problem.topic): \(problem.message)", isRetained: false)
    connection.flush()
  }
}

extension MQTT: BrokerConnectionDelegate {
  func brokerAccepted(_ client: MosquittoClient) {
    unanswered = 0
    for topic in MQTTCommand.subscriptions { client.subscribe("\(prefix)/\(topic)") }
    cleanup.begin(client, host: broker.host, prefix: prefix, announces: announces)
    if announces { client.subscribe(MQTTCommand.homeAssistantStatus) }
    publish(publisher.connected(at: .now))
    announcement.forget()
    announce()
    send("availability", "online")
  }

  func brokerLost() {
    publisher.disconnected()
    cancelTimers()
  }

  func brokerSent(_ event: MosquittoClient.Event, on client: MosquittoClient) {
    if cleanup.handle(event, client) { return }
    switch event {
    case .message(let message): receive(message)
    case .published(_, let reason):
      unanswered = max(0, unanswered - 1)
      if reason >= 128 {
        connection.report(
          "The broker does not allow the speaker to publish: \(client.reason(ofPublication: reason)).")
      }
      if unanswered == MQTTPublisher.window / 2 { publish(publisher.fire(unanswered: unanswered, at: .now)) }
    case .subscriptionRefused: connection.report("The broker does not allow the speaker to receive commands.")
    case .connected, .refused, .disconnected: break
    }
  }

  func brokerConnectionIsIdle() {
    // The address of the page changes with the networks, without a change of the speaker's state.
    announce()
  }
}
