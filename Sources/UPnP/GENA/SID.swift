/// The name of a subscription: `uuid:` and a random UUID (UDA 1.1 §4.1.1), kept as its 16 bytes.
package struct SID: Sendable, Hashable, CustomStringConvertible {
  private let bits: UInt128

  /// A new one, version 4 of RFC 4122. Who cannot guess it cannot end another's subscription.
  package init(using generator: inout some RandomNumberGenerator) {
    let random = UInt128.random(in: .min ... .max, using: &generator)
    let version: UInt128 = 0x4 << 76
    let variant: UInt128 = 0x2 << 62
    bits = random & ~(0xF << 76) & ~(0x3 << 62) | version | variant
  }

  /// Reads the header's value; nil if it is not one of ours by its form.
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
