import Providers

/// Decides what happens with a message from the broker.
struct MQTTInbox {
  enum Action: Equatable {
    /// The topic, without the prefix, is for an error.
    case perform(RemoteCommand, topic: String)
    /// Home Assistant has started and wants to know its devices.
    case greetHomeAssistant
    /// Publishes an error to the sender.
    case reject(MQTTCommand.Problem)
    case notice(String)
  }

  private let prefix: String
  private var gate = CommandGate()
  private var hasLogged = false

  /// - Parameter prefix: the first levels of the speaker's topics.
  init(prefix: String) { self.prefix = prefix }

  mutating func receive(_ message: IncomingMessage, at now: ContinuousClock.Instant) -> [Action] {
    switch MQTTCommand(message, prefix: prefix) {
    case .ignore: return []
    case .homeAssistantStarted: return [.greetHomeAssistant]
    case .reject(let problem): return reject(problem)
    case .perform(let command):
      let topic = String(message.topic.dropFirst(prefix.count + 1))
      guard gate.admit(at: now) else {
        return reject(MQTTCommand.Problem(topic: topic, message: "There are too many commands at once."))
      }
      return [.perform(command, topic: topic)]
    }
  }

  /// Only the first problem is logged.
  private mutating func reject(_ problem: MQTTCommand.Problem) -> [Action] {
    guard !hasLogged else { return [.reject(problem)] }
    hasLogged = true
    let text = """
      \(prefix)/\(problem.topic): \(problem.message) Further messages of this kind are not logged; see \
      \(prefix)/error.
      """
    return [.notice(text), .reject(problem)]
  }
}

/// A token bucket that drops commands that arrive faster than any person acts.
struct CommandGate {
  /// Maximum commands at once.
  static let burst = 100.0
  /// Commands per second.
  static let rate = 50.0

  private var tokens = burst
  private var last: ContinuousClock.Instant?

  /// - Returns: whether the command may be performed.
  mutating func admit(at now: ContinuousClock.Instant) -> Bool {
    if let last { tokens = min(Self.burst, tokens + (now - last) / .seconds(1) * Self.rate) }
    last = now
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
