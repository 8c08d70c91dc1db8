/// The proximity UUID of an iBeacon.
package struct ProximityUUID: Sendable, Hashable, LosslessStringConvertible {
  /// The 16 bytes of the UUID.
  package let bytes: [UInt8]

  /// Nil unless there are 16 bytes.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Parses `8-4-4-4-12` hexadecimal digits in either case; nil for anything else.
  package init?(_ text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = groups.joined().compactMap(\.hexDigitValue)
    guard digits.count == 32 else { return nil }
    bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// A random UUID, version 4 of RFC 9562.
  static func random(using generator: inout some RandomNumberGenerator) -> ProximityUUID {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return ProximityUUID(unchecked: bytes)
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  /// Lower case, with dashes.
  package var description: String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }
}
