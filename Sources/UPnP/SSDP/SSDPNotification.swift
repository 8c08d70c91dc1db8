/// The kind of a NOTIFY (UDA 1.1 §1.2.2 to §1.2.4).
package enum SSDPNotification: Sendable, Hashable {
  /// `ssdp:alive`: the device is available.
  case alive(bootID: Int)
  /// `ssdp:byebye`: the device leaves.
  case byebye(bootID: Int)
  /// `ssdp:update`: the device stays, and later announcements carry the next BOOTID.
  case update(bootID: Int, next: Int)
}
