import PlaybackModel
import SpeakerCore
import Testing

@testable import Companion

@Suite struct HomeAssistantDiscoveryTests {
  private static func identity(page: String? = "http://192.0.2.1:49494/") -> SpeakerIdentity {
    SpeakerIdentity(
      uuid: "4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d02", version: "1.2"
    ) { page }
  }

  private static func announcement(page: String? = "http://192.0.2.1:49494/") -> HomeAssistantAnnouncement {
    HomeAssistantAnnouncement(prefix: "home/kitchen", identity: identity(page: page))
  }

  private static func facts(isVolumeFixed: Bool = false, volumeLimit: Int = 80) -> HomeAssistantDiscovery.Facts {
    HomeAssistantDiscovery.Facts(
      name: "Kitchen", page: "http://192.0.2.1:49494/", volumeLimit: volumeLimit, isVolumeFixed: isVolumeFixed)
  }

  private static func discovery(_ facts: HomeAssistantDiscovery.Facts) -> HomeAssistantDiscovery {
    HomeAssistantDiscovery(facts, identity: identity(), prefix: "home/kitchen")
  }

  @Test func everyEntityHasAnIdentifierOfItsOwn() {
    let discovery = Self.discovery(Self.facts())
    let shown = discovery.components.values.filter { $0.name != nil }
    #expect(shown.count == 28)
    #expect(discovery.components["volume"]?.uniqueID == "swiftlet_4a6f2f0e1c1f4f6e9d530f2b7a6c1d01_volume")
    #expect(Set(shown.map(\.uniqueID)).count == 28)
  }

