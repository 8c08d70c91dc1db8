import Testing

@testable import Companion

@Suite struct HomeAssistantDiscoveryTests {
  private static func announcement(page: String? = "http://192.0.2.1:49494/") -> HomeAssistantAnnouncement {
    let identity = SpeakerIdentity(uuid: "4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", version: "1.2") { page }
    return HomeAssistantAnnouncement(prefix: "home/kitchen", identity: identity)
  }

  private static func facts(isVolumeFixed: Bool = false, volumeLimit: Int = 80) -> HomeAssistantDiscovery.Facts {
    HomeAssistantDiscovery.Facts(
      name: "Kitchen", page: "http://192.0.2.1:49494/", volumeLimit: volumeLimit, isVolumeFixed: isVolumeFixed)
  }

  private static func discovery(_ facts: HomeAssistantDiscovery.Facts) -> HomeAssistantDiscovery {
    HomeAssistantDiscovery(facts, identifier: "swiftlet_1", prefix: "home/kitchen", version: "1.2")
  }

  @Test func everyEntityHasAnIdentifierOfItsOwn() {
    let discovery = Self.discovery(Self.facts())
    #expect(discovery.components.count == 17)
    #expect(discovery.components["volume"]?.uniqueID == "swiftlet_1_volume")
    #expect(Set(discovery.components.values.map(\.uniqueID)).count == 17)
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
    #expect(discovery.components.count == 17)
  }

  @Test func onlyChangesAreAnnounced() {
    var announcement = Self.announcement()
    var moment = SpeakerMoment()
    #expect(announcement.topic == "homeassistant/device/swiftlet_4a6f2f0e1c1f4f6e9d530f2b7a6c1d01/config")
    #expect(announcement.update(moment) != nil)
    moment.title = "Another"
    #expect(announcement.update(moment) == nil)
    moment.volumeLimit = 50
    #expect(announcement.update(moment) != nil)
    moment.name = "Bath"
    #expect(announcement.update(moment)?.contains("\"Bath\"") == true)
    #expect(announcement.update(moment) == nil)
    announcement.forget()
    #expect(announcement.update(moment) != nil)
  }

  @Test func aSpeakerWithoutAPageHasNoAddress() {
    var announcement = Self.announcement(page: nil)
    let payload = announcement.update(SpeakerMoment()) ?? ""
    #expect(payload.contains("\"device\":{\"identifiers\""))
    #expect(!payload.contains("configuration_url"))
    #expect(!payload.contains("url_template"))
  }
}
