/// The identifier of a subscription: `uuid:` and a random UUID (UDA 1.1 §4.1.1), stored as 16 bytes.
package struct SID: Sendable, Hashable, CustomStringConvertible {
  private let bits: UInt128

  /// A random UUID (version 4, RFC 4122), so that nobody can guess it and cancel another's subscription.
  package init(using generator: inout some RandomNumberGenerator) {
    let random = UInt128.random(in: .min ... .max, using: &generator)
    let version: UInt128 = 0x4 << 76
    let variant: UInt128 = 0x2 << 62
    bits = random & ~(0xF << 76) & ~(0x3 << 62) | version | variant
  }

  /// Parses the header's value. Returns nil for any format but ours.
  package init?(_ text: String) {
    let parts = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].hasPrefix("uuid:") else { return nil }
    let groups = [parts[0].dropFirst("uuid:".count)] + parts[1...]
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], groups[0].first != "+",
      let bits = UInt128(groups.joined(), radix: 16)
    else { return nil }
    self.bits = bits
  }

  package var description: String {
    String(unsafeUninitializedCapacity: 41) { text in
      var count = 0
      func append(_ byte: UInt8) {
        text[count] = byte
        count += 1
      }
      for byte in "uuid:".utf8 { append(byte) }
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 { append(UInt8(ascii: "-")) }
        let digit = UInt8(truncatingIfNeeded: bits >> UInt128(124 - 4 * index)) & 0xF
        append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      }
      return count
    }
  }
}

/// The TIMEOUT header of SUBSCRIBE and its answer: `Second-` and a number of seconds (UDA 1.1 §4.1.2).
package enum TimeoutHeader {
  /// In seconds; recommended by UDA 1.1. A longer one would keep vanished subscribers for too long.
  static let maximum = 1800
  /// In seconds. With a shorter one, subscriptions could expire before a renewal gets through bad Wi-Fi.
  static let minimum = 10

  /// The seconds to grant: the requested time within the limits; the maximum for `infinite`, a missing or malformed value.
  package static func granted(_ value: String?) -> Int {
    guard let value else { return maximum }
    let text = value.lowercased()
    guard text.hasPrefix("second-") else { return maximum }
    let digits = text.dropFirst("second-".count)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(digits) else { return maximum }
    return min(max(seconds, minimum), maximum)
  }

  package static func text(_ seconds: Int) -> String { "Second-\(seconds)" }
}
