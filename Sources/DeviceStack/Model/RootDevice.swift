import UPnP

/// A root device: what it says of itself, and its services.
public struct RootDevice {
  public var info: DeviceInfo
  public var services: [HostedService]
  /// The first part of all its URLs: `renderer` gives `/renderer/description.xml`.
  public var folder: String
  /// The DNS-SD service type that it is announced as, such as `_openhome._tcp`, with the description's URL in the TXT
  /// record's `upnp`; nil for none.
  public var dnssdType: String?

  public init(info: DeviceInfo, services: [HostedService], folder: String) {
    self.info = info
    self.services = services
    self.folder = folder
  }

  /// The path of the device description on the HTTP server, from `/`.
  public var descriptionPath: String { paths.description }

  var paths: DevicePaths { DevicePaths(folder: folder) }
}
