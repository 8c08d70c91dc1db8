import UPnP

/// The description of a root device and the devices embedded in it (UDA 1.1 §2.3).
public struct DeviceDescription: Sendable, Hashable {
  public struct Icon: Sendable, Hashable {
    public var mimeType: String
    /// Pixels; 0 if not given.
    public var width: Int
    /// Pixels; 0 if not given.
    public var height: Int
    public var url: HTTPURL
  }

  /// A service, with resolved URLs. A URL is nil if the description has none, or one that is not an `http` URL.
  public struct Service: Sendable, Hashable {
    /// The type as written. `urn` is its parsed form.
    public var type: String
    public var id: String
    public var scpdURL: HTTPURL?
    public var controlURL: HTTPURL?
    /// Nil for services without evented variables as well.
    public var eventURL: HTTPURL?

    public var urn: URN? { URN(type) }
    /// The name within its domain, such as `AVTransport`; the whole type if that is not a URN.
    public var name: String { urn?.name ?? type }
  }

  public struct Device: Sendable, Hashable {
    /// The type as written. `urn` is its parsed form.
    public var type: String
    /// `uuid:…`
    public var udn: String
    public var friendlyName: String
    public var manufacturer: String
    public var manufacturerURL: String
    public var modelDescription: String
    public var modelName: String
    public var modelNumber: String
    public var modelURL: String
    public var serialNumber: String
    public var presentationURL: HTTPURL?
    public var icons: [Icon]
    public var services: [Service]
    /// Embedded devices.
    public var devices: [Device]

    public var urn: URN? { URN(type) }

    /// The device itself and all embedded ones, depth first.
    public var all: [Device] { [self] + devices.flatMap(\.all) }

    /// The service of that type in the highest version that is at least this one.
    public func service(_ wanted: URN) -> Service? {
      services.filter { $0.urn?.satisfies(wanted) ?? false }
        .max { ($0.urn?.version ?? 0) < ($1.urn?.version ?? 0) }
    }

    /// The first service of that name or type, in any domain, version and case.
    public func service(named name: String) -> Service? {
      let lowered = name.lowercased()
      return services.first { $0.type == name } ?? services.first { $0.name == name }
        ?? services.first { [$0.type.lowercased(), $0.name.lowercased()].contains(lowered) }
    }
  }

  /// The URL that it was read from, after redirects.
  public var location: HTTPURL
  /// The UDA version that the device declares; 1.0 if it declares none.
  public var specVersion: SpecVersion
  public var configID: Int?
  public var root: Device
  public var deviations: [Deviation]

  /// A version of the device architecture.
  public struct SpecVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var major: Int
    public var minor: Int

    public init(major: Int, minor: Int) {
      self.major = major
      self.minor = minor
    }

    public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
    public var description: String { "\(major).\(minor)" }
  }
}
