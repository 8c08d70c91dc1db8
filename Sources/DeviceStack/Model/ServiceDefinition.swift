import UPnP

/// A hosted service as its SCPD describes it. The generator makes one for each SCPD that a target selects.
public protocol ServiceDefinition {
  static var serviceType: URN { get }
  /// `urn:upnp-org:serviceId:…` for the UPnP Forum's services (UDA 1.1 §2.3).
  static var serviceID: String { get }
  /// The SCPD as it is served, byte for byte.
  static var scpd: StaticString { get }
  /// The shortest times between two events.
  static var moderation: Moderation { get }
}
