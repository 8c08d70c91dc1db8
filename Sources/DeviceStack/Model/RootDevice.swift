/// A root device: what it says of itself, and its services.
public struct RootDevice {
  public var info: DeviceInfo
  public var services: [HostedService]
  /// The first part of all its URLs: `renderer` gives `/renderer/description.xml`.
  public var folder: String

  public init(info: DeviceInfo, services: [HostedService], folder: String) {
    self.info = info
    self.services = services
    self.folder = folder
  }

  var paths: DevicePaths { DevicePaths(folder: folder) }
}
