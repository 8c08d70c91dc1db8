import ControlPoint
import UPnP

/// A device whose description was read.
struct FoundDevice: Sendable, Hashable {
  var description: DeviceDescription
  /// SERVER of its announcements; empty if it was named by its URL.
  var server = ""

  var root: DeviceDescription.Device { description.root }
  var host: String { description.location.host }

  /// All services of the root device and the devices embedded in it.
  var services: [DeviceDescription.Service] { root.all.flatMap(\.services) }

  /// The first service of that name or type, in any embedded device.
  func service(named name: String) -> DeviceDescription.Service? {
    root.all.lazy.compactMap { $0.service(named: name) }.first
  }
}

extension FoundDevice: Selectable {
  var names: [String] { [root.friendlyName] }
  var identifiers: [String] { [root.udn, host, description.location.description] }
  var label: String { "\(root.friendlyName)  \(root.udn)  \(host)" }
}

/// A speaker's devices, or one other device.
struct Machine: Selectable {
  var devices: [DeviceDescription]

  var names: [String] { devices.map(\.root.friendlyName) }
  var identifiers: [String] { devices.flatMap { FoundDevice(description: $0).identifiers } }
  var label: String { devices.first.map { FoundDevice(description: $0).label } ?? "" }
}

/// One or two devices of one machine.
extension SpeakerDevices: Selectable {
  var names: [String] { descriptions.map(\.root.friendlyName) }
  var identifiers: [String] { descriptions.flatMap { FoundDevice(description: $0).identifiers } }
  var label: String { descriptions.first.map { FoundDevice(description: $0).label } ?? name }
}
