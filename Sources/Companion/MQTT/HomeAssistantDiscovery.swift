import FoundationEssentials
import PlaybackModel
import Providers

/// The speaker in the notation of Home Assistant's MQTT discovery: one device with its entities in one message (“device
/// discovery payload”, since Home Assistant 2024.11). Its MQTT integration has no media players.
///
/// Source: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
struct HomeAssistantDiscovery: Encodable, Equatable {
  struct Device: Encodable, Equatable {
    var identifiers: [String]
    /// Home Assistant before 2026.8 shows devices with a common connection as one. Its DLNA integration has this one, too.
    /// Since then, every integration has a device of its own.
    var connections: [[String]]
    var name: String
    var manufacturer = "Swiftlet"
    var model = "Network music player"
    var swVersion: String
    var configurationURL: String?

    enum CodingKeys: String, CodingKey {
      case identifiers, connections, name, manufacturer, model
      case swVersion = "sw_version"
      case configurationURL = "configuration_url"
    }
  }

  struct Origin: Encodable, Equatable {
    var name = "Swiftlet"
    var sw: String
  }

  /// An entity. Members that its platform does not have are nil. With nothing but its platform, Home Assistant removes it.
  struct Component: Encodable, Equatable {
    var platform: String
    var name: String?
    var uniqueID: String?
    var icon: String?
    var stateTopic: String?
    var commandTopic: String?
    var commandTemplate: String?
    var valueTemplate: String?
    var deviceClass: String?
    var options: [String]?
    var min: Int?
    var max: Int?
    var step: Int?
    var mode: String?
    var unit: String?
    var payloadOn: String?
    var payloadOff: String?
    var payloadPress: String?
    var urlTopic: String?
    var urlTemplate: String?

    enum CodingKeys: String, CodingKey {
      case platform, name, icon, options, min, max, step, mode
      case uniqueID = "unique_id"
      case stateTopic = "state_topic"
      case commandTopic = "command_topic"
      case commandTemplate = "command_template"
      case valueTemplate = "value_template"
      case deviceClass = "device_class"
      case unit = "unit_of_measurement"
      case payloadOn = "payload_on"
      case payloadOff = "payload_off"
      case payloadPress = "payload_press"
      case urlTopic = "url_topic"
      case urlTemplate = "url_template"
    }
  }

  var device: Device
  var origin: Origin
  var components: [String: Component]
  var availabilityTopic: String
  var qos = 1

  enum CodingKeys: String, CodingKey {
    case device, origin, components, qos
    case availabilityTopic = "availability_topic"
  }

  /// The values that the entities depend on. Other changes of the speaker need no new message.
  struct Facts: Equatable {
    var name: String
    var page: String?
    var volumeLimit: Int
    var isVolumeFixed: Bool
    var presets: [NumberedTitle] = []
    var pins: [NumberedTitle] = []
  }

  init(_ facts: Facts, identity: SpeakerIdentity, prefix: String) {
    let identifier = Self.identifier(identity)
    device = Device(
      identifiers: [identifier], connections: [["upnp", identity.udn]], name: facts.name, swVersion: identity.version,
      configurationURL: facts.page)
    origin = Origin(sw: identity.version)
    availabilityTopic = prefix + "/availability"
    components = Dictionary(
      uniqueKeysWithValues: Self.entities(facts, prefix).map { key, entity in
        var entity = entity
        if entity.name != nil { entity.uniqueID = "\(identifier)_\(key)" }
        return (key, entity)
      })
  }

  /// The device's identifier for Home Assistant, which never changes.
  static func identifier(_ identity: SpeakerIdentity) -> String { "swiftlet_" + identity.uuid.filter { $0 != "-" } }

  /// The topic of this message; retained, so that Home Assistant knows the speaker also while it is off.
  static func topic(identifier: String) -> String { "homeassistant/device/\(identifier)/config" }

  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only texts and integers: encoding cannot fail.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  // MARK: Entities

  private static func entities(_ facts: Facts, _ prefix: String) -> [(String, Component)] {
    var state = Component("sensor", "State", "mdi:speaker")
    state.stateTopic = prefix + "/state"
    state.deviceClass = "enum"
    state.options = ["playing", "paused", "buffering", "stopped"]
    var source = Component("select", "Source", "mdi:import")
    source.stateTopic = prefix + "/source"
    source.commandTopic = prefix + "/set/source"
    source.options = Source.allCases.map(\.word)
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
    return entities + (1...PinSet.count).map { ("pin_\($0)", pin($0, facts, prefix)) }
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

  private static func pin(_ number: Int, _ facts: Facts, _ prefix: String) -> Component {
    guard let pin = facts.pins.first(where: { $0.number == number }) else { return Component(platform: "button") }
    return button("pin \(number)", "Pin \(pin.label)", "mdi:pin", prefix).1
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

/// Decides when to publish the speaker's device to Home Assistant: when it differs from the published one.
struct HomeAssistantAnnouncement {
  let topic: String
  private let prefix: String
  private let identity: SpeakerIdentity
  private var published: HomeAssistantDiscovery.Facts?

  /// - Parameter prefix: the first levels of the speaker's topics.
  init(prefix: String, identity: SpeakerIdentity) {
    self.prefix = prefix
    self.identity = identity
    topic = HomeAssistantDiscovery.topic(identifier: HomeAssistantDiscovery.identifier(identity))
  }

  /// Publishes again at the next update, even without a change.
  mutating func forget() { published = nil }

  /// - Returns: the payload to publish; nil if nothing has changed.
  mutating func update(_ moment: SpeakerMoment) -> String? {
    let facts = HomeAssistantDiscovery.Facts(
      name: moment.name, page: identity.page(), volumeLimit: moment.volumeLimit, isVolumeFixed: moment.isVolumeFixed,
      presets: NumberedTitle.presets(of: moment), pins: NumberedTitle.pins(of: moment))
    guard facts != published else { return nil }
    published = facts
    return HomeAssistantDiscovery(facts, identity: identity, prefix: prefix).json
  }
}
