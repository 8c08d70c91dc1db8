/// What an M-SEARCH looks for: its ST (UDA 1.1 §1.3.2).
enum SearchTarget: Sendable, Hashable {
  /// `ssdp:all`
  case all
  /// `upnp:rootdevice`
  case rootDevice
  /// `uuid:…` as it was written.
  case udn(String)
  /// A device or service type, of any version up to ours.
  case type(URN)

  static let rootDeviceText = "upnp:rootdevice"

  /// Nil for an ST that no device could answer.
  init?(_ text: String) {
    switch text {
    case "ssdp:all": self = .all
    case Self.rootDeviceText: self = .rootDevice
    default:
      if text.hasPrefix("uuid:") {
        self = .udn(text)
      } else if let urn = URN(text) {
        self = .type(urn)
      } else {
        return nil
      }
    }
  }
}
