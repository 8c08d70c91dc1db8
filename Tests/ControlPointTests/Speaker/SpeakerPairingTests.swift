import Testing
import UPnP

@testable import ControlPoint

/// Finds the devices that belong to one speaker.
@Suite struct SpeakerPairingTests {
  enum Kind { case renderer, openHome, both, server, embedded }

  struct Device {
    var name: String
    var kind: Kind
    var host = "192.0.2.1"
    var port: UInt16 = 80
    var manufacturer = "M"

    init(_ name: String, _ kind: Kind, _ host: String = "192.0.2.1", _ port: UInt16 = 80, by manufacturer: String = "M")
    {
      self.name = name
      self.kind = kind
      self.host = host
      self.port = port
      self.manufacturer = manufacturer
    }

    var description: DeviceDescription {
      let av = ["urn:schemas-upnp-org:service:AVTransport:1", "urn:schemas-upnp-org:service:ConnectionManager:1"]
      let openHome = ["urn:av-openhome-org:service:Product:1", "urn:av-openhome-org:service:Playlist:1"]
      let own: [String] =
        switch kind {
        case .renderer: av
        case .openHome: openHome
        case .both: av + openHome
        case .server: ["urn:schemas-upnp-org:service:ContentDirectory:1"]
        case .embedded: []
        }
      let inner = kind == .embedded ? [device("inner", services: av, devices: [])] : []
      return DeviceDescription(
        location: HTTPURL(host: host, port: port, target: "/\(name)"), specVersion: .init(major: 1, minor: 1),
        root: device(name, services: own, devices: inner), deviations: [])
    }

    private func device(
      _ name: String, services: [String], devices: [DeviceDescription.Device]
    ) -> DeviceDescription.Device {
      DeviceDescription.Device(
        type: "", udn: "uuid:\(host):\(port)/\(name)", friendlyName: name, manufacturer: manufacturer,
        manufacturerURL: "", modelDescription: "", modelName: "", modelNumber: "", modelURL: "", serialNumber: "",
        icons: [], services: services.map { .init(type: $0, id: "") }, devices: devices)
    }
  }

  /// Devices, and the speakers as `renderer+openHome`.
  @Test(
    arguments: [
      ([], []),
      ([Device("A", .renderer)], ["A+"]),
      ([Device("A", .openHome)], ["+A"]),
      ([Device("A", .server)], []),
      ([Device("A", .both)], ["A+A"]),
      ([Device("A", .embedded)], ["A+"]),
      // Two devices on one port.
      ([Device("Kitchen (OpenHome)", .openHome), Device("X", .renderer)], ["X+Kitchen (OpenHome)"]),
      ([Device("A", .renderer), Device("S", .server), Device("B", .openHome, by: "N")], ["A+B"]),
      // Two machines, or two instances on one.
      ([Device("A", .renderer), Device("A", .openHome, "192.0.2.2")], ["A+", "+A"]),
      (
        [
          Device("A", .renderer, "192.0.2.1", 1), Device("B", .renderer, "192.0.2.1", 2),
          Device("B (OpenHome)", .openHome, "192.0.2.1", 1), Device("A (OpenHome)", .openHome, "192.0.2.1", 2),
        ], ["A+B (OpenHome)", "B+A (OpenHome)"]
      ),
      // A bridge with several speakers on one port.
      (
        [
          Device("Hall", .renderer), Device("Kitchen", .renderer), Device("Kitchen (OpenHome)", .openHome),
          Device("hall - OpenHome", .openHome),
        ], ["Hall+hall - OpenHome", "Kitchen+Kitchen (OpenHome)"]
      ),
      // Two ports of one host.
      ([Device("A", .renderer, "192.0.2.1", 1), Device("B", .openHome, "192.0.2.1", 2)], ["A+B"]),
      ([Device("A", .renderer, "192.0.2.1", 1), Device("B", .openHome, "192.0.2.1", 2, by: "N")], ["A+", "+B"]),
      (
        [Device("A-UPnP/AV", .renderer, "192.0.2.1", 1), Device("A", .openHome, "192.0.2.1", 2, by: "N")],
        ["A-UPnP/AV+A"]
      ),
      // Ambiguous: either renderer could belong to the OpenHome device.
      (
        [
          Device("A", .renderer, "192.0.2.1", 1), Device("B", .renderer, "192.0.2.1", 2),
          Device("C", .openHome, "192.0.2.1", 3),
        ], ["A+", "B+", "+C"]
      ),
    ])
  func speakers(devices: [Device], expected: [String]) {
    let speakers = SpeakerPairing.speakers(among: devices.map(\.description))
    #expect(
      speakers.map { "\($0.renderer?.root.friendlyName ?? "")+\($0.openHome?.root.friendlyName ?? "")" } == expected)
  }

  @Test(arguments: [
    ("Kitchen (OpenHome)", "kitchen"), ("Kitchen - UPnP/AV", "kitchen"), ("Kitchen", "kitchen"), ("AV", "av"),
    ("DLNA Renderer", "dlna"), ("Living Room [OH]", "living room"), ("", ""),
  ])
  func plainNames(name: String, plain: String) { #expect(SpeakerPairing.plainName(name) == plain) }

  @Test func oneDeviceWithBothIsOneDescription() {
    let both = Device("A", .both).description
    let speaker = SpeakerPairing.speakers(among: [both])[0]
    #expect(speaker.descriptions == [both])
    #expect(SpeakerDevices(renderer: nil, openHome: both).descriptions == [both])
    #expect(SpeakerDevices(renderer: nil, openHome: nil).descriptions == [])
  }
}
