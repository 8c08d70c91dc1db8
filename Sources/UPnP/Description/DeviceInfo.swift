/// The content of a root device's description (UDA 1.1 §2.3). Optional elements are omitted if they are empty: URLs,
/// model description, model number, serial number.
public struct DeviceInfo: Sendable, Hashable {
  /// The type that control points search for.
  public var deviceType: URN
  /// Unique device name: `uuid:` and a UUID, the same in every run.
  public var udn: String
  /// The name that users see; at most 63 characters.
  public var friendlyName: String
  public var manufacturer: String
  /// The manufacturer's web site.
  public var manufacturerURL: String
  /// A sentence for users.
  public var modelDescription: String
  public var modelName: String
  /// The model's number or version.
  public var modelNumber: String
  /// The model's web page.
  public var modelURL: String
  /// The manufacturer's serial number.
  public var serialNumber: String
  /// Icons, served by the host.
  public var icons: [Icon] = []
  /// The URL of a web page of the device; nil for none.
  public var presentationURL: String?
  /// Vendor elements of `<device>`, such as DLNA's X_DLNADOC.
  public var extensions: [DescriptionExtension] = []

  /// Optional elements are empty by default.
  public init(
    deviceType: URN, udn: String, friendlyName: String, manufacturer: String, manufacturerURL: String = "",
    modelDescription: String = "", modelName: String, modelNumber: String = "", modelURL: String = "",
    serialNumber: String = ""
  ) {
    self.deviceType = deviceType
    self.udn = udn
    self.friendlyName = friendlyName
    self.manufacturer = manufacturer
    self.manufacturerURL = manufacturerURL
    self.modelDescription = modelDescription
    self.modelName = modelName
    self.modelNumber = modelNumber
    self.modelURL = modelURL
    self.serialNumber = serialNumber
  }
}

/// An icon of a device (UDA 1.1 §2.3 `<icon>`).
public struct Icon: Sendable, Hashable {
  /// `image/png` or `image/jpeg`.
  public var mimeType: String
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// Bits per pixel.
  public var depth: Int
  /// The last component of its URL, such as `icon-48.png`.
  public var fileName: String
  public var data: [UInt8]

  /// - Parameters:
  ///   - mimeType: `image/png` or `image/jpeg`.
  ///   - depth: bits per pixel.
  ///   - fileName: the last component of its URL, unique within the device.
  public init(mimeType: String, width: Int, height: Int, depth: Int, fileName: String, data: [UInt8]) {
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.depth = depth
    self.fileName = fileName
    self.data = data
  }
}

/// A vendor element in a device description.
public struct DescriptionExtension: Sendable, Hashable {
  /// The prefix that control points expect, although XML allows any.
  public var prefix: String
  /// The namespace URI.
  public var namespace: String
  /// The local name.
  public var name: String
  /// The text content, unescaped.
  public var text: String

  /// An element `<prefix:name>` with text content.
  public init(prefix: String, namespace: String, name: String, text: String) {
    self.prefix = prefix
    self.namespace = namespace
    self.name = name
    self.text = text
  }
}
