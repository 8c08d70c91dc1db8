import FoundationEssentials
import PlaybackModel
import SpeakerCore

/// The speaker's state, as the retained topics publish it.
struct MQTTState: Encodable, Equatable {
  var state: String
  var source: String
  var standby: Bool
  var volume: Int
  var muted: Bool
  var `repeat`: Bool
  var shuffle: Bool
  var title: String?
  var artist: String?
  var album: String?
  var art: String?
  /// Why playback stopped.
  var failure: String?
  /// The last track that was skipped because it failed, and why.
  var skipped: String?
  /// Seconds.
  var duration: Double?
  /// The position in seconds at the last jump. While `state` is `playing`, it advances from there.
  var position: Double
  /// The time of the last jump, by ISO 8601.
  var positionUpdatedAt: String
  /// The number and the title of the current preset.
  var preset: Int?
  var presetTitle: String?
  /// `off`, the name of the preset that is heard, or `on` for other settings.
  var equalizer: String
  private let equalizerPresets: [String]
  /// `off`, minutes, `track` or `queue`.
  var sleep: String
  /// `off`, `waiting`, `ringing` or `snoozed`.
  var alarm: String
  /// The local time of the next alarm or of the end of a snooze, by ISO 8601.
  var alarmNext: String?
  /// The local time of the last alarm that was missed.
  var alarmMissed: String?
  /// Whether each alarm is on, by its id.
  private let alarms: [String: String]
  private let presets: [NumberedTitle]
  private let pins: [NumberedTitle]

  private enum CodingKeys: String, CodingKey {
    case state, source, standby, volume, muted, `repeat`, shuffle, title, artist, album, art, failure, skipped, duration
    case position, preset, equalizer, sleep, alarm
    case positionUpdatedAt = "position_updated_at"
    case presetTitle = "preset_title"
    case alarmNext = "alarm_next"
    case alarmMissed = "alarm_missed"
  }

  /// Longer texts are cut, in bytes.
  static let textLimit = 1024

  /// - Parameters:
  ///   - position: the position at the last jump.
  ///   - unixTime: the time of the last jump, in seconds since 1970.
  init(_ moment: SpeakerState, position: Duration, unixTime: Double) {
    state = moment.state.shortWord
    source = moment.source.word
    standby = moment.isStandby
    volume = moment.volume
    muted = moment.isMuted
    `repeat` = moment.repeats
    shuffle = moment.shuffles
    title = moment.title?.cut
    artist = moment.artist?.cut
    album = moment.album?.cut
    // A cut address would be wrong, so a longer one is dropped.
    art = moment.art.flatMap { $0.utf8.count <= Self.textLimit ? $0 : nil }
    failure = moment.failure?.text.cut
    skipped = moment.skipped?.text.cut
    duration = moment.duration.map(\.tenths)
    self.position = position.tenths
    positionUpdatedAt = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      .format(Date(timeIntervalSince1970: unixTime))
    equalizer = Self.equalizer(moment.equalizer)
    equalizerPresets = moment.equalizer.presets.map(\.name)
    sleep = moment.sleep?.end.description ?? "off"
    alarm = moment.alarms.word
    alarmNext = moment.alarms.snoozed?.time ?? moment.alarms.next?.time
    alarmMissed = moment.alarms.missed.last?.time
    alarms = Dictionary(
      moment.alarms.entries.map { ("\($0.alarm.id)", $0.alarm.isEnabled.word) }, uniquingKeysWith: { first, _ in first }
    )
    presets = NumberedTitle.presets(of: moment)
    pins = NumberedTitle.pins(of: moment)
    let current = presets.first { $0.number == moment.preset }
    (preset, presetTitle) = (current?.number, current?.title)
  }

  /// Payloads by topic, below the prefix. An empty one removes a retained text.
  var payloads: [String: String] {
    [
      "state": state, "source": source, "standby": standby.word, "volume": "\(volume)", "mute": muted.word,
      "repeat": `repeat`.word, "shuffle": shuffle.word, "title": title ?? "", "artist": artist ?? "",
      "album": album ?? "", "art": art ?? "", "failure": failure ?? "", "skipped": skipped ?? "",
      "duration": duration?.short ?? "", "position": position.short, "position_updated_at": positionUpdatedAt,
      "preset": preset.map { "\($0)" } ?? "", "presets": Self.json(presets), "pins": Self.json(pins),
      "equalizer": equalizer, "equalizer_presets": Self.json(equalizerPresets), "sleep": sleep, "alarm": alarm,
      "alarms": Self.json(alarms), "alarm_next": alarmNext ?? "", "alarm_missed": alarmMissed ?? "",
      "json": Self.json(self),
    ]
  }

  private static func equalizer(_ equalizer: Equalizer) -> String {
    equalizer.isOn ? (equalizer.isChanged ? nil : equalizer.selected) ?? "on" : "off"
  }

  static let presenceTopic = "presence"

  /// The payload for the presence of people, by their names.
  static func presence(_ people: [PresenceReport.Person]) -> String {
    json(Dictionary(people.map { ($0.name, $0.state.rawValue) }) { first, _ in first })
  }

  /// The payload for a press of a button.
  static func press(_ press: ButtonsReport.Press) -> String {
    json(["name": press.name, "device": press.device, "key": press.key, "trigger": press.trigger])
  }

  /// All retained topics of the state.
  static var topics: [String] {
    (MQTTState(SpeakerState(), position: .zero, unixTime: 0).payloads.keys + [presenceTopic]).sorted()
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite, and the state has none.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

/// A preset or a pin, for lists and for Home Assistant.
struct NumberedTitle: Encodable, Equatable {
  /// Of `set/preset` or `set/pin`, from 1.
  var number: Int
  /// One line, at most 100 bytes.
  var title: String

  /// The number and the title, which two presets with the same title do not share.
  var label: String { "\(number) \(title)" }

  static func presets(of moment: SpeakerState) -> [Self] {
    moment.presets.presets.ids.enumerated().map { index, id in
      Self(number: index + 1, title: (moment.presets.presets[id]?.title ?? "").line(else: "Preset"))
    }
  }

  /// The pins without the empty places.
  static func pins(of moment: SpeakerState) -> [Self] {
    moment.pins.ids.enumerated().compactMap { index, id in
      moment.pins[id].map { Self(number: index + 1, title: $0.title.line(else: "Pin")) }
    }
  }
}

extension AlarmsState.Entry {
  /// The alarm's name, or its time without one.
  var title: String { "Alarm " + alarm.name.line(else: alarm.time.description) }
}

extension Bool {
  fileprivate var word: String { self ? "on" : "off" }
}

extension Double {
  /// Without a fraction if it is zero.
  fileprivate var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

extension Duration {
  /// Seconds with one decimal.
  fileprivate var tenths: Double { (Double(self / .milliseconds(1)) / 100).rounded() / 10 }
}

extension String {
  /// The text, cut to the limit between two Unicode scalars.
  fileprivate var cut: String { cut(to: MQTTState.textLimit) }

  private func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard text.utf8.count + UTF8.width(scalar) <= limit else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// The words of the text in one line.
  fileprivate func line(else substitute: String) -> String {
    let words = cut(to: 100).split { character in
      character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
    return words.isEmpty ? substitute : words.joined(separator: " ")
  }
}
