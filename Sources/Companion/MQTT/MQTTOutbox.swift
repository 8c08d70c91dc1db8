import SpeakerCore

/// Decides which messages are published when: the state, the availability, presses of buttons, errors, and the device for
/// Home Assistant.
///
/// A broker that is slow, or does not acknowledge, gets only the latest values, later.
struct MQTTOutbox {
  struct Message: Equatable {
    /// With the prefix.
    var topic: String
    var payload: String
    var isRetained = true
  }

  /// With this many unacknowledged messages, the outbox waits until half of them are acknowledged.
  static let window = 60

  private let prefix: String
  private var state = MQTTPublisher()
  /// Nil without Home Assistant.
  private var announcement: HomeAssistantAnnouncement?
  /// When Home Assistant, which has just started, gets an answer.
  private var greeting: ContinuousClock.Instant?
  private var isAvailabilityDue = false
  /// The latest error that is not yet published.
  private var error: MQTTCommand.Problem?
  private var errorPace = Pace(MQTTPublisher.interval)
  private var companions = CompanionReport()
  /// Presses that are not yet published.
  private var presses: [ButtonsReport.Press] = []

  private var isConnected = false
  private(set) var unanswered = 0
  private var isWaiting = false
  /// Topics that had to be removed from the broker, because their values cannot be sent.
  private var removed: Set<String> = []

  /// - Parameters:
  ///   - prefix: the first levels of the speaker's topics.
  ///   - announcement: nil without Home Assistant.
  init(prefix: String, announcement: HomeAssistantAnnouncement?) {
    self.prefix = prefix
    self.announcement = announcement
  }

  // MARK: Events. Call `flush` after each.

  mutating func connected(at now: ContinuousClock.Instant) {
    // Everything is published again, because the broker may have lost its retained messages.
    disconnected()
    (isConnected, isAvailabilityDue) = (true, true)
    state.connected(at: now)
    announcement?.forget()
  }

  mutating func disconnected() {
    (isConnected, isAvailabilityDue, isWaiting, unanswered) = (false, false, false, 0)
    (greeting, error, errorPace, removed, presses) = (nil, nil, Pace(MQTTPublisher.interval), [], [])
  }

  mutating func update(_ moment: SpeakerState, at now: ContinuousClock.Instant) { state.update(moment, at: now) }

  /// Buttons were pressed, or people have arrived or left.
  mutating func update(_ report: CompanionReport) {
    if let buttons = report.buttons, buttons.count != companions.buttons?.count ?? 0, let last = buttons.last {
      presses.append(last)
    }
    companions = report
    state.update(report.presence)
  }

  /// A command had no effect. The latest error wins.
  mutating func report(_ problem: MQTTCommand.Problem) { if isConnected { error = problem } }

  /// Home Assistant has started.
  /// - Parameter time: when to answer. Later ones do not delay an answer that is due.
  mutating func greetHomeAssistant(at time: ContinuousClock.Instant) {
    if isConnected, greeting == nil { greeting = time }
  }

  /// Publishes the availability once more: something that the broker acknowledges.
  mutating func repeatAvailability() { isAvailabilityDue = isConnected }

  /// The broker has acknowledged a message.
  /// - Returns: whether messages may wait for it.
  mutating func acknowledged() -> Bool {
    unanswered = max(0, unanswered - 1)
    guard isWaiting, unanswered <= Self.window / 2 else { return false }
    isWaiting = false
    return true
  }

  // MARK: Publishing

  /// Publishes what is due.
  /// - Parameters:
  ///   - unixTime: the present time in seconds since 1970.
  ///   - publish: sends a message; returns false if it cannot be sent, for example because the broker allows only
  ///   smaller ones.
  /// - Returns: when to call `flush` again, even if nothing happens.
  mutating func flush(
    at now: ContinuousClock.Instant, unixTime: Double, _ publish: (Message) -> Bool
  ) -> ContinuousClock.Instant? {
    if unanswered >= Self.window { isWaiting = true }
    // A press that is published late would surprise.
    defer { presses = [] }
    guard isConnected, !isWaiting else { return nil }
    for press in presses {
      post(Message(topic: "\(prefix)/button", payload: MQTTState.press(press), isRetained: false), publish)
    }
    if let greeting, greeting <= now {
      self.greeting = nil
      announcement?.forget()
      isAvailabilityDue = true
    }
    let output = state.take(at: now, unixTime: unixTime)
    for (topic, payload) in output.payloads.sorted(by: { $0.key < $1.key }) {
      post(Message(topic: "\(prefix)/\(topic)", payload: payload), publish)
    }
    if let moment = state.moment, let payload = announcement?.update(moment, companions),
      let topic = announcement?.topic
    {
      post(Message(topic: topic, payload: payload), publish)
    }
    if isAvailabilityDue {
      isAvailabilityDue = false
      post(Message(topic: "\(prefix)/availability", payload: "online"), publish)
    }
    var errorTime: ContinuousClock.Instant?
    if let problem = error {
      errorTime = errorPace.wait(at: now)
      if errorTime == nil {
        error = nil
        errorPace.happened(at: now)
        let text = "\(problem.topic): \(problem.message)"
        post(Message(topic: "\(prefix)/error", payload: text, isRetained: false), publish)
      }
    }
    return [output.timer, errorTime, greeting].compactMap(\.self).min()
  }

  private mutating func post(_ message: Message, _ publish: (Message) -> Bool) {
    if publish(message) {
      removed.remove(message.topic)
      unanswered += 1
    } else if message.isRetained, removed.insert(message.topic).inserted {
      // The broker has a former value, which is wrong. An empty message removes it.
      if publish(Message(topic: message.topic, payload: "")) { unanswered += 1 }
    }
  }
}
