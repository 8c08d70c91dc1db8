/// A device or service type: `urn:DOMAIN:device:NAME:VERSION` or `urn:DOMAIN:service:NAME:VERSION` (UDA 1.1 §2.3, §2.4).
public struct URN: Sendable, Hashable, CustomStringConvertible {
  /// Devices and services have types.
  public enum Kind: String, Sendable {
    /// `device`
    case device
    /// `service`
    case service
  }

  /// `schemas-upnp-org` for the UPnP Forum's types, otherwise the vendor's domain with hyphens for dots.
  public let domain: String
  /// Device or service.
  public let kind: Kind
  /// The name within the domain, such as `MediaRenderer` or `AVTransport`.
  public let name: String
  /// From 1. Versions are backward compatible, so a device answers for all versions up to its own.
  public let version: Int

  /// The type `urn:DOMAIN:KIND:NAME:VERSION`.
  public init(domain: String, kind: Kind, name: String, version: Int) {
    self.domain = domain
    self.kind = kind
    self.name = name
    self.version = version
  }

  /// Parses a type as in ST, NT or SOAPACTION. Returns nil if it is malformed.
  public init?(_ text: some StringProtocol) {
    let parts = Substring(text).utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(
      Substring.init)
    guard parts.count == 5, parts[0] == "urn", !parts[1].isEmpty, !parts[3].isEmpty,
      let kind = Kind(rawValue: String(parts[2])),
      let version = Int(parts[4]), version > 0, parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.init(domain: String(parts[1]), kind: kind, name: String(parts[3]), version: version)
  }

  /// `urn:DOMAIN:KIND:NAME:VERSION`
  public var description: String { "urn:\(domain):\(kind.rawValue):\(name):\(version)" }

  /// The same type in another version.
  public func version(_ version: Int) -> URN {
    URN(domain: domain, kind: kind, name: name, version: version)
  }

  /// Whether this type answers a request for `other`: the same type in this or an earlier version.
  public func satisfies(_ other: URN) -> Bool {
    other.version <= version && other.version(version) == self
  }
}
