/// A device or service type: `urn:DOMAIN:device:NAME:VERSION` or `urn:DOMAIN:service:NAME:VERSION` (UDA 1.1 §2.3, §2.4).
public struct URN: Sendable, Hashable, CustomStringConvertible {
  /// What the type is a type of.
  public enum Kind: String, Sendable {
    case device, service
  }

  /// `schemas-upnp-org` for the UPnP Forum's types; else the vendor's domain with hyphens for dots.
  public let domain: String
  public let kind: Kind
  /// The name within the domain, such as `MediaRenderer` or `AVTransport`.
  public let name: String
  /// From 1; a later version only adds to the earlier ones, so a device answers for all up to its own.
  public let version: Int

  public init(domain: String, kind: Kind, name: String, version: Int) {
    self.domain = domain
    self.kind = kind
    self.name = name
    self.version = version
  }

  /// Reads a type as it stands in ST, NT or SOAPACTION; nil for anything that is not one.
  public init?(_ text: some StringProtocol) {
    let parts = Substring(text).utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(
      Substring.init)
    guard parts.count == 5, parts[0] == "urn", !parts[1].isEmpty, !parts[3].isEmpty,
      let kind = Kind(rawValue: String(parts[2])),
      let version = Int(parts[4]), version > 0, parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    self.init(domain: String(parts[1]), kind: kind, name: String(parts[3]), version: version)
  }

  public var description: String { "urn:\(domain):\(kind.rawValue):\(name):\(version)" }

  /// The same type in another version.
  public func version(_ version: Int) -> URN {
    URN(domain: domain, kind: kind, name: name, version: version)
  }

  /// Whether something of this type does for one who asks for `other`: same type, and no later version wanted.
  public func satisfies(_ other: URN) -> Bool {
    other.version <= version && other.version(version) == self
  }
}
