/// A number that a user typed: absolute such as `40`, or relative such as `+5`, `-5`, `5+` or `5-`.
struct RelativeValue: Equatable {
  var amount: Int
  var isRelative: Bool

  /// The largest value; further digits are refused.
  private static let maximum = 1_000_000

  /// Reads a number. Nil if the text is not one.
  static func number(_ text: String) -> RelativeValue? {
    value(text) { digits in digits.allSatisfy(\.isWholeASCIIDigit) ? Int(digits) : nil }
  }

  /// Reads a time in seconds, `M:SS` or `H:MM:SS`. Nil if the text is not one.
  static func time(_ text: String) -> RelativeValue? {
    value(text) { text in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWholeASCIIDigit) })
      else { return nil }
      let numbers = parts.compactMap { Int($0) }
      guard numbers.count == parts.count, numbers.allSatisfy({ $0 <= maximum }),
        numbers.dropFirst().allSatisfy({ $0 < 60 })
      else { return nil }
      return numbers.reduce(0) { $0 * 60 + $1 }
    }
  }

  private static func value(_ text: String, _ read: (Substring) -> Int?) -> RelativeValue? {
    var digits = text[...]
    var sign: Character?
    if let first = digits.first, "+-".contains(first) {
      sign = digits.removeFirst()
    } else if let last = digits.last, "+-".contains(last) {
      sign = digits.removeLast()
    }
    guard !digits.isEmpty, let number = read(digits), number <= maximum * 3600 else { return nil }
    return RelativeValue(amount: sign == "-" ? -number : number, isRelative: sign != nil)
  }
}

extension Character {
  fileprivate var isWholeASCIIDigit: Bool { ("0"..."9").contains(self) }
}
