/// The part of JSON that OpenHome's services use (RFC 8259).
enum JSONText {
  /// A quoted and escaped string (RFC 8259 §7).
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ":
        let code = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// - Parameter elements: JSON texts.
  static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

  /// - Parameter members: names, and values as JSON texts.
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { "\(string($0.key)):\($0.value)" }.joined(separator: ",") + "}"
  }

  /// Parses an array of non-negative integers, such as `[1, 2, 0]`; nil for anything else and for more than `limit`.
  static func numbers(_ text: String, limit: Int) -> [UInt32]? {
    let array = trimmed(text.utf8[...])
    guard array.count >= 2, array.first == UInt8(ascii: "["), array.last == UInt8(ascii: "]") else { return nil }
    let elements = trimmed(array.dropFirst().dropLast())
    if elements.isEmpty { return [] }
    var numbers: [UInt32] = []
    for element in elements.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let digits = trimmed(element)
      // No sign and no leading zeros (RFC 8259 §6).
      guard numbers.count < limit, digits.allSatisfy({ (0x30...0x39).contains($0) }),
        digits.count == 1 || digits.first != UInt8(ascii: "0"), let number = UInt32(Substring(digits))
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// The text without leading and trailing whitespace (RFC 8259 §2).
  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    var text = text.drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text
  }
}
