extension StringProtocol {
  /// With `%41` as `A`, and what is no such code as it stands (RFC 3986 §2.1); nil if that is no UTF-8.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let hex = String(decoding: rest.prefix(2), as: UTF8.self).hexByte {
        bytes.append(hex)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate var hexByte: UInt8? { allSatisfy(\.isHexDigit) ? UInt8(self, radix: 16) : nil }
}
