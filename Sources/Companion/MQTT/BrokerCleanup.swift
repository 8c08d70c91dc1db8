import Logging
import PlaybackStore

/// Removes retained messages of the speaker that the configuration no longer asks for, and remembers those that it publishes.
@CompanionActor final class BrokerCleanup {
  /// The request that the broker has to answer.
  private enum Subject {
    case availability(prefix: String)
    /// The removal of a topic. After the last one, the prefix is clean.
    case topic(prefix: String, isLast: Bool)
    case announcement
  }

  private let store: StateStore
  private let logger: Logger
  private let announcementTopic: String
  private var traces: BrokerTraces
  /// Pending requests by message id.
  private var asked: [Int32: Subject] = [:]
  /// Prefixes whose retained availability was requested, by its topic.
  private var awaited: [String: String] = [:]

  init(_ store: StateStore, announcementTopic: String, logger: Logger) {
    self.store = store
    self.logger = logger
    self.announcementTopic = announcementTopic
    traces = BrokerTraces(store.load(BrokerTraces.section))
  }

  /// Starts the cleanup on a new connection, before the speaker publishes anything.
  func begin(_ client: MosquittoClient, host: String, prefix: String, announces: Bool) {
    (asked, awaited) = ([:], [:])
    perform(traces.connected(host: host, prefix: prefix, announces: announces), client)
  }

  /// - Returns: whether the event belongs to the cleanup, so that nobody else must handle it.
  func handle(_ event: MosquittoClient.Event, _ client: MosquittoClient) -> Bool {
    switch event {
    case .message(let message) where message.isRetained:
      guard let prefix = awaited.removeValue(forKey: message.topic) else { return false }
      perform(traces.found(String(decoding: message.payload, as: UTF8.self), prefix: prefix), client)
    case .published(let id, let reason):
      guard let subject = asked.removeValue(forKey: id) else { return false }
      finish(subject, isAllowed: reason < 128, client)
    case .subscriptionRefused(let id):
      guard let subject = asked.removeValue(forKey: id) else { return false }
      finish(subject, isAllowed: false, client)
    default: return false
    }
    return true
  }

  private func finish(_ subject: Subject, isAllowed: Bool, _ client: MosquittoClient) {
    switch subject {
    case .topic(_, isLast: false): break
    case .topic(let prefix, isLast: true), .availability(let prefix):
      logger.notice(
        isAllowed
          ? "MQTT: the topics below the former prefix \(prefix)/ are removed from the broker."
          : "MQTT: the broker does not allow the speaker to remove its topics below the former prefix \(prefix)/.")
      perform(traces.forget(prefix: prefix), client)
    case .announcement:
      if !isAllowed {
        logger.notice("MQTT: the broker does not allow the speaker to remove \(announcementTopic).")
      }
      perform(traces.forgetAnnouncement(), client)
    }
  }

  private func perform(_ actions: [BrokerTraces.Action], _ client: MosquittoClient) {
    for action in actions {
      switch action {
      case .save: store.keep(traces.text, as: BrokerTraces.section)
      case .ask(let prefix):
        let topic = "\(prefix)/availability"
        awaited[topic] = prefix
        asked[client.subscribe(topic, sendsRetained: true)] = .availability(prefix: prefix)
      case .clear(let prefix):
        for topic in MQTTState.topics { remove("\(prefix)/\(topic)", .topic(prefix: prefix, isLast: false), client) }
        remove("\(prefix)/availability", .topic(prefix: prefix, isLast: true), client)
      case .clearAnnouncement: remove(announcementTopic, .announcement, client)
      }
    }
  }

  /// An empty message removes a retained one.
  private func remove(_ topic: String, _ subject: Subject, _ client: MosquittoClient) {
    // The next connection tries again what cannot be sent now.
    guard let id = try? client.publish(topic, "", isRetained: true) else { return }
    asked[id] = subject
  }
}
