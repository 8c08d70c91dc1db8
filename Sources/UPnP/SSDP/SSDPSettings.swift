import Glibc

/// Contents of the announcements besides the devices.
package struct SSDPSettings: Sendable, Hashable {
  /// SERVER: `OS/version UPnP/1.1 product/version`.
  package var product: String
  /// Port of the HTTP server in LOCATION.
  package var httpPort: Int
  /// BOOTID.UPNP.ORG of the first announcement, within `BootID.range`. It must be higher than in any earlier run
  /// (UDA 1.1 §1.2.2).
  package let bootID: Int
  /// Validity of an announcement in seconds, at least 1800 (UDA 1.1 §1.2.2).
  package let maxAge: Int
  /// IP TTL of multicasts: 4 in UDA 1.0, 2 in UDA 1.1.
  package var multicastTTL: UInt8

  /// - Parameters:
  ///   - bootID: clamped to `BootID.range`.
  ///   - maxAge: raised to at least 1800.
  package init(product: String, httpPort: Int, bootID: Int, maxAge: Int = 1800, multicastTTL: UInt8 = 4) {
    self.product = product
    self.httpPort = httpPort
    self.bootID = min(max(bootID, BootID.range.lowerBound), BootID.range.upperBound)
    self.maxAge = max(maxAge, 1800)
    self.multicastTTL = multicastTTL
  }
}

/// BOOTID.UPNP.ORG: a 31-bit number that grows whenever a device announces itself anew (UDA 1.1 §1.2.2).
public enum BootID {
  /// The valid numbers, without 0: a control point may take it for a device without a BOOTID, as in UPnP 1.0.
  public static let range = 1...Int(Int32.max)

  /// Seconds since 1970, for machines whose clock is right when the device starts.
  public static var fromClock: Int { min(max(time(nil), range.lowerBound), range.upperBound) }

  /// The next higher number; the lowest one after the highest.
  public static func next(after bootID: Int) -> Int {
    bootID >= range.lowerBound && bootID < range.upperBound ? bootID + 1 : range.lowerBound
  }
}
