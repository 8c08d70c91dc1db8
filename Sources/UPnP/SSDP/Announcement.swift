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
