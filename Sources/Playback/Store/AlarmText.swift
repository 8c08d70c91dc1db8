import PlaybackModel

extension SavedAlarms {
  private static let alarmKeys = [
    "id", "name", "time", "days", "sound", "number", "uri", "title", "volume", "ramp", "limit", "snooze", "enabled",
    "settled",
  ]
  private static let missedKeys = ["missed.id", "missed.name", "missed.due"]

  /// Reads saved alarms; nil if they are invalid. Unknown keys are ignored.
  package init?(_ text: StateText) {
    guard let nextID = text.value("next", as: UInt32.self), nextID > 0, let rows = text.rows(Self.alarmKeys),
      rows.count <= ClockAlarm.maximumCount, let missedRows = text.rows(Self.missedKeys)
    else { return nil }
    let (alarms, missed) = (rows.compactMap { ClockAlarm($0) }, missedRows.compactMap { MissedAlarm($0) })
    guard alarms.count == rows.count, missed.count == missedRows.count, Set(alarms.map(\.id)).count == alarms.count
    else { return nil }
    self.init(list: AlarmList(alarms: alarms, nextID: nextID, missed: missed), pending: .init(text))
  }

  package var text: StateText {
    var text = StateText()
    text.add("next", list.nextID)
    for alarm in list.alarms { for (key, value) in zip(Self.alarmKeys, alarm.values) { text.add(key, value) } }
    for missed in list.missed {
      for (key, value) in zip(Self.missedKeys, ["\(missed.id)", missed.name, "\(missed.due)"]) { text.add(key, value) }
    }
    pending?.add(to: &text)
    return text
  }
}

extension Int64 {
  /// Reads seconds since 1970; nil for times that no clock shows.
  fileprivate init?(seconds text: String) {
    guard let seconds = Int64(text), (0...100_000_000_000).contains(seconds) else { return nil }
    self = seconds
  }
}

extension StateText {
  /// The values of several keys that occur equally often, in rows.
  fileprivate func rows(_ keys: [String]) -> [[String]]? {
    let columns = keys.map(values)
    guard let count = columns.first?.count, columns.allSatisfy({ $0.count == count }) else { return nil }
    return (0..<count).map { row in columns.map { $0[row] } }
  }
}

extension ClockAlarm {
  /// - Parameter values: in the order of `SavedAlarms.alarmKeys`.
  fileprivate init?(_ values: [String]) {
    guard let id = UInt32(values[0]), id > 0, let time = TimeOfDay(values[2]), let days = Int(values[3]),
      (0...Weekdays.all.rawValue).contains(days), let sound = AlarmSound(values[4], values[5], values[6], values[7]),
      let ramp = Int(values[9]), Self.ramps.contains(ramp), let limit = Int(values[10]), Self.limits.contains(limit),
      let snooze = Int(values[11]), Self.snoozes.contains(snooze), let isEnabled = Bool(values[12])
    else { return nil }
    self.init(time: time, sound: sound)
    (self.id, name, self.days, volume) = (id, values[1], Weekdays(rawValue: days), Int(values[8]))
    if let volume, !Self.volumes.contains(volume) { return nil }
    (self.ramp, self.limit, self.snooze, self.isEnabled) = (ramp, limit, snooze, isEnabled)
    settled = Int64(seconds: values[13])
    if settled == nil, !values[13].isEmpty { return nil }
  }

  fileprivate var values: [String] {
    let (number, uri, title) = sound.values
    return [
      "\(id)", name, "\(time)", "\(days.rawValue)", sound.word, number, uri, title, volume.map { "\($0)" } ?? "",
      "\(ramp)", "\(limit)", "\(snooze)", "\(isEnabled)", settled.map { "\($0)" } ?? "",
    ]
  }
}

extension AlarmSound {
  fileprivate init?(_ word: String, _ number: String, _ uri: String, _ title: String) {
    switch word {
    case "preset":
      guard let id = UInt32(number) else { return nil }
      self = .preset(id: id, uri: uri, title: title)
    case "pin":
      guard let number = Int(number), (1...PinSet.count).contains(number) else { return nil }
      self = .pin(number)
    case "playlist": self = .playlist(uri: uri)
    case "queue": self = .queue
    case "tone": self = .tone
    default: return nil
    }
  }

  fileprivate var values: (number: String, uri: String, title: String) {
    switch self {
    case .preset(let id, let uri, let title): ("\(id)", uri, title)
    case .pin(let number): ("\(number)", "", "")
    case .playlist(let uri): ("", uri, "")
    case .queue, .tone: ("", "", "")
    }
  }
}

extension MissedAlarm {
  fileprivate init?(_ values: [String]) {
    guard let id = UInt32(values[0]), let due = Int64(seconds: values[2]) else { return nil }
    self.init(id: id, name: values[1], due: due)
  }
}

extension AlarmMachine.Pending {
  fileprivate init?(_ text: StateText) {
    guard let id = text.value("pending.id", as: UInt32.self),
      let due = text["pending.due"].flatMap({ Int64(seconds: $0) })
    else { return nil }
    self.init(id: id, due: due, former: nil)
    guard let volume = text.value("pending.volume", as: Int.self), (0...100).contains(volume),
      let isMuted = text.value("pending.muted", as: Bool.self),
      let isStandby = text.value("pending.standby", as: Bool.self)
    else { return }
    former = .init(volume: volume, isMuted: isMuted, isStandby: isStandby)
  }

  fileprivate func add(to text: inout StateText) {
    text.add("pending.id", id)
    text.add("pending.due", due)
    guard let former else { return }
    text.add("pending.volume", former.volume)
    text.add("pending.muted", former.isMuted)
    text.add("pending.standby", former.isStandby)
  }
}
