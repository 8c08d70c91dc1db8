import PlaybackModel
import SpeakerCore

/// An alarm, for display.
struct AlarmItem: Encodable {
  let id: UInt32
  let name: String
  let time: String
  let days: [String]
  let what: String
  /// The id of the preset.
  var preset: UInt32?
  /// The place of the pin, from 0.
  var pin: Int?
  var uri: String?
  /// The title of the preset.
  var title: String?
  let volume: Int?
  let ramp: Int
  let limit: Int
  let snooze: Int
  let enabled: Bool
  let next: String?

  init(_ entry: AlarmsState.Entry) {
    let alarm = entry.alarm
    (id, name, time, days) = (alarm.id, alarm.name, alarm.time.description, alarm.days.words)
    (what, volume, ramp, limit) = (alarm.sound.word, alarm.volume, alarm.ramp, alarm.limit)
    (snooze, enabled, next) = (alarm.snooze, alarm.isEnabled, entry.next)
    switch alarm.sound {
    case .preset(let id, let uri, let title): (preset, self.uri, self.title) = (id, uri, title)
    case .pin(let number): pin = number - 1
    case .playlist(let uri): self.uri = uri
    case .queue, .tone: break
    }
  }
}

extension AlarmsState {
  /// The section `alarms` of the state, and the answer of `GET /api/alarms`.
  var document: JSONObject {
    [
      "items": entries.map { AlarmItem($0) }, "maximum": ClockAlarm.maximumCount, "clockSet": isClockSet, "zone": zone,
      "next": next?.document, "ringing": ringing?.document, "snoozed": snoozed?.document,
      "missed": missed.map(\.document),
    ]
  }
}

extension AlarmsState.Moment {
  fileprivate var document: JSONObject {
    ["id": id, "name": name, "time": time, "tone": isTone, "waiting": isWaiting]
  }
}

extension SleepState {
  /// The section `sleep` of the state.
  /// - Parameter isWhole: whether to include what changes all the time.
  func document(isWhole: Bool) -> JSONObject {
    var minutes: Int?
    var word = "minutes"
    switch end {
    case .minutes(let count): minutes = count
    case .track: word = "track"
    case .queue: word = "queue"
    }
    return ["end": word, "minutes": minutes, "seconds": isWhole ? rest?.inSeconds : nil, "fading": isFading]
  }
}

/// The fields of an alarm in `POST /api/alarms/add` and `change`. Those that are nil stay as they are.
struct AlarmFields: Decodable {
  enum What: String, Decodable {
    case preset, pin, playlist, queue, tone
  }

  let id: UInt32?
  let name: String?
  let time: String?
  let days: [String]?
  let what: What?
  let preset: UInt32?
  let pin: Int?
  let uri: String?
  /// 0 to keep the speaker's volume.
  let volume: Int?
  let ramp: Int?
  let limit: Int?
  let snooze: Int?
  let enabled: Bool?

  /// - Throws: 400 for a wrong value, and 404 for a preset that does not exist.
  func alarm(changing old: ClockAlarm?, _ presets: RadioPresets) throws(Problem) -> ClockAlarm {
    guard let time = try time.map(Self.time) ?? old?.time else { throw .wrong("time", "is missing") }
    guard let sound = try what.map({ what throws(Problem) in try sound(what, presets) }) ?? old?.sound else {
      throw .wrong("what", "is missing")
    }
    var alarm = old ?? ClockAlarm(time: time, sound: sound)
    (alarm.time, alarm.sound) = (time, sound)
    if let name {
      guard name.utf8.count <= ClockAlarm.longestName else { throw .wrong("name", "is too long") }
      alarm.name = name
    }
    if let days {
      guard let days = Weekdays(text: days.isEmpty ? "once" : days.joined(separator: ",")) else {
        throw .wrong("days", "must be names of days: \(Weekdays.names.joined(separator: ", "))")
      }
      alarm.days = days
    }
    if let volume, let volume = try Self.checked(volume, "volume", in: 0...ClockAlarm.volumes.upperBound) {
      alarm.volume = volume == 0 ? nil : volume
    }
    alarm.ramp = try Self.checked(ramp, "ramp", in: ClockAlarm.ramps) ?? alarm.ramp
    alarm.limit = try Self.checked(limit, "limit", in: ClockAlarm.limits) ?? alarm.limit
    alarm.snooze = try Self.checked(snooze, "snooze", in: ClockAlarm.snoozes) ?? alarm.snooze
    alarm.isEnabled = enabled ?? true
    return alarm
  }

  static func checked(_ value: Int?, _ field: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let value else { return nil }
    guard range.contains(value) else {
      throw .wrong(field, "must be between \(range.lowerBound) and \(range.upperBound)")
    }
    return value
  }

  private static func time(_ text: String) throws(Problem) -> TimeOfDay {
    guard let time = TimeOfDay(text) else { throw .wrong("time", "must be a time from 00:00 to 23:59") }
    return time
  }

  private func sound(_ what: What, _ presets: RadioPresets) throws(Problem) -> AlarmSound {
    switch what {
    case .preset:
      guard let preset else { throw .wrong("preset", "is missing") }
      guard let known = presets[preset] else { throw Problem(.alarm(.noSuchPreset)) }
      return .preset(id: preset, uri: known.uri, title: known.title)
    case .pin:
      guard let pin, (0..<PinSet.count).contains(pin) else {
        throw .wrong("pin", "must be between 0 and \(PinSet.count - 1)")
      }
      return .pin(pin + 1)
    case .playlist:
      guard let uri, uri.utf8.count <= ClockAlarm.longestAddress else { throw .wrong("uri", "is missing or too long") }
      try WebAddress.check(uri, "uri")
      return .playlist(uri: uri)
    case .queue: return .queue
    case .tone: return .tone
    }
  }
}
