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

/// A notification type with its USN: one of the messages that announce a root device (UDA 1.1 §1.2.2).
package struct Announcement: Sendable, Hashable {
  /// NT in notifications; ST in the answer to `ssdp:all`.
  package var type: String
  /// Unique service name: the UDN, followed by `::` and the type unless the type is the UDN itself.
  package var usn: String
  package var descriptionPath: String
  package var configID: Int

  /// - Parameter type: nil for the UDN alone.
  package init(of device: Advertisement, as type: String? = nil) {
    self.type = type ?? device.udn
    usn = type.map { "\(device.udn)::\($0)" } ?? device.udn
    descriptionPath = device.descriptionPath
    configID = device.configID
  }
}

extension Advertisement {
  /// The three announcements of the device, `upnp:rootdevice` first, then one for each service type.
  package var announcements: [Announcement] {
    [
      Announcement(of: self, as: SearchTarget.rootDeviceText), Announcement(of: self),
      Announcement(of: self, as: deviceType.description),
    ] + serviceTypes.map { Announcement(of: self, as: $0.description) }
  }
}

/// The kind of a NOTIFY (UDA 1.1 §1.2.2 to §1.2.4).
package enum SSDPNotification: Sendable, Hashable {
  /// `ssdp:alive`: the device is available.
  case alive(bootID: Int)
  /// `ssdp:byebye`: the device leaves.
  case byebye(bootID: Int)
  /// `ssdp:update`: the device stays, and later announcements carry the next BOOTID.
  case update(bootID: Int, next: Int)
}
