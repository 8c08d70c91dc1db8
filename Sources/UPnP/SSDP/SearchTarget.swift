/// The ST of an M-SEARCH (UDA 1.1 §1.3.2).
package enum SearchTarget: Sendable, Hashable {
  /// `ssdp:all`
  case all
  /// `upnp:rootdevice`
  case rootDevice
  /// `uuid:…` as received.
  case udn(String)
  /// A device or service type. Matches any of our versions from this one on.
  case type(URN)

  package static let rootDeviceText = "upnp:rootdevice"

  /// Nil for an invalid ST.
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
