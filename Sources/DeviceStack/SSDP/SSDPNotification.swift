/// What a NOTIFY tells about an announcement (UDA 1.1 §1.2.2 to §1.2.4).
enum SSDPNotification: Sendable, Hashable {
  /// It is there.
  case alive(bootID: Int)
  /// It goes.
  case byebye(bootID: Int)
  /// It stays, and the announcements after this one carry another BOOTID.
  case update(bootID: Int, next: Int)
}
