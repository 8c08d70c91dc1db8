import UPnP

/// What a service's SCPD says of it as a whole; the generator makes one for each file under service-xml.
public protocol ServiceDefinition {
  static var serviceType: URN { get }
  /// `urn:upnp-org:serviceId:…` for the UPnP Forum's services (UDA 1.1 §2.3).
  static var serviceID: String { get }
  /// The SCPD as it is served, byte for byte.
  static var scpd: StaticString { get }
  /// The shortest times between two events.
  static var moderation: Moderation { get }
}
