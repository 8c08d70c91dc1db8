import FoundationEssentials
import PlaybackModel
import SpeakerCore

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
    var suggestedArea: String?
    var configurationURL: String?

    enum CodingKeys: String, CodingKey {
      case identifiers, connections, name, manufacturer, model
      case swVersion = "sw_version"
      case suggestedArea = "suggested_area"
      case configurationURL = "configuration_url"
    }
  }

  struct Origin: Encodable, Equatable {
    var name = "Swiftlet"
    var sw: String
  }

  /// An entity. Members that its platform does not have are nil. Home Assistant removes an entity that has only a platform.
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
    var eventTypes: [String]?
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
      case eventTypes = "event_types"
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
    var room: String?
    /// The names of the people who are watched.
    var people: [String] = []
    /// The devices with buttons, as the configuration names them.
    var buttons: [String] = []
    /// The names of the equalizer's presets.
    var equalizerPresets: [String] = []
    /// The titles of the alarms, by id.
    var alarms: [UInt32: String] = [:]
    var nextAlarmID: UInt32 = 1
    var sources = Source.builtIn
  }

  init(_ facts: Facts, identity: SpeakerIdentity, prefix: String) {
    let identifier = Self.identifier(identity)
    device = Device(
      identifiers: [identifier], connections: [["upnp", identity.udn]], name: facts.name, swVersion: identity.version,
      suggestedArea: facts.room, configurationURL: facts.page)
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
  mutating func update(_ moment: SpeakerState, _ companions: CompanionReport) -> String? {
    let facts = HomeAssistantDiscovery.Facts(
      name: moment.name, page: identity.page(), volumeLimit: moment.volumeLimit, isVolumeFixed: moment.isVolumeFixed,
      presets: NumberedTitle.presets(of: moment), pins: NumberedTitle.pins(of: moment),
      room: moment.room, people: companions.presence?.people.map(\.name) ?? [],
      buttons: companions.buttons?.devices.map(\.name) ?? [], equalizerPresets: moment.equalizer.presets.map(\.name),
      alarms: Dictionary(
        moment.alarms.entries.map { ($0.alarm.id, $0.title) }, uniquingKeysWith: { first, _ in first }),
      nextAlarmID: moment.alarms.nextID, sources: moment.sources)
    guard facts != published else { return nil }
    published = facts
    return HomeAssistantDiscovery(facts, identity: identity, prefix: prefix).json
  }
}
