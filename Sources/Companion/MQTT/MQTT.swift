import FoundationEssentials
import Logging
import SpeakerCore

/// Publishes the speaker's state to an MQTT broker, and performs the commands that arrive from it.
///
/// `MQTTOutbox` decides what is published, `MQTTInbox` what a message means, and `BrokerCleanup` what is removed.
@CompanionActor final class MQTT: CompanionFeature {
  private let prefix: String
  private let announces: Bool
  private let broker: BrokerAddress
  private let context: CompanionContext
  private let connection: BrokerConnection
  private var outbox: MQTTOutbox
  private var inbox: MQTTInbox
  private var cleanup: BrokerCleanup
  private var timer: CompanionTimer?

  init(_ settings: MQTTSettings, _ context: CompanionContext) {
    self.context = context
    broker = settings.broker
    announces = settings.announcesToHomeAssistant
    prefix = settings.prefix ?? "swiftlet/\(context.identity.uuid)"
    connection = BrokerConnection(settings, prefix: prefix, context)
    let announcement = HomeAssistantAnnouncement(prefix: prefix, identity: context.identity)
    outbox = MQTTOutbox(prefix: prefix, announcement: announces ? announcement : nil)
    inbox = MQTTInbox(prefix: prefix)
    cleanup = BrokerCleanup(context.store.load(RetainedTopics.section), announcementTopic: announcement.topic)
  }

  func start() {
    connection.start(self)
    context.link.observe { [weak self] moment in
      self?.outbox.update(moment, at: .now)
      self?.publish()
    }
    // The observer runs within the call that reports a press, so no press is missed.
    context.board.observe { [weak self, board = context.board] in
      let report = board.report
      Task { @CompanionActor in self?.note(report) }
    }
    note(context.board.report)
  }

  private func note(_ report: CompanionReport) {
    outbox.update(report)
    publish()
  }

  func stop() async {
    outbox.disconnected()
    timer = nil
    connection.stop()
  }

  // MARK: Publishing

  /// Publishes what is due.
  private func publish() {
    let next = outbox.flush(at: .now, unixTime: Date().timeIntervalSince1970) { send($0) }
    timer = next.map { time in CompanionTimer(at: time) { [weak self] in self?.publish() } }
    connection.flush()
  }

  /// - Returns: false if the message cannot be sent.
  private func send(_ message: MQTTOutbox.Message) -> Bool {
    guard let client = connection.client else { return false }
    do throws(MosquittoClient.Refusal) {
      _ = try client.publish(message.topic, message.payload, isRetained: message.isRetained)
      return true
    } catch {
      // After the end of the connection, the next one publishes everything again.
      if client.socket != nil { connection.report("\(message.topic) cannot be published: \(error.reason).") }
      return false
    }
  }

  // MARK: Receiving

  private func perform(_ action: MQTTInbox.Action) {
    switch action {
    case .perform(let command, let topic):
      context.link.send(command, from: .mqtt) { [weak self] error in
        if let error { self?.reject(MQTTCommand.Problem(topic: topic, message: error.description)) }
      }
    case .greetHomeAssistant:
      // A random delay, because all devices of the house answer now.
      outbox.greetHomeAssistant(at: .now + .milliseconds(.random(in: 0...2000)))
      publish()
    case .reject(let problem): reject(problem)
    case .notice(let text): context.logger.notice("MQTT: \(text)")
    }
  }

  private func reject(_ problem: MQTTCommand.Problem) {
    outbox.report(problem)
    publish()
  }

  private func perform(_ actions: [BrokerCleanup.Action], _ client: MosquittoClient) {
    for action in actions {
      switch action {
      case .save: context.store.keep(cleanup.text, as: RetainedTopics.section)
      case .subscribe(let topic, let request): cleanup.sent(request, id: client.subscribe(topic, sendsRetained: true))
      case .remove(let topic, let request):
        // The next connection tries again what cannot be sent now.
        if let id = try? client.publish(topic, "", isRetained: true) { cleanup.sent(request, id: id) }
      case .notice(let text): context.logger.notice("MQTT: \(text)")
      }
    }
  }
}

extension MQTT: BrokerConnectionDelegate {
  func brokerAccepted(_ client: MosquittoClient) {
    for topic in MQTTCommand.subscriptions { client.subscribe("\(prefix)/\(topic)") }
    perform(cleanup.begin(host: broker.host, prefix: prefix, announces: announces), client)
    if announces { client.subscribe(MQTTCommand.homeAssistantStatus) }
    outbox.connected(at: .now)
    publish()
  }

  func brokerLost() {
    outbox.disconnected()
    timer = nil
  }

  func brokerProbe() {
    outbox.repeatAvailability()
    publish()
  }

  func brokerSent(_ event: MosquittoClient.Event, on client: MosquittoClient) {
    if let actions = cleanup.handle(event) { return perform(actions, client) }
    switch event {
    case .message(let message): for action in inbox.receive(message) { perform(action) }
    case .published(_, let reason):
      if reason >= 128 {
        connection.report(
          "The broker does not allow the speaker to publish: \(client.reason(ofPublication: reason)).")
      }
      if outbox.acknowledged() { publish() }
    case .subscribed(_, isAllowed: false):
      connection.report("The broker does not allow the speaker to receive commands.")
    case .subscribed, .connected, .refused, .disconnected: break
    }
  }

  func brokerConnectionIsIdle() {
    if let client = connection.client { perform(cleanup.idle(), client) }
    // The address of the page changes with the networks, without a change of the speaker's state.
    publish()
  }
}
