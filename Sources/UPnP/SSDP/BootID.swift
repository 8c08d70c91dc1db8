import Glibc

/// BOOTID.UPNP.ORG: a 31-bit number that grows whenever a device announces itself anew (UDA 1.1 §1.2.2).
public enum BootID {
  /// 0 is left out: a control point may take it for a device without a BOOTID, as in UPnP 1.0.
  public static let range = 1...Int(Int32.max)

  /// Seconds since 1970, for machines whose clock is right when the device starts.
  public static var fromClock: Int { min(max(time(nil), range.lowerBound), range.upperBound) }

  /// The next higher number. After the highest one the count starts over, which no device lives to see.
  public static func next(after bootID: Int) -> Int {
    bootID >= range.lowerBound && bootID < range.upperBound ? bootID + 1 : range.lowerBound
  }
}
