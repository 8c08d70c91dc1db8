import FoundationEssentials
import PlaybackModel
import SpeakerCore

/// The speaker's entities in Home Assistant.
///
/// Home Assistant keeps an entity that the message omits. To remove one, the message announces it with only its platform.
extension HomeAssistantDiscovery {
  static func entities(_ facts: Facts, _ prefix: String) -> [(String, Component)] {
    var state = Component("sensor", "State", "mdi:speaker")
    state.stateTopic = prefix + "/state"
    state.deviceClass = "enum"
    state.options = ([.playing, .paused, .transitioning, .stopped] as [TransportState]).map(\.shortWord)
    var source = Component("select", "Source", "mdi:import")
    source.stateTopic = prefix + "/source"
    source.commandTopic = prefix + "/set/source"
    source.options = facts.sources.map(\.word)
    var art = Component("image", "Cover", nil)
    art.urlTopic = prefix + "/art"
    if let page = facts.page { art.urlTemplate = "{{ value or '\(page)page/icons/icon-192.png' }}" }
    var entities = [("state", state), ("source", source), ("art", art), ("volume", volume(facts, prefix))]
    entities += [
      text("title", "Title", "mdi:music-note", prefix), text("artist", "Artist", "mdi:account-music", prefix),
      text("album", "Album", "mdi:album", prefix), text("failure", "Failure", "mdi:alert-circle", prefix),
      text("skipped", "Skipped track", "mdi:music-note-off", prefix),
      seconds("duration", "Duration", prefix), seconds("position", "Position", prefix), positionTime(prefix),
      ("preset", presetChoice(facts, prefix)),
      toggle("mute", "Mute", "mdi:volume-off", prefix), toggle("standby", "Standby", "mdi:power-sleep", prefix),
      toggle("repeat", "Repeat", "mdi:repeat", prefix), toggle("shuffle", "Shuffle", "mdi:shuffle", prefix),
      button("toggle", "Play or pause", "mdi:play-pause", prefix), button("next", "Next", "mdi:skip-next", prefix),
      button("previous", "Previous", "mdi:skip-previous", prefix), button("stop", "Stop", "mdi:stop", prefix),
    ]
    entities += alarms(prefix) + alarmSwitches(facts, prefix)
    var announce = Component("notify", "Announce", "mdi:bullhorn")
    announce.commandTopic = prefix + "/set/announce"
    entities.append(("announce", announce))
    entities += (1...PinSet.count).map { ("pin_\($0)", pin($0, facts, prefix)) }
    entities += facts.people.map { person($0, prefix) }
    entities.append(("equalizer", equalizer(facts, prefix)))
    return entities + facts.buttons.map { events(of: $0, prefix) }
  }

  /// The sleep timer and the alarms.
  private static func alarms(_ prefix: String) -> [(String, Component)] {
    var sleep = Component("number", "Sleep timer", "mdi:timer-sand")
    sleep.stateTopic = prefix + "/sleep"
    // The ends of the track and of the queue are no numbers.
    sleep.valueTemplate = "{{ value | int(0) }}"
    sleep.commandTopic = prefix + "/set/sleep"
    (sleep.min, sleep.max, sleep.step) = (0, SleepTimer.minutes.upperBound, 1)
    sleep.mode = "box"
    sleep.unit = "min"
    var alarm = Component("sensor", "Alarm", "mdi:alarm")
    alarm.stateTopic = prefix + "/alarm"
    alarm.deviceClass = "enum"
    alarm.options = ["off", "waiting", "ringing", "snoozed"]
    return [
      ("sleep", sleep), ("alarm", alarm), moment("alarm_next", "Next alarm", "mdi:alarm-check", prefix),
      moment("alarm_missed", "Missed alarm", "mdi:alarm-off", prefix),
      button("snooze", "Snooze", "mdi:alarm-snooze", prefix),
      button("dismiss", "Dismiss alarm", "mdi:alarm-off", prefix),
    ]
  }

  /// A switch for each alarm. The last alarms that were removed are announced as removed.
  private static func alarmSwitches(_ facts: Facts, _ prefix: String) -> [(String, Component)] {
    let recent = facts.nextAlarmID - min(facts.nextAlarmID - 1, UInt32(ClockAlarm.maximumCount))..<facts.nextAlarmID
    return Set(facts.alarms.keys).union(recent).sorted().map { id in
      guard let title = facts.alarms[id] else { return ("alarm_\(id)", Component(platform: "switch")) }
      var alarm = Component("switch", title, "mdi:alarm")
      alarm.stateTopic = prefix + "/alarms"
      alarm.valueTemplate = "{{ '\(id) ' ~ value_json.get('\(id)', 'off') }}"
      alarm.commandTopic = prefix + "/set/alarm"
      (alarm.payloadOn, alarm.payloadOff) = ("\(id) on", "\(id) off")
      return ("alarm_\(id)", alarm)
    }
  }

  private static func moment(_ key: String, _ name: String, _ icon: String, _ prefix: String) -> (String, Component) {
    var sensor = Component("sensor", name, icon)
    sensor.stateTopic = "\(prefix)/\(key)"
    // Home Assistant reads None as unknown.
    sensor.valueTemplate = "{{ value or 'None' }}"
    sensor.deviceClass = "timestamp"
    return (key, sensor)
  }

