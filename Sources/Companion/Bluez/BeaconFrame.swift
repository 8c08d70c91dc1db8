/// The data of an iBeacon advertisement.
struct BeaconFrame: Sendable, Equatable {
  /// Apple's company identifier, which precedes these bytes in the manufacturer data.
  static let company: UInt16 = 0x004C
  /// The type, 2, and the number of bytes that follow.
  private static let head: [UInt8] = [0x02, 0x15]

  var uuid: ProximityUUID
  var major: UInt16
  var minor: UInt16
  /// RSSI at one metre, in dBm.
  var power: Int8

  init(uuid: ProximityUUID, major: UInt16, minor: UInt16, power: Int8) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.power = power
  }

  /// The manufacturer data without the company identifier: 23 bytes.
  var bytes: [UInt8] {
    Self.head + uuid.bytes + [UInt8(major >> 8), UInt8(major & 0xFF), UInt8(minor >> 8), UInt8(minor & 0xFF)]
      + [UInt8(bitPattern: power)]
  }

  /// Parses manufacturer data; nil for Apple's other formats, such as AirDrop's.
  init?(bytes: [UInt8]) {
    guard bytes.count == 23, bytes.starts(with: Self.head), let uuid = ProximityUUID(bytes[2..<18]) else { return nil }
    self.init(
      uuid: uuid, major: UInt16(bytes[18]) << 8 | UInt16(bytes[19]), minor: UInt16(bytes[20]) << 8 | UInt16(bytes[21]),
      power: Int8(bitPattern: bytes[22]))
  }
}
