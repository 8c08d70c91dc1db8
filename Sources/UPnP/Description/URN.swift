/// A device or service type: `urn:DOMAIN:device:NAME:VERSION` or `urn:DOMAIN:service:NAME:VERSION` (UDA 1.1 §2.3, §2.4).
public struct URN: Sendable, Hashable, CustomStringConvertible {
  public enum Kind: String, Sendable {
    case device
    case service
  }

  /// `schemas-upnp-org` for the UPnP Forum's types, otherwise the vendor's domain with hyphens for dots.
  public let domain: String
  public let kind: Kind
  /// The name within the domain, such as `MediaRenderer` or `AVTransport`.
  public let name: String
  /// The version, from 1. Versions are backward compatible, so a device answers for all versions up to its own.
  public let version: Int

  public init(domain: String, kind: Kind, name: String, version: Int) {
    self.domain = domain
    self.kind = kind
    self.name = name
    self.version = version
  }

  /// Parses a type as in ST, NT or SOAPACTION. Returns nil if it is malformed.
  public init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let parsed = text.withUTF8({ URN(utf8: $0) }) else { return nil }
    self = parsed
  }

  /// Works on bytes: every action and every search has a type.
  init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    var colons: (Int, Int, Int, Int) = (0, 0, 0, 0)
    var count = 0
    for index in 0..<text.count where text[index] == UInt8(ascii: ":") {
      switch count {
      case 0: colons.0 = index
      case 1: colons.1 = index
      case 2: colons.2 = index
      case 3: colons.3 = index
      default: return nil
      }
      count += 1
    }
    guard count == 4, text[..<colons.0].elementsEqual("urn".utf8), colons.1 > colons.0 + 1, colons.3 > colons.2 + 1,
      let version = Self.version(text[(colons.3 + 1)...])
    else { return nil }
    func part(_ range: Range<Int>) -> String {
      String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)
    }
    guard let kind = Kind(rawValue: part(colons.1 + 1..<colons.2)) else { return nil }
    self.init(
      domain: part(colons.0 + 1..<colons.1), kind: kind, name: part(colons.2 + 1..<colons.3), version: version)
  }

  /// A number from 1, in digits only.
  private static func version(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var version = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      let (tens, isLarge) = version.multipliedReportingOverflow(by: 10)
      let (next, isLarger) = tens.addingReportingOverflow(Int(digit) - 0x30)
      if isLarge || isLarger { return nil }
      version = next
    }
    return version > 0 ? version : nil
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
