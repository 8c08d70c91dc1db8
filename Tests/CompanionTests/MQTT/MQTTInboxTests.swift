import SpeakerCore
import Testing

@testable import Companion

@Suite struct MQTTInboxTests {
  private typealias Action = MQTTInbox.Action

  private static func message(_ topic: String, _ payload: String) -> IncomingMessage {
    IncomingMessage(topic: topic, payload: Array(payload.utf8))
  }

  private static func problem(_ topic: String, _ message: String) -> MQTTCommand.Problem {
    MQTTCommand.Problem(topic: topic, message: message)
  }

  @Test func decides() {
    let dance = Self.problem("command", "“dance” is not a command.")
    let sing = Self.problem("command", "“sing” is not a command.")
    let notice = """
      home/kitchen/command: “dance” is not a command. Further problems of this kind go only to \
      home/kitchen/error.
      """
    let rows: [(topic: String, payload: String, actions: [Action])] = [
      ("home/kitchen/command", "next", [.perform(.next, topic: "command")]),
      ("home/kitchen/set/volume", "40", [.perform(.setVolume(40), topic: "set/volume")]),
      ("homeassistant/status", "online", [.greetHomeAssistant]),
      ("homeassistant/status", "offline", []),
      ("home/bath/command", "next", []),
      // Only the first problem is logged.
      ("home/kitchen/command", "dance", [.notice(notice), .reject(dance)]),
      ("home/kitchen/command", "dance", [.reject(dance)]),
      ("home/kitchen/command", "sing", [.reject(sing)]),
    ]
    var inbox = MQTTInbox(prefix: "home/kitchen")
    for (number, row) in rows.enumerated() {
      let actions = inbox.receive(Self.message(row.topic, row.payload))
      #expect(actions == row.actions, "row \(number)")
    }
  }
}
