import PlaybackModel

/// A command to the speaker, from any sender (`CommandOrigin`).
package enum SpeakerCommand: Sendable, Equatable {
  /// - source: nil for the current one.
  case transport(TransportCommand, of: Source? = nil)
  /// Pauses or plays.
  case toggle
  /// Seeks forward, or back if negative.
  case skip(by: Duration)
  /// Sets the volume to a step of 0…100.
  case setVolume(Int, unmutes: Bool = false)
  /// Changes the volume by a number of steps.
  case changeVolume(by: Int, unmutes: Bool = false)
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
  case queue(QueueCommand)
  case radio(RadioCommand)
  /// Sets the sender that the source Songcast receives, makes the source current, and goes on if it plays. An empty address
  /// means none.
  case sender(uri: String, metadata: String)
  case pins(PinCommand)
  case item(ItemCommand)
  case equalizer(EqualizerCommand)
  /// Ends playback later; nil to keep it playing.
  case sleep(SleepTimer.End?)
  case alarm(AlarmCommand)
  /// Plays something over what plays.
  /// - waits: whether the reply comes when it has ended, and not when it is queued.
  case announce(AnnouncementRequest, waits: Bool = false)

  package static let play = transport(.play)
  package static let pause = transport(.pause)
  package static let stop = transport(.stop)
  package static let next = transport(.next)
  package static let previous = transport(.previous)

  /// - Parameter track: seeks only if this is still the current track (`Deck.trackID`).
  package static func seek(to position: Duration, track: Int? = nil) -> Self {
    .transport(.seek(to: position, track: track))
  }
}

/// A command to one source.
package enum TransportCommand: Sendable, Equatable {
  /// Makes the source current and plays it. A source that cannot play does not become current.
  case play
  /// Pauses, or stops a live stream.
  case pause
  case stop, next, previous
  /// - track: the expected `Deck.trackID`; nil for any.
  case seek(to: Duration, track: Int? = nil)
  /// Moves to a track of an item that has several, from 1.
  case selectTrack(Int)
}

/// A command to the queue, which is OpenHome's playlist.
package enum QueueCommand: Sendable, Equatable {
  /// Plays a track from its beginning.
  case play(UInt32)
  /// The result has the ids of the tracks. There are fewer if the queue has become full. `shuffles` is the value of
  /// Shuffle for tracks that replace the queue; nil keeps it.
  case add([PlaylistTrack], QueuePlace, shuffles: Bool? = nil)
  /// Inserts tracks after another one; 0 for the front.
  case insert([PlaylistTrack], after: UInt32)
  /// Moves tracks after another one. Playback continues.
  case move([UInt32], after: UInt32)
  case delete([UInt32])
  case clear
  case undo(QueueChange)
}

package enum RadioCommand: Sendable, Equatable {
  /// Makes a stream the channel. An empty address means none.
  case setChannel(uri: String, metadata: String)
  /// Makes a preset the channel.
  /// - uri: replaces the preset's address unless empty.
  case select(UInt32, uri: String)
  case play(UInt32)
  /// Adds a preset. The result has its id.
  /// - after: 0 for the front; nil for the end.
  case add(RadioPreset, after: UInt32?)
  /// Replaces a preset. The result has its id from now on.
  case change(UInt32, to: RadioPreset)
  case remove(UInt32)
  case move(UInt32, after: UInt32)
}

package enum PinCommand: Sendable, Equatable {
  /// - at: from 0.
  case set(Pin, at: UInt32)
  case clear(UInt32)
  /// Swaps two places, from 0.
  case swap(UInt32, UInt32)
  /// Plays a pin, which need not be one of the speaker's.
  case play(Pin)
}

/// A command to the source UPnP AV, whose items come from its controllers.
package enum ItemCommand: Sendable, Equatable {
  /// Nil leaves no media.
  case set(MediaItem?)
  case setNext(MediaItem?)
  case repeats(Bool)
}

/// A command to the equalizer.
package enum EqualizerCommand: Sendable, Equatable {
  /// Nil toggles the state.
  case `switch`(Bool?)
  /// Switches on with the settings of a preset.
  case select(String)
  /// Replaces the settings.
  /// - savedAs: also saves them as a preset.
  case change(EqualizerSettings, savedAs: String? = nil)
  /// Saves the settings as a preset, which replaces the one with this name.
  case save(as: String)
  case rename(String, to: String)
  case remove(String)
}

// MARK: Text

/// `VERB` or `VERB ARGUMENT`: `toggle`, `volume +2`, `source radio`, `preset 3`, `standby on`. Only the name of a preset of the
/// equalizer and `alarm 3 on` have several words.
extension SpeakerCommand: LosslessStringConvertible {
  /// The commands without an argument.
  private static let words: KeyValuePairs<String, SpeakerCommand> = [
    "play": .play, "pause": .pause, "toggle": .toggle, "stop": .stop, "next": .next, "previous": .previous,
    "mute": .mute(nil), "standby": .standby(nil), "equalizer": .equalizer(.switch(nil)),
    "snooze": .alarm(.snooze(minutes: nil)), "dismiss": .alarm(.dismiss),
  ]

