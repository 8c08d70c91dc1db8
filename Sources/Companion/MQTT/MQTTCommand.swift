import FoundationEssentials
import PlaybackModel
import SpeakerCore

/// A message from the broker.
struct IncomingMessage: Equatable {
  /// The longest command in bytes.
  static let payloadLimit = 2048

  var topic: String
  /// The payload, cut to at most one byte more than `payloadLimit`.
  var payload: [UInt8]
  /// Whether the broker had retained it. Such a message may be older than the speaker's start.
  var isRetained = false
}

/// The meaning of a message from the broker.
enum MQTTCommand: Equatable {
  case perform(SpeakerCommand)
  /// Home Assistant has started and wants to know its devices.
  case homeAssistantStarted
  case ignore
  case reject(Problem)

  /// Why a message is not a command. It is published to the error topic.
  struct Problem: Equatable, Error {
    /// The topic without the prefix.
    var topic: String
    var message: String
  }

  static let homeAssistantStatus = "homeassistant/status"
  /// Topics for commands, below the prefix.
  static let subscriptions = ["command", "set/+"]

  init(_ message: IncomingMessage, prefix: String) {
    guard message.topic != Self.homeAssistantStatus else {
      self = message.payload == Array("online".utf8) ? .homeAssistantStarted : .ignore
      return
    }
    guard message.topic.hasPrefix(prefix + "/") else {
      self = .ignore
      return
    }
    let topic = String(message.topic.dropFirst(prefix.count + 1))
    do throws(Problem) {
      self = .perform(try Self.command(topic, message))
    } catch {
      self = .reject(error)
    }
  }

  private static func command(_ topic: String, _ message: IncomingMessage) throws(Problem) -> SpeakerCommand {
    func problem(_ text: String) -> Problem { Problem(topic: topic, message: text) }
    guard !message.isRetained else { throw problem("The speaker ignores retained commands: publish without retain.") }
    guard message.payload.count <= IncomingMessage.payloadLimit else {
      throw problem("The payload is longer than \(IncomingMessage.payloadLimit) bytes.")
    }
    guard let text = String(validating: message.payload, as: UTF8.self)?.trimmed,
      !text.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { throw problem("The payload is not text.") }
    if topic == "command" {
      guard let command = SpeakerCommand(text) else { throw problem("“\(text)” is not a command.") }
      return command
    }
    guard topic.hasPrefix("set/") else { throw problem("There is no such topic.") }
    let name = String(topic.dropFirst(4))
    if name == "announce" { return try announcement(text, problem) }
    guard let forms = Self.forms[name] else { throw problem("There is no such topic.") }
    guard let command = forms.read(text) else { throw problem("“\(text)” is not \(forms.description).") }
    return command
  }

  /// An address, or an object as the API takes it.
  private static func announcement(
    _ text: String, _ problem: (String) -> Problem
  ) throws(Problem) -> SpeakerCommand {
    guard text.hasPrefix("{") else {
      guard let command = SpeakerCommand("announce \(text)") else {
        throw problem("“\(text)” is not an address, “chime” or a JSON object.")
      }
      return command
    }
    guard let announcement = try? JSONDecoder().decode(NewAnnouncement.self, from: Data(text.utf8)) else {
      throw problem("The payload is neither an address nor a JSON object of an announcement.")
    }
    do throws(NewAnnouncement.Problem) {
      return .announce(try announcement.request, waits: announcement.waits)
    } catch {
      throw problem(error.description)
    }
  }

  // MARK: set/…

  private struct Form: Sendable {
    let description: String
    let read: @Sendable (String) -> SpeakerCommand?
  }

  /// The accepted payloads of `set/…`, by the last level of the topic.
  private static let forms: [String: Form] = [
    "volume": Form(description: "a volume: 0 to 100, or steps such as +2") { text in
      if let command = SpeakerCommand("volume \(text)") { return command }
      // Sliders send fractions.
      guard let number = Double(text), (0...100).contains(number), !text.hasPrefix("+") else { return nil }
      return .setVolume(Int(number.rounded()))
    },
    "mute": flag { .mute($0) },
    "standby": flag { .standby($0) },
    "repeat": Form(description: onOff) { bool($0).map { .repeat($0) } },
    "shuffle": Form(description: onOff) { bool($0).map { .shuffle($0) } },
    "source": Form(description: "a source: playlist, radio, upnp, receiver or the name of a program") {
      SpeakerCommand("source \($0.lowercased())")
    },
    "position": Form(description: "a position in seconds, or a step such as +10") { SpeakerCommand("seek \($0)") },
    "preset": Form(description: "the number of a preset") { SpeakerCommand("preset \($0)") },
    "pin": Form(description: "the number of a pin") { SpeakerCommand("pin \($0)") },
    "state": Form(description: "a state: playing, paused or stopped") { text in
      switch text.lowercased() {
      case "playing", "play": .play
      case "paused", "pause": .pause
      case "stopped", "stop": .stop
      case "toggle": .toggle
      default: nil
      }
    },
    "equalizer": Form(description: "on, off, toggle or the name of a preset") { text in
      text.isEmpty ? nil : SpeakerCommand("equalizer \(text)")
    },
    "alarm": Form(description: "the id of an alarm and on or off") { text in SpeakerCommand("alarm \(text)") },
    "sleep": Form(description: "minutes from 0 to 1440, track, queue or off") { text in
      SpeakerCommand("sleep \(text == "0" ? "off" : text.lowercased())")
    },
  ]

  private static let onOff = "on or off"

  private static func flag(_ command: @escaping @Sendable (Bool?) -> SpeakerCommand) -> Form {
    Form(description: onOff + ", or toggle") { text in
      text.lowercased() == "toggle" ? command(nil) : bool(text).map(command)
    }
  }

  private static func bool(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "on", "true", "1": true
    case "off", "false", "0": false
    default: nil
    }
  }
}

extension String {
  /// The text without blanks and line breaks at both ends.
  fileprivate var trimmed: String {
    let kept = drop(while: \.isWhitespace)
    return String(kept.reversed().drop(while: \.isWhitespace).reversed())
  }
}
