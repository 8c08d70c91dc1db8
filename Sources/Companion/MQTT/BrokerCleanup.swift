import PlaybackStore

/// Removes retained messages of the speaker that the configuration no longer asks for, and remembers those that it publishes.
///
/// `RetainedTopics` decides what to remove. This type follows the broker's answers, which come with ids of messages.
struct BrokerCleanup {
  /// A request that the broker answers.
  enum Request: Equatable {
    case availability(prefix: String)
    /// The removal of a topic. After the last one, the prefix is clean.
    case topic(prefix: String, isLast: Bool)
    case announcement
  }

  enum Action: Equatable {
    /// Subscribes to a topic, with its retained message. Pass the id to `sent`.
    case subscribe(String, Request)
    /// Removes a retained message. Pass the id to `sent`.
    case remove(String, Request)
    /// Stores `text`.
    case save
    case notice(String)
  }

  private let announcementTopic: String
  private var traces: RetainedTopics
  /// Pending requests by message id.
  private var asked: [Int32: Request] = [:]
  /// Prefixes whose retained availability was requested, by its topic.
  private var awaited: [String: String] = [:]
  /// Prefixes that are forgotten unless their retained availability arrives.
  private var silent: Set<String> = []

  /// - Parameter text: the stored section.
  init(_ text: StateText?, announcementTopic: String) {
    self.announcementTopic = announcementTopic
    traces = RetainedTopics(text)
  }

  var text: StateText { traces.text }

  /// Starts the cleanup on a new connection, before the speaker publishes anything.
  mutating func begin(host: String, prefix: String, announces: Bool) -> [Action] {
    (asked, awaited, silent) = ([:], [:], [])
    return actions(traces.connected(host: host, prefix: prefix, announces: announces))
  }

  mutating func sent(_ request: Request, id: Int32) { asked[id] = request }

  /// - Returns: nil if the event does not belong to the cleanup.
  mutating func handle(_ event: MosquittoClient.Event) -> [Action]? {
    switch event {
    case .message(let message) where message.isRetained:
      guard let prefix = awaited.removeValue(forKey: message.topic) else { return nil }
      silent.remove(prefix)
      return actions(traces.found(String(decoding: message.payload, as: UTF8.self), prefix: prefix))
    case .published(let id, let reason):
      guard let request = asked.removeValue(forKey: id) else { return nil }
      return finish(request, isAllowed: reason < 128)
    case .subscribed(let id, let isAllowed):
      guard let request = asked.removeValue(forKey: id) else { return nil }
      return finish(request, isAllowed: isAllowed)
    default: return nil
    }
  }

  /// Called every few seconds. A broker that has retained the availability has sent it long before.
  mutating func idle() -> [Action] {
    defer { silent = [] }
    return actions(silent.sorted().flatMap { traces.forget(prefix: $0) })
  }

  private mutating func finish(_ request: Request, isAllowed: Bool) -> [Action] {
    switch request {
    case .availability(let prefix) where isAllowed:
      // The retained message may have overtaken the answer.
      if awaited.values.contains(prefix) { silent.insert(prefix) }
      return []
    case .topic(_, isLast: false): return []
    case .topic(let prefix, isLast: true), .availability(let prefix):
      let text =
        isAllowed
        ? "the topics below the former prefix \(prefix)/ are removed from the broker."
        : "the broker does not allow the speaker to remove its topics below the former prefix \(prefix)/."
      return [.notice(text)] + actions(traces.forget(prefix: prefix))
    case .announcement:
      let notice = Action.notice("the broker does not allow the speaker to remove \(announcementTopic).")
      return (isAllowed ? [] : [notice]) + actions(traces.forgetAnnouncement())
    }
  }

  private mutating func actions(_ decisions: [RetainedTopics.Action]) -> [Action] {
    var actions: [Action] = []
    for decision in decisions {
      switch decision {
      case .save: actions.append(.save)
      case .ask(let prefix):
        awaited[Self.availability(prefix)] = prefix
        actions.append(.subscribe(Self.availability(prefix), .availability(prefix: prefix)))
      case .clear(let prefix):
        for topic in MQTTState.topics {
          actions.append(.remove("\(prefix)/\(topic)", .topic(prefix: prefix, isLast: false)))
        }
        actions.append(.remove(Self.availability(prefix), .topic(prefix: prefix, isLast: true)))
      case .clearAnnouncement: actions.append(.remove(announcementTopic, .announcement))
      }
    }
    return actions
  }

  private static func availability(_ prefix: String) -> String { "\(prefix)/availability" }
}
