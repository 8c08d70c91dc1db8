/// One of the things that a root device announces itself as: a notification type with its USN (UDA 1.1 §1.2.2).
struct Announcement: Sendable, Hashable {
  /// NT of a notification, ST of the answer to a search for everything.
  var type: String
  /// The unique service name: the UDN, and the type behind two colons where the type is not the UDN itself.
  var usn: String
  var descriptionPath: String
  var configID: Int

  /// - Parameter type: nil for the UDN alone.
  init(of device: Advertisement, as type: String? = nil) {
    self.type = type ?? device.udn
    usn = type.map { "\(device.udn)::\($0)" } ?? device.udn
    descriptionPath = device.descriptionPath
    configID = device.configID
  }
}

extension Advertisement {
  /// The three announcements of the device and one for each service type, root device first.
  var announcements: [Announcement] {
    [
      Announcement(of: self, as: SearchTarget.rootDeviceText), Announcement(of: self),
      Announcement(of: self, as: deviceType.description),
    ] + serviceTypes.map { Announcement(of: self, as: $0.description) }
  }
}
