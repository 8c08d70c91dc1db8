import Testing

@testable import ControlPoint
@testable import Page

@Suite struct SpeakerRosterTests {
  @Test func followsSpeakersOnly() throws {
    var roster = SpeakerRoster(own: [])
    let renderer = try Self.renderer(1)
    let changes = roster.update([renderer, try Self.device(3, services: [])])
    #expect(changes.begin.keys.sorted() == ["uuid:1"] && changes.stop.isEmpty)
    #expect(roster.update([renderer]) == .init() && roster.ownID == nil)
    #expect(roster.update([]) == .init(stop: ["uuid:1"]))
  }

  /// The own devices never pair with those of another speaker on the same machine.
  @Test func knowsTheSpeakerItself() throws {
    var roster = SpeakerRoster(own: ["uuid:own", "uuid:own-oh"])
    let product = ["urn:av-openhome-org:service:Product:1"]
    let devices = [try Self.renderer(1, udn: "uuid:own"), try Self.device(1, udn: "uuid:other-oh", services: product)]
    #expect(roster.update(devices).begin.keys.sorted() == ["uuid:other-oh", "uuid:own"])
    #expect(roster.ownID == "uuid:own" && roster.id(of: "uuid:own-oh") == nil)
    let openHome = try Self.device(1, udn: "uuid:own-oh", services: product)
    #expect(roster.update(devices + [openHome]).stop == ["uuid:own"])
    #expect(roster.ownID == "uuid:own" && roster.id(of: "uuid:own-oh") == "uuid:own")
  }

  @Test func beginsAgainWhenTheSecondDeviceOfASpeakerAppears() throws {
    var roster = SpeakerRoster(own: [])
    let renderer = try Self.renderer(1)
    let openHome = try Self.device(1, udn: "uuid:oh", services: ["urn:av-openhome-org:service:Product:1"])
    #expect(roster.update([openHome]).begin.keys.sorted() == ["uuid:oh"])
    let changes = roster.update([openHome, renderer])
    #expect(changes.stop == ["uuid:oh"] && changes.begin["uuid:1"]?.openHome == openHome)
    #expect(roster.id(of: "uuid:oh") == "uuid:1" && roster.id(of: "uuid:1") == "uuid:1" && roster.id(of: "x") == nil)
    #expect(roster.update([renderer]).stop == ["uuid:1"])
  }

  @Test func keepsThoseItFollowsWhenThereAreTooMany() throws {
    var roster = SpeakerRoster(own: ["uuid:own"])
    _ = roster.update([try Self.renderer(200)])
    let many = try (1...200).map { try Self.renderer($0) }
    _ = roster.update(many)
    #expect(roster.speakers.count == SpeakerRoster.maximumSpeakers && roster.speakers["uuid:200"] != nil)
    _ = roster.update(many + [try Self.renderer(250, udn: "uuid:own")])
    #expect(roster.ownID == "uuid:own" && roster.speakers.count == SpeakerRoster.maximumSpeakers + 1)
    _ = roster.update(many)
    let former = roster.speakers
    #expect(roster.update(many) == .init() && roster.speakers == former)
  }

  private static func renderer(_ number: Int, udn: String? = nil) throws -> DeviceDescription {
    try device(
      number, udn: udn,
      services: [
        "urn:schemas-upnp-org:service:AVTransport:1", "urn:schemas-upnp-org:service:RenderingControl:1",
      ])
  }

  private static func device(_ number: Int, udn: String? = nil, services: [String]) throws -> DeviceDescription {
    let url = try #require(HTTPURL("http://192.0.2.\(number)/d.xml"))
    let device = DeviceDescription.Device(
      type: "", udn: udn ?? "uuid:\(number)", friendlyName: "Speaker \(number)", manufacturer: "", manufacturerURL: "",
      modelDescription: "", modelName: "", modelNumber: "", modelURL: "", serialNumber: "", presentationURL: nil,
      icons: [],
      services: services.map { .init(type: $0, id: $0, scpdURL: url, controlURL: url, eventURL: nil) }, devices: [])
    return DeviceDescription(
      location: url, specVersion: .init(major: 1, minor: 0), configID: nil, root: device, deviations: [])
  }
}
