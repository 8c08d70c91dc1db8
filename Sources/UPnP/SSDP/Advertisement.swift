/// A root device as SSDP announces it (UDA 1.1 §1.2.2): three messages for the device and one for each service type.
package struct Advertisement: Sendable, Hashable {
  /// `uuid:…`
  package var udn: String
  package var deviceType: URN
  /// Without duplicates: several services of one type count once.
  package var serviceTypes: [URN]
  /// Path of the description on our HTTP server, beginning with `/`.
  package var descriptionPath: String
  /// CONFIGID.UPNP.ORG, 0…16777215. It changes when the description changes.
  package var configID: Int

  package init(udn: String, deviceType: URN, serviceTypes: [URN], descriptionPath: String, configID: Int) {
    self.udn = udn
    self.deviceType = deviceType
    self.serviceTypes = serviceTypes
    self.descriptionPath = descriptionPath
    self.configID = configID
  }
}
