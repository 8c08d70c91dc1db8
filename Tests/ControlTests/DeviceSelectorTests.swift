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
    device("Living room", "uuid:cccc", "192.0.2.2"), device("Studio Upstairs", "uuid:dddd", "192.0.2.3"),
    device("Caf\u{e9}\u{200B} Bar", "uuid:eeee", "192.0.2.4"),
  ]

  @Test(arguments: [
    ("Kitchen", "Kitchen"), ("kitchen", "Kitchen"), ("kitchen (openhome)", "Kitchen (OpenHome)"),
    ("uuid:bbbb", "Kitchen (OpenHome)"), ("CCCC", "Living room"), ("192.0.2.2", "Living room"),
    ("http://192.0.2.2:1400/d.xml", "Living room"), ("cafe bar", "Caf\u{e9}\u{200B} Bar"),
  ])
  func selectsByACompleteName(text: String, name: String) throws {
    let selection = try DeviceSelector.select(text, among: Self.devices)
    #expect(selection.candidate.root.friendlyName == name && !selection.isAbbreviated)
  }

  @Test(arguments: [("kit", "Kitchen"), ("LIV ro", "Living room"), ("stud-up", "Studio Upstairs")])
  func showsWhatAnAbbreviationOfEveryWordMeans(text: String, name: String) throws {
    let selection = try DeviceSelector.select(text, among: Self.devices)
    #expect(selection.candidate.root.friendlyName == name && selection.isAbbreviated)
  }

  /// The device of that name may be off.
  @Test(arguments: ["Studio", "Upstairs", "room", "openhome", "ccc", "itchen", "192.0.2", ""])
  func partOfANameSelectsNothing(text: String) {
    #expect(throws: DeviceSelector.Failure.self) { try DeviceSelector.select(text, among: Self.devices) }
  }

  @Test func listsDevicesOfOneNameWithUDNAndAddress() {
    let twins = [Self.device("Kitchen", "uuid:1", "192.0.2.5"), Self.device("Kitchen", "uuid:2", "192.0.2.6")]
    let lines = ["Kitchen  uuid:1  192.0.2.5", "Kitchen  uuid:2  192.0.2.6"]
    #expect(throws: DeviceSelector.Failure.several(lines)) { try DeviceSelector.select("kitchen", among: twins) }
  }

  @Test func resolvesANameToItsIPv4Address() {
    #expect(DeviceQuery("http://localhost:1400/d.xml").host == IPAddress("127.0.0.1"))
  }

  @Test func twoDevicesOfOneAddressAreAmbiguous() {
    #expect(throws: DeviceSelector.Failure.self) { try DeviceSelector.select("192.0.2.1", among: Self.devices) }
  }

  @Test func suggestsTheNearestNames() {
    #expect(throws: DeviceSelector.Failure.none(nearest: ["Kitchen"])) {
      try DeviceSelector.select("Kithcen", among: Self.devices)
    }
    #expect(throws: DeviceSelector.Failure.none(nearest: ["Studio Upstairs"])) {
      try DeviceSelector.select("studio", among: Self.devices)
    }
    #expect(throws: DeviceSelector.Failure.none(nearest: [])) {
      try DeviceSelector.select("Bathroom suite", among: Self.devices)
    }
  }
}
