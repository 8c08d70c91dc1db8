/// One root device as discovery announces it (UDA 1.1 §1.2.2): three messages for the device and one for each service type.
public struct Advertisement: Sendable, Hashable {
  /// `uuid:…`
  public var udn: String
  public var deviceType: URN
  /// Each service type once, however many instances there are.
  public var serviceTypes: [URN]
  /// Where the description is, as a path on our HTTP server, from `/`.
  public var descriptionPath: String
  /// CONFIGID.UPNP.ORG: changes with the description (0…16777215).
  public var configID: Int

  public init(udn: String, deviceType: URN, serviceTypes: [URN], descriptionPath: String, configID: Int) {
    self.udn = udn
    self.deviceType = deviceType
    self.serviceTypes = serviceTypes
    self.descriptionPath = descriptionPath
    self.configID = configID
  }
}