  /// The forms that the parser accepts, for messages and documents.
  package static let forms =
    words.map(\.key) + [
      "play \(sources)", "seek SECONDS", "seek +SECONDS", "seek -SECONDS", "volume 0…100", "volume +STEPS",
      "volume -STEPS", "mute on|off", "balance -\(BalanceScale.maximum)…\(BalanceScale.maximum)", "source \(sources)",
      "preset 1…\(RadioPresets.maximumCount)", "pin 1…\(PinSet.count)", "standby on|off", "repeat on|off",
      "shuffle on|off", "equalizer on|off|PRESET", "announce ADDRESS", "announce chime",
      "sleep 1…\(SleepTimer.minutes.upperBound)|track|queue|off", "snooze 1…\(ClockAlarm.snoozes.upperBound)",
      "alarm ID on|off",
    ]

  private static let sources = Source.builtIn.map(\.word).joined(separator: "|") + "|PROGRAM"

  /// Parses a command; nil for anything else. Case is significant.
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    let command: SpeakerCommand? =
      switch words.count {
      case 1: Self.words.first { $0.key == words[0] }?.value
      case 2...: Self.command(words[0], words.dropFirst().joined(separator: " "))
      default: nil
      }
    guard let command else { return nil }
    self = command
  }

  private static func command(_ verb: Substring, _ argument: String) -> SpeakerCommand? {
    let isRelative = argument.hasPrefix("+") || argument.hasPrefix("-")
    switch verb {
    case "play": return Source(word: argument).map { .transport(.play, of: $0) }
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
    case "equalizer":
      if argument == "toggle" { return .equalizer(.switch(nil)) }
      return .equalizer(onOff(argument).map { .switch($0) } ?? .select(argument))
    case "sleep": return sleep(argument)
    case "snooze": return number(argument, upTo: ClockAlarm.snoozes.upperBound).map { .alarm(.snooze(minutes: $0)) }
    case "alarm": return alarm(argument)
    case "announce":
      if argument == "chime" { return .announce(AnnouncementRequest(.chime)) }
      return argument.uriScheme == nil ? nil : .announce(AnnouncementRequest(.address(argument)))
    default: return nil
    }
  }

  /// Parses seconds with an optional sign and fraction. The limit exceeds any track and fits into `Duration`.
  private static func duration(_ seconds: String) -> Duration? {
    guard let seconds = Double(seconds), seconds.magnitude <= 1e9 else { return nil }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }

  private static func onOff(_ text: String) -> Bool? { ["on": true, "off": false][text] }

  /// Parses `3 on`.
  private static func alarm(_ argument: String) -> SpeakerCommand? {
    let words = argument.split(separator: " ")
    guard words.count == 2, let id = UInt32(words[0]), let isOn = onOff(String(words[1])) else { return nil }
    return .alarm(.enable(id, isOn))
  }

  private static func sleep(_ end: String) -> SpeakerCommand? {
    switch end {
    case "off": .sleep(nil)
    case "track": .sleep(.track)
    case "queue": .sleep(.queue)
    default: number(end, upTo: SleepTimer.minutes.upperBound).map { .sleep(.minutes($0)) }
    }
  }

  private static func number(_ text: String, upTo last: Int) -> Int? {
    Int(text).flatMap { (1...last).contains($0) ? $0 : nil }
  }

  /// The text form; “command” for a command that has none.
  package var description: String {
    if let word = Self.words.first(where: { $0.value == self })?.key { return word }
    return switch self {
    case .transport(.play, let source?): "play \(source.word)"
    case .transport(.seek(let position, _), _): "seek \(position.secondsText)"
    case .skip(let offset): "seek \(offset < .zero ? "" : "+")\(offset.secondsText)"
    case .setVolume(let step, _): "volume \(step)"
    case .changeVolume(let steps, _): "volume \(steps < 0 ? "" : "+")\(steps)"
    case .mute(let isOn): "mute \(Self.word(isOn))"
    case .balance(let step): "balance \(step)"
    case .source(let source): "source \(source.word)"
    case .preset(let number): "preset \(number)"
    case .pin(let number): "pin \(number)"
    case .standby(let isOn): "standby \(Self.word(isOn))"
    case .repeat(let isOn): "repeat \(Self.word(isOn))"
    case .shuffle(let isOn): "shuffle \(Self.word(isOn))"
    case .equalizer(.switch(let isOn)): "equalizer \(Self.word(isOn))"
    case .equalizer(.select(let preset)): "equalizer \(preset)"
    case .sleep(let end): "sleep \(end?.description ?? "off")"
    case .alarm(.snooze(let minutes?)): "snooze \(minutes)"
    case .alarm(.enable(let id, let isOn)): "alarm \(id) \(Self.word(isOn))"
    case .announce(let request, _):
      if case .address(let address) = request.content { "announce \(address)" } else { "announce chime" }
    default: "command"
    }
  }

  private static func word(_ isOn: Bool?) -> String { isOn == true ? "on" : "off" }
}

extension Duration {
  /// The seconds, without a fraction if it is zero.
  fileprivate var secondsText: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}
