/// A universally unique identifier (RFC 9562).
struct UUID: Equatable, CustomStringConvertible {
  /// 16 bytes.
  private let bytes: [UInt8]

  /// A random identifier (version 4).
  static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    return UUID(version4: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Parses `8-4-4-4-12` hexadecimal digits, with or without the prefix `uuid:`; nil for anything else.
  init?(_ text: String) {
    let text = text.hasPrefix("uuid:") ? text.dropFirst(5) : text[...]
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) else {
      return nil
    }
    let digits = Array(groups.joined())
    let bytes = stride(from: 0, to: 32, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  private init(version4 bytes: [UInt8]) {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self.bytes = bytes
  }

  /// An identifier that depends only on this one and a name.
  func derived(_ name: String) -> UUID {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a suffices: the seed is random.
    for byte in bytes + Array(name.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UUID(version4: bytes[..<8] + withUnsafeBytes(of: hash.bigEndian) { Array($0) })
  }

  var description: String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}
