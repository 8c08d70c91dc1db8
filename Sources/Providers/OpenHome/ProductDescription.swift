import UPnP

/// The identity of the speaker that Product reports.
public struct ProductDescription: Sendable {
  /// The room, which most controllers show. At most 40 bytes.
  public let room: String
  /// The name of the speaker within the room. At most 20 bytes.
  public let name: String
  let manufacturer: String
  let model: String
  /// The device description's `modelDescription`.
  let modelInfo: String
  /// Model and version.
  let productInfo: String
  /// The absolute path of the icon on our HTTP server.
  let iconPath: String
  /// The absolute path of the page about the product on our HTTP server: the device description, which always exists.
  let pagePath: String

  /// The limits of OpenHome's own player. Some controllers use buffers of this size.
  private static let roomBytes = 40
  private static let nameBytes = 20

  /// - Parameters:
  ///   - room: truncated to the limit, as is `name`.
  ///   - device: the device description, whose texts are used.
  public init(room: String, name: String, device: DeviceInfo, iconPath: String, pagePath: String) {
    self.room = room.truncated(toBytes: Self.roomBytes)
    self.name = name.truncated(toBytes: Self.nameBytes)
    manufacturer = device.manufacturer
    model = device.modelName
    modelInfo = device.modelDescription
    productInfo = "\(device.modelName) \(device.modelNumber)"
    self.iconPath = iconPath
    self.pagePath = pagePath
  }
}

extension String {
  /// The longest prefix of whole characters within the limit.
  fileprivate func truncated(toBytes limit: Int) -> String {
    var bytes = 0
    return String(
      prefix {
        bytes += $0.utf8.count
        return bytes <= limit
      })
  }
}
