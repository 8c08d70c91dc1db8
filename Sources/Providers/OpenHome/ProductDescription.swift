import UPnP

/// What the Product service reports about the speaker itself, apart from its sources.
public struct ProductDescription: Sendable {
  /// The room that the speaker is in, which most controllers show. At most 40 bytes.
  public let room: String
  /// The name of the speaker within the room. At most 20 bytes.
  public let name: String
  let manufacturer: String
  let model: String
  /// What kind of device it is, from the device description.
  let modelInfo: String
  /// Model and version.
  let productInfo: String
  /// The path of the icon on our HTTP server, from `/`.
  let iconPath: String
  /// The path of the device description on our HTTP server, from `/`: the only page about the product that is sure to
  /// exist.
  let pagePath: String

  /// The limits of OpenHome's own player; some controllers reserve no more.
  private static let roomBytes = 40
  private static let nameBytes = 20

  /// - Parameters:
  ///   - room: cut after the last whole character that fits, as is `name`.
  ///   - device: the device description; the texts agree with it.
  public init(room: String, name: String, device: DeviceInfo, iconPath: String, pagePath: String) {
    self.room = room.cut(toBytes: Self.roomBytes)
    self.name = name.cut(toBytes: Self.nameBytes)
    manufacturer = device.manufacturer
    model = device.modelName
    modelInfo = device.modelDescription
    productInfo = "\(device.modelName) \(device.modelNumber)"
    self.iconPath = iconPath
    self.pagePath = pagePath
  }
}

extension String {
  /// As many whole characters as fit into the limit.
  fileprivate func cut(toBytes limit: Int) -> String {
    var bytes = 0
    return String(
      prefix {
        bytes += $0.utf8.count
        return bytes <= limit
      })
  }
}
