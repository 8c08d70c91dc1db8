import Testing
import UPnP

@testable import ControlPoint
@testable import swiftlet_control

@Suite struct DeviceSelectorTests {
  private static func device(_ name: String, _ udn: String, _ host: String) -> FoundDevice {
    FoundDevice(
      description: DeviceDescription(
        location: HTTPURL(host: host, port: 1400, target: "/d.xml"), specVersion: .init(major: 1, minor: 0),
        configID: nil,
        root: .init(
          type: "", udn: udn, friendlyName: name, manufacturer: "", manufacturerURL: "", modelDescription: "",
          modelName: "", modelNumber: "", modelURL: "", serialNumber: "", presentationURL: nil, icons: [], services: [],
          devices: []),
        deviations: []))
  }

  private static let devices = [
    device("Kitchen", "uuid:aaaa", "192.0.2.1"), device("Kitchen (OpenHome)", "uuid:bbbb", "192.0.2.1"),
    device("Living room", "uuid:cccc", "192.0.2.2"),
  ]

  @Test(arguments: [
    ("Kitchen", "Kitchen"), ("kitchen", "Kitchen"), ("openhome", "Kitchen (OpenHome)"), ("LIVING", "Living room"),
    ("uuid:bbbb", "Kitchen (OpenHome)"), ("cccc", "Living room"), ("192.0.2.2", "Living room"),
    ("http://192.0.2.2:1400/d.xml", "Living room"),
  ])
  func selectsByAnyUnambiguousPart(text: String, name: String) throws {
    #expect(try DeviceSelector.select(text, among: Self.devices).root.friendlyName == name)
  }

  @Test func resolvesANameToItsIPv4Address() {
    #expect(DeviceQuery("http://localhost:1400/d.xml").host == IPAddress("127.0.0.1"))
  }

  @Test(arguments: ["kit", "192.0.2.1", "room "])
  func doesNotGuess(text: String) {
    #expect(throws: DeviceSelector.Failure.self) { try DeviceSelector.select(text, among: Self.devices) }
  }

  @Test func suggestsTheNearestNames() {
    #expect(throws: DeviceSelector.Failure.none(nearest: ["Kitchen"])) {
      try DeviceSelector.select("Kithcen", among: Self.devices)
    }
    #expect(throws: DeviceSelector.Failure.none(nearest: [])) {
      try DeviceSelector.select("Bathroom suite", among: Self.devices)
    }
  }
}
