import UPnP

extension DeviceInfo {
  /// What both devices say of themselves.
  /// - Parameter uuid: without `uuid:`.
  static func swiftlet(_ type: URN, name: String, uuid: UUID) -> DeviceInfo {
    var info = DeviceInfo(
      deviceType: type, udn: "uuid:\(uuid)", friendlyName: name, manufacturer: Version.name,
      modelDescription: "Network music player", modelName: Version.name, modelNumber: Version.number,
      serialNumber: "\(uuid)")
    info.icons = Icons.all
    return info
  }
}
