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

/// Chooses a device by what a person typed.
struct DeviceSelector {
  enum Failure: Error, Hashable {
    case none(nearest: [String])
    case several([String])
  }

  /// - Parameter text: part of a name, UDN, address or URL, in any case.
  /// - Throws: when none or several match. A complete name, UDN, address or URL wins over parts.
  static func select(_ text: String, among devices: [FoundDevice]) throws(Failure) -> FoundDevice {
    let wanted = text.lowercased()
    let exact = devices.filter { terms($0).contains(wanted) }
    if exact.count == 1 { return exact[0] }
    let matches = exact.isEmpty ? devices.filter { terms($0).contains { $0.contains(wanted) } } : exact
    if matches.count == 1 { return matches[0] }
    if matches.isEmpty { throw .none(nearest: nearest(wanted, among: devices)) }
    throw .several(matches.map { "\($0.root.friendlyName) (\($0.root.udn))" }.sorted())
  }

  private static func terms(_ device: FoundDevice) -> [String] {
    [device.root.friendlyName, device.root.udn, device.host, device.description.location.description]
      .map { $0.lowercased() }
  }

  /// The names with the fewest differing characters, at most three.
  private static func nearest(_ text: String, among devices: [FoundDevice]) -> [String] {
    var nearest = NearestNames(text)
    for device in devices { nearest.consider(device.root.friendlyName) }
    return nearest.names
  }
}