  @Test func everyAlarmIsASwitchThatGoesWithIt() throws {
    var facts = Self.facts()
    (facts.alarms, facts.nextAlarmID) = ([2: "Alarm Work"], 4)
    let components = Self.discovery(facts).components
    let work = try #require(components["alarm_2"])
    #expect((work.name, work.payloadOn, work.commandTopic) == ("Alarm Work", "2 on", "home/kitchen/set/alarm"))
    #expect(work.valueTemplate == "{{ '2 ' ~ value_json.get('2', 'off') }}")
    for removed in [1, 3] { #expect(components["alarm_\(removed)"] == .init(platform: "switch")) }
    #expect(components["alarm_4"] == nil)
    // At most the last 32.
    facts.nextAlarmID = 100
    #expect(Self.discovery(facts).components.keys.count { $0.hasPrefix("alarm_") && $0.last?.isNumber == true } == 33)
    let command = MQTTCommand(
      IncomingMessage(topic: "home/kitchen/set/alarm", payload: Array("2 off".utf8)), prefix: "home/kitchen")
    #expect(command == .perform(.alarm(.enable(2, false))))
  }

  /// The DLNA integration finds its device by the same connection.
  @Test func theDeviceHasTheConnectionOfTheRenderer() {
    #expect(
      Self.discovery(Self.facts()).json.contains(
        #""connections":[["upnp","uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d02"]]"#))
  }

  @Test func theRoomIsTheSuggestedArea() {
    var facts = Self.facts()
    #expect(!Self.discovery(facts).json.contains("suggested_area"))
    facts.room = "Living room"
    #expect(Self.discovery(facts).json.contains(#""suggested_area":"Living room""#))
  }

  @Test func peopleAndButtonsAreEntities() throws {
    var announcement = Self.announcement()
    var report = CompanionReport()
    report.presence = PresenceReport(
      people: ["Ann", "Ülo \"2\"/"].map { .init(name: $0, state: .unknown, isNear: false) }, isWatching: true,
      hasPaused: false)
    report.buttons = ButtonsReport(
      devices: [.init(name: "Knob*", isConnected: false), .init(name: "Knob_", isConnected: false)], count: 0)
    let json = announcement.update(SpeakerState(), report) ?? ""
    #expect(json.contains(#""person_Ann":{"device_class":"presence","name":"Ann","payload_off":"absent""#))
    #expect(json.contains(##"value_json[\"Ülo \\\"2\\\"/\"]"##))
    #expect(json.contains(#""button_Knob_2a_":{"device_class":"button","event_types":["click","double""#))
    #expect(json.contains(#""button_Knob_5f_":{"#))
    report.presence?.people[0].state = .present
    #expect(announcement.update(SpeakerState(), report) == nil)
  }

  @Test func presetsAndPinsAppearAndDisappear() throws {
    var announcement = Self.announcement()
    var moment = SpeakerState()
    moment.presets = PresetList(
      configured: ["Jazz", "", "Jazz"].enumerated().map { RadioPreset(title: $1, uri: "http://host/\($0)") })
    try moment.pins.set(Pin(mode: "url", type: "stream", uri: "http://host/", title: "Morning\nlist"), at: 1)
    let shown = announcement.update(moment, CompanionReport()) ?? ""
    #expect(shown.contains(#""options":["1 Jazz","2 Preset","3 Jazz"]"#))
    #expect(shown.contains(#""pin_1":{"platform":"button"}"#))
    #expect(shown.contains(#""name":"Pin 2 Morning list","payload_press":"pin 2""#))
    (moment.presets, moment.pins) = (PresetList(), PinSet())
    let hidden = announcement.update(moment, CompanionReport()) ?? ""
    #expect(hidden.contains(#""preset":{"platform":"select"}"#))
    #expect(hidden.contains(#""pin_2":{"platform":"button"}"#))
  }

  @Test func theEqualizersPresetsAreOptions() throws {
    var announcement = Self.announcement()
    var moment = SpeakerState()
    #expect(announcement.update(moment, CompanionReport())?.contains(#""options":["off","on"]"#) == true)
    try moment.equalizer.save(as: "Late night")
    #expect(announcement.update(moment, CompanionReport())?.contains(#""options":["off","on","Late night"]"#) == true)
  }

  @Test func theVolumeFollowsTheLimitOfTheSpeaker() {
    #expect(Self.discovery(Self.facts()).components["volume"]?.max == 80)
    // Home Assistant refuses a range without values.
    #expect(Self.discovery(Self.facts(volumeLimit: 0)).components["volume"]?.max == 1)
  }

  /// Home Assistant keeps an entity that is left out, and removes one with nothing but a platform.
  @Test func aFixedVolumeRemovesItsEntity() {
    let discovery = Self.discovery(Self.facts(isVolumeFixed: true))
    #expect(discovery.json.contains("\"volume\":{\"platform\":\"number\"}"))
    #expect(discovery.components.count == Self.discovery(Self.facts()).components.count)
  }

  @Test func onlyChangesAreAnnounced() {
    var announcement = Self.announcement()
    var moment = SpeakerState()
    #expect(announcement.topic == "homeassistant/device/swiftlet_4a6f2f0e1c1f4f6e9d530f2b7a6c1d01/config")
    #expect(announcement.update(moment, CompanionReport()) != nil)
    moment.title = "Another"
    #expect(announcement.update(moment, CompanionReport()) == nil)
    moment.volumeLimit = 50
    #expect(announcement.update(moment, CompanionReport()) != nil)
    moment.name = "Bath"
    #expect(announcement.update(moment, CompanionReport())?.contains("\"Bath\"") == true)
    #expect(announcement.update(moment, CompanionReport()) == nil)
    announcement.forget()
    #expect(announcement.update(moment, CompanionReport()) != nil)
  }

  @Test func aSpeakerWithoutAPageHasNoAddress() {
    var announcement = Self.announcement(page: nil)
    let payload = announcement.update(SpeakerState(), CompanionReport()) ?? ""
    #expect(payload.contains("\"device\":{\"connections\""))
    #expect(!payload.contains("configuration_url"))
    #expect(!payload.contains("url_template"))
  }
}
