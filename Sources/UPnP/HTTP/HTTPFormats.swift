import Glibc

/// Dates in HTTP and SSDP headers (IMF-fixdate, RFC 9110 §5.6.7), in English in every locale.
package enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  package static func now() -> String { text(secondsSinceEpoch: time(nil)) }

  package static func text(secondsSinceEpoch seconds: Int) -> String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return """
      \(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + Int(parts.tm_year)) \
      \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT
      """
  }
}

/// Values of CONTENT-TYPE.
package enum ContentType {
  /// The type of descriptions and of answers to actions (UDA 1.1 §2.11, §3.2.2).
  package static let xml = "text/xml; charset=\"utf-8\""
}

extension StringProtocol {
  /// Decodes `%41` to `A` and leaves invalid escapes unchanged (RFC 3986 §2.1). Returns nil if the result is not UTF-8.
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
