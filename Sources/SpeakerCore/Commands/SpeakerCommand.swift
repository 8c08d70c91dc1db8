import PlaybackModel

/// A user's command to the speaker: on the page, by MQTT, from the desktop, by a button or by their presence.
package enum SpeakerCommand: Sendable, Equatable {
  case play, pause, stop, next, previous
  /// Makes a source current and plays it. A source that cannot play does not become current.
  case playSource(Source)
  /// Pauses or plays.
  case toggle
  /// Seeks to a position of the current track. With `track`, only if that is still the current one (`Deck.trackID`).
  case seek(to: Duration, track: Int? = nil)
  /// Seeks forward, or back if negative.
  case skip(by: Duration)
  /// Sets the volume to a step of 0…100.
  case setVolume(Int)
  /// Changes the volume by a number of steps.
  case changeVolume(by: Int)
  /// Nil toggles the state.
  case mute(Bool?)
  /// Sets the balance to a step of −15…15.
  case balance(Int)
  case source(Source)
  /// Plays a preset of the radio, from 1.
  case preset(Int)
  /// Plays a pin, from 1.
  case pin(Int)
  /// Nil toggles the state.
  case standby(Bool?)
  case `repeat`(Bool)
  case shuffle(Bool)
  /// Plays an address now: inserts it behind the current track of the playlist. It has no text form.
  case open(uri: String)
}

// MARK: Text

/// `VERB` or `VERB ARGUMENT`: `toggle`, `volume +2`, `source radio`, `preset 3`, `standby on`.
extension SpeakerCommand: LosslessStringConvertible {
  /// The forms that the parser accepts, for messages and documents.
  package static let forms = [
    "play", "play \(sources)", "pause", "toggle", "stop", "next", "previous", "seek SECONDS", "seek +SECONDS",
    "seek -SECONDS", "volume 0…100", "volume +STEPS", "volume -STEPS", "mute", "mute on|off",
    "balance -\(BalanceScale.maximum)…\(BalanceScale.maximum)", "source \(sources)",
    "preset 1…\(RadioPresets.maximumCount)", "pin 1…\(PinSet.count)", "standby", "standby on|off", "repeat on|off",
    "shuffle on|off",
  ]

  private static let sources = Source.allCases.map(\.word).joined(separator: "|")

  /// Parses a command; nil for anything else. Case is significant.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    let command: SpeakerCommand? =
      switch words.count {
      case 1: Self.command(words[0])
      case 2: Self.command(words[0], String(words[1]))
      default: nil
      }
    guard let command else { return nil }
    self = command
  }

  private static func command(_ verb: Substring) -> SpeakerCommand? {
    switch verb {
    case "play": .play
    case "pause": .pause
    case "toggle": .toggle
    case "stop": .stop
    case "next": .next
    case "previous": .previous
    case "mute": .mute(nil)
    case "standby": .standby(nil)
    default: nil
    }
  }

  private static func command(_ verb: Substring, _ argument: String) -> SpeakerCommand? {
    let isRelative = argument.hasPrefix("+") || argument.hasPrefix("-")
    switch verb {
    case "play": return Source(word: argument).map { .playSource($0) }
    case "seek":
      guard let time = duration(argument) else { return nil }
      return isRelative ? .skip(by: time) : .seek(to: time)
    case "volume":
      guard let steps = Int(argument), (-100...100).contains(steps) else { return nil }
      return isRelative ? .changeVolume(by: steps) : .setVolume(steps)
    case "mute": return onOff(argument).map { .mute($0) }
    case "balance": return Int(argument).flatMap { BalanceScale.range.contains($0) ? .balance($0) : nil }
    case "source": return Source(word: argument).map { .source($0) }
    case "preset": return number(argument, upTo: RadioPresets.maximumCount).map { .preset($0) }
    case "pin": return number(argument, upTo: PinSet.count).map { .pin($0) }
    case "standby": return onOff(argument).map { .standby($0) }
    case "repeat": return onOff(argument).map { .repeat($0) }
    case "shuffle": return onOff(argument).map { .shuffle($0) }
    default: return nil
    }
  }

  /// Parses seconds with an optional sign and fraction. The limit exceeds any track and fits into `Duration`.
  private static func duration(_ seconds: String) -> Duration? {
    guard let seconds = Double(seconds), seconds.magnitude <= 1e9 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  private static func onOff(_ text: String) -> Bool? { ["on": true, "off": false][text] }

  private static func number(_ text: String, upTo last: Int) -> Int? {
    Int(text).flatMap { (1...last).contains($0) ? $0 : nil }
  }

  package var description: String {
    switch self {
    case .play: "play"
    case .playSource(let source): "play \(source.word)"
    case .pause: "pause"
    case .stop: "stop"
    case .next: "next"
    case .previous: "previous"
    case .toggle: "toggle"
    case .seek(let position, _): "seek \(position.secondsText)"
    case .skip(let offset): "seek \(offset < .zero ? "" : "+")\(offset.secondsText)"
    case .setVolume(let step): "volume \(step)"
    case .changeVolume(let steps): "volume \(steps < 0 ? "" : "+")\(steps)"
    case .mute(let isOn): "mute" + Self.suffix(isOn)
    case .balance(let step): "balance \(step)"
    case .source(let source): "source \(source.word)"
    case .preset(let number): "preset \(number)"
    case .pin(let number): "pin \(number)"
    case .standby(let isOn): "standby" + Self.suffix(isOn)
    case .repeat(let isOn): "repeat" + Self.suffix(isOn)
    case .shuffle(let isOn): "shuffle" + Self.suffix(isOn)
    case .open: "open"
    }
  }

  private static func suffix(_ isOn: Bool?) -> String { isOn.map { $0 ? " on" : " off" } ?? "" }
}

extension Duration {
  /// The seconds, without a fraction if it is zero.
  fileprivate var secondsText: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}
