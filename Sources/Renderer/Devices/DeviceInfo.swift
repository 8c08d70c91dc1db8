import UPnP

extension DeviceInfo {
  /// The description that both devices share.
  /// - Parameters:
  ///   - uuid: without `uuid:`.
  ///   - presentationURL: the page; nil for none.
  static func swiftlet(_ type: URN, name: String, uuid: UUID, presentationURL: String?) -> DeviceInfo {
    var info = DeviceInfo(
      deviceType: type, udn: "uuid:\(uuid)", friendlyName: name, manufacturer: Version.name,
      modelDescription: "Network music player", modelName: Version.name, modelNumber: Version.number,
      serialNumber: "\(uuid)")
    info.icons = Icons.all
    info.presentationURL = presentationURL
    return info
  }
}

/// Icons in the two sizes of DLNA, each as PNG and JPEG (DLNA guidelines 7.3.4.6).
enum Icons {
  static let all: [Icon] = [
    icon("image/png", side: 48, "icon-48.png", IconData.png48),
    icon("image/jpeg", side: 48, "icon-48.jpg", IconData.jpeg48),
    icon("image/png", side: 120, "icon-120.png", IconData.png120),
    icon("image/jpeg", side: 120, "icon-120.jpg", IconData.jpeg120),
  ].compactMap(\.self)

  /// The largest PNG.
  static var largest: Icon? { all.filter { $0.mimeType == "image/png" }.max { $0.width < $1.width } }

  private static func icon(_ mimeType: String, side: Int, _ fileName: String, _ base64: StaticString) -> Icon? {
    base64.withUTF8Buffer { Base64.decode($0) }.map { data in
      Icon(mimeType: mimeType, width: side, height: side, depth: 24, fileName: fileName, data: data)
    }
  }
}
