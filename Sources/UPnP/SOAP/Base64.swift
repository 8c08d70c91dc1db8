/// Base64 (RFC 4648 §4) for UPnP's bin.base64.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
      bytes.withUnsafeBufferPointer { bytes in
        alphabet.withUnsafeBufferPointer { alphabet in
          var written = 0
          var start = 0
          while start < bytes.count {
            let count = min(3, bytes.count - start)
            var bits = Int(bytes[start]) << 16
            if count > 1 { bits |= Int(bytes[start + 1]) << 8 }
            if count > 2 { bits |= Int(bytes[start + 2]) }
            output[written] = alphabet[bits >> 18]
            output[written + 1] = alphabet[bits >> 12 & 63]
            output[written + 2] = count > 1 ? alphabet[bits >> 6 & 63] : UInt8(ascii: "=")
            output[written + 3] = count > 2 ? alphabet[bits & 63] : UInt8(ascii: "=")
            written += 4
            start += 3
          }
          return written
        }
      }
    }
  }

  /// Blanks between the characters are passed over, as XML schema has it; nil for anything that is not base64.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var characters = 0
    var padding = 0
    for character in text where character != 0x20 && !(0x09...0x0D).contains(character) {
      characters += 1
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: character) else { return nil }
      bits = (bits << 6 | value) & 0xFF_FFFF
      switch characters % 4 {
      case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
      case 3: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
      case 0: bytes.append(UInt8(truncatingIfNeeded: bits))
      default: break
      }
    }
    return characters % 4 == 0 && padding <= 2 ? bytes : nil
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
