/// What a root device says of itself (UDA 1.1 §2.3). What may be absent there may be empty here: URLs, description, model
/// number, serial number.
public struct DeviceInfo: Sendable, Hashable {
  public var deviceType: URN
  /// `uuid:…`
  public var udn: String
  public var friendlyName: String
  public var manufacturer: String
  public var manufacturerURL: String
  public var modelDescription: String
  public var modelName: String
  public var modelNumber: String
  public var modelURL: String
  public var serialNumber: String
  public var icons: [Icon] = []
  /// Where people find a page of the device; nil for none.
  public var presentationURL: String?
  /// Elements of other makers' schemas that stand in `<device>`, such as DLNA's X_DLNADOC, each with its namespace.
  public var extensions: [DescriptionExtension] = []

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
