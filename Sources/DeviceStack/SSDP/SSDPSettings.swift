/// What the announcements say beyond the devices themselves.
public struct SSDPSettings: Sendable, Hashable {
  /// SERVER: `OS/version UPnP/1.1 product/version`.
  public var product: String
  /// The port of the HTTP server that LOCATION points to.
  public var httpPort: Int
  /// BOOTID.UPNP.ORG of the first announcement, within `BootID.range`. It must be higher than in any earlier run
  /// (UDA 1.1 §1.2.2).
  public let bootID: Int
  /// How long an announcement holds, in seconds: at least 1800 (UDA 1.1 §1.2.2).
  public let maxAge: Int
  /// How many routers a multicast may pass. UDA 1.0 has 4, UDA 1.1 has 2.
  public var multicastTTL: UInt8

  /// - Parameters:
  ///   - bootID: taken to the nearest number of `BootID.range`.
  ///   - maxAge: raised to 1800 where it is less.
  public init(product: String, httpPort: Int, bootID: Int, maxAge: Int = 1800, multicastTTL: UInt8 = 4) {
    self.product = product
    self.httpPort = httpPort
    self.bootID = min(max(bootID, BootID.range.lowerBound), BootID.range.upperBound)
    self.maxAge = max(maxAge, 1800)
    self.multicastTTL = multicastTTL
  }
}