  private static func presetChoice(_ facts: Facts, _ prefix: String) -> Component {
    // Home Assistant keeps an entity that is left out.
    guard !facts.presets.isEmpty else { return Component(platform: "select") }
    var choice = Component("select", "Preset", "mdi:radio")
    choice.stateTopic = prefix + "/json"
    choice.valueTemplate =
      "{{ value_json.preset ~ ' ' ~ value_json.preset_title if value_json.get('preset') else 'None' }}"
    choice.commandTopic = prefix + "/set/preset"
    choice.commandTemplate = "{{ value.split(' ')[0] }}"
    choice.options = facts.presets.map(\.label)
    return choice
  }

  private static func equalizer(_ facts: Facts, _ prefix: String) -> Component {
    var choice = Component("select", "Equalizer", "mdi:equalizer")
    choice.stateTopic = prefix + "/equalizer"
    choice.commandTopic = prefix + "/set/equalizer"
    choice.options = ["off", "on"] + facts.equalizerPresets
    return choice
  }

  private static func pin(_ number: Int, _ facts: Facts, _ prefix: String) -> Component {
    guard let pin = facts.pins.first(where: { $0.number == number }) else { return Component(platform: "button") }
    return button("pin \(number)", "Pin \(pin.label)", "mdi:pin", prefix).1
  }

  /// A person, who is recognised by their phone or a tag.
  private static func person(_ name: String, _ prefix: String) -> (String, Component) {
    var person = Component("binary_sensor", name, nil)
    person.deviceClass = "presence"
    person.stateTopic = "\(prefix)/\(MQTTState.presenceTopic)"
    // Home Assistant reads None as unknown.
    person.valueTemplate = "{{ value_json[\(literal(name))] | replace('unknown', 'None') }}"
    (person.payloadOn, person.payloadOff) = ("present", "absent")
    return ("person_" + key(name), person)
  }

  /// The presses of a device with buttons.
  private static func events(of device: String, _ prefix: String) -> (String, Component) {
    var events = Component("event", device, nil)
    events.deviceClass = "button"
    events.stateTopic = prefix + "/button"
    events.eventTypes = ButtonTrigger.allCases.map(\.rawValue)
    // The topic has the presses of all devices. Home Assistant ignores an empty result.
    events.valueTemplate = """
      {{ {'event_type': value_json.trigger, 'key': value_json.key, 'device': value_json.device} | tojson \
      if value_json.name == \(literal(device)) }}
      """
    return ("button_" + key(device), events)
  }

  /// A text as a literal of Jinja, which has the escapes of JSON.
  private static func literal(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "''"
  }

  /// A name as part of an identifier, different for different names.
  private static func key(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      let isKept = scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isKept ? String(scalar) : "_" + String(scalar.value, radix: 16) + "_"
    }.joined()
  }

  private static func seconds(_ key: String, _ name: String, _ prefix: String) -> (String, Component) {
    var sensor = Component("sensor", name, "mdi:timer-outline")
    sensor.stateTopic = "\(prefix)/\(key)"
    sensor.valueTemplate = "{{ value or 'None' }}"
    sensor.deviceClass = "duration"
    sensor.unit = "s"
    return (key, sensor)
  }

  private static func positionTime(_ prefix: String) -> (String, Component) {
    var sensor = Component("sensor", "Position updated at", "mdi:clock-outline")
    sensor.stateTopic = prefix + "/position_updated_at"
    sensor.deviceClass = "timestamp"
    return ("position_updated_at", sensor)
  }

  private static func volume(_ facts: Facts, _ prefix: String) -> Component {
    // Home Assistant keeps an entity that is left out.
    guard !facts.isVolumeFixed else { return Component(platform: "number") }
    var volume = Component("number", "Volume", "mdi:volume-high")
    volume.stateTopic = prefix + "/volume"
    volume.commandTopic = prefix + "/set/volume"
    (volume.min, volume.max, volume.step) = (0, Swift.max(1, facts.volumeLimit), 1)
    volume.mode = "slider"
    volume.unit = "%"
    return volume
  }

  private static func text(_ key: String, _ name: String, _ icon: String, _ prefix: String) -> (String, Component) {
    var sensor = Component("sensor", name, icon)
    sensor.stateTopic = "\(prefix)/\(key)"
    // A state has at most 255 characters.
    sensor.valueTemplate = "{{ value[:255] }}"
    return (key, sensor)
  }

  private static func toggle(_ key: String, _ name: String, _ icon: String, _ prefix: String) -> (String, Component) {
    var toggle = Component("switch", name, icon)
    toggle.stateTopic = "\(prefix)/\(key)"
    toggle.commandTopic = "\(prefix)/set/\(key)"
    (toggle.payloadOn, toggle.payloadOff) = ("on", "off")
    return (key, toggle)
  }

  private static func button(
    _ command: String, _ name: String, _ icon: String, _ prefix: String
  ) -> (String, Component) {
    var button = Component("button", name, icon)
    button.commandTopic = prefix + "/command"
    button.payloadPress = command
    return (command, button)
  }
}

extension HomeAssistantDiscovery.Component {
  fileprivate init(_ platform: String, _ name: String, _ icon: String?) {
    self.init(platform: platform, name: name, icon: icon)
  }
}
