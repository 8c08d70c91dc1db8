import SpeakerCore

/// Decides what happens with a message from the broker.
struct MQTTInbox {
  enum Action: Equatable {
    /// The topic, without the prefix, is for an error.
    case perform(SpeakerCommand, topic: String)
    /// Home Assistant has started and wants to know its devices.
    case greetHomeAssistant
    /// Publishes an error to the sender.
    case reject(MQTTCommand.Problem)
    case notice(String)
  }

  private let prefix: String
  private var hasLogged = false

  /// - Parameter prefix: the first levels of the speaker's topics.
  init(prefix: String) { self.prefix = prefix }

  mutating func receive(_ message: IncomingMessage) -> [Action] {
    switch MQTTCommand(message, prefix: prefix) {
    case .ignore: return []
    case .homeAssistantStarted: return [.greetHomeAssistant]
    case .reject(let problem): return reject(problem)
    case .perform(let command):
      return [.perform(command, topic: String(message.topic.dropFirst(prefix.count + 1)))]
    }
  }

  /// Only the first problem is logged.
  private mutating func reject(_ problem: MQTTCommand.Problem) -> [Action] {
    guard !hasLogged else { return [.reject(problem)] }
    hasLogged = true
    let text = """
      \(prefix)/\(problem.topic): \(problem.message) Further problems of this kind go only to \
      \(prefix)/error.
      """
    return [.notice(text), .reject(problem)]
  }
}
