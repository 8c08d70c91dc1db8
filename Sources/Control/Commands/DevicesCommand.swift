import ArgumentParser
import ControlPoint
import Glibc
import UPnP

/// `swiftlet-control devices`
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List all devices on the network.")

  @OptionGroup var options: NetworkOptions

  func run() async throws { try await DeviceList.show(.rootDevice, options) }
}

/// `swiftlet-control servers`
struct ServersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "servers", abstract: "List the media servers on the network.")

  @OptionGroup var options: NetworkOptions

  func run() async throws {
    let type = URN(domain: "schemas-upnp-org", kind: .device, name: "MediaServer", version: 1)
    try await DeviceList.show(.type(type), options)
  }
}

/// Devices as a table, or as JSON.
private enum DeviceList {
  struct Line: Encodable {
    var name, type, udn, model, manufacturer, server, url: String
    var services: [String]
    var deviations: Int
  }

  static func show(_ target: SearchTarget, _ options: NetworkOptions) async throws {
    try await Session.run(options) { session in
      let findings = await session.find(target)
      let devices = findings.devices
      if options.json {
        for device in devices { try Terminal.json(line(device)) }
      } else if !devices.isEmpty {
        Terminal.table([["NAME", "TYPE", "ADDRESS", "MODEL"]] + devices.map(row))
      }
      for failure in findings.failures { Terminal.complain("\(failure.device.location): \(failure.error)") }
      if devices.isEmpty {
        Terminal.complain("No device answered. --wait 5 searches longer; --interface names the network to search.")
        throw ExitCode(EX_NOHOST)
      }
    }
  }

  private static func row(_ device: FoundDevice) -> [String] {
    [
      device.root.friendlyName, device.root.urn.map { "\($0.name):\($0.version)" } ?? device.root.type, device.host,
      device.root.modelName,
    ]
  }

  private static func line(_ device: FoundDevice) -> Line {
    let root = device.root
    return Line(
      name: root.friendlyName, type: root.type, udn: root.udn, model: root.modelName, manufacturer: root.manufacturer,
      server: device.server, url: device.description.location.description, services: device.services.map(\.type),
      deviations: device.description.deviations.count)
  }
}
