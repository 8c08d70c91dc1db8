/// Forms of texts for searching and sorting.
enum SortText {
  /// Between and around several values in one column. Tags have no control characters.
  static let separator = "\u{1F}"

  /// Lower case without accents: `Beyoncé` and `BEYONCE` are the same.
  static func folded(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.lowercased().unicodeScalars {
      if scalar.value < 0xC0 {
        result.unicodeScalars.append(scalar)
      } else if let plain = plainLetters[scalar] {
        result += plain
      } else if !(0x300...0x36F).contains(scalar.value) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Several values, each between separators; empty if there are none.
  static func folded(_ values: [String]) -> String {
    values.isEmpty ? "" : separator + values.map { folded($0) }.joined(separator: separator) + separator
  }

  /// Several values in one column.
  static func joined(_ values: [String]) -> String { values.joined(separator: separator) }

  /// The values in a column.
  static func values(_ text: String) -> [String] { text.split(separator: separator).map(String.init) }

  /// The values of a column for people; nil if there are none.
  static func display(_ text: String) -> String? {
    text.isEmpty ? nil : values(text).joined(separator: ", ")
  }

  /// A key whose binary order is that of people: numbers by value, without regard to case, accents and blanks at the start.
  static func key(_ text: String) -> String {
    var result = ""
    var rest = folded(String(text.drop { $0 == " " }.prefix(maximumLength))).unicodeScalars[...]
    while let first = rest.first {
      guard isDigit(first) else {
        result.unicodeScalars.append(first)
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { isDigit($0) }
      rest = rest[digits.endIndex...]
      let number = digits.drop { $0 == "0" }
      // The number of digits comes first: 2 before 10.
      result.unicodeScalars.append(Unicode.Scalar(UInt8(0x30 + min(number.count, 9))))
      result.unicodeScalars.append(contentsOf: number)
    }
    return result
  }

  private static let maximumLength = 200

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static let plainLetters: [Unicode.Scalar: String] = {
    let letters = [
      "a": "àáâãäåāăą", "ae": "æ", "c": "çćĉċč", "d": "ðďđ", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ",
      "i": "ìíîïĩīĭįı", "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņň", "o": "òóôõöøōŏő", "oe": "œ", "r": "ŕŗř",
      "s": "śŝşšș", "ss": "ß", "t": "ţťŧț", "th": "þ", "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ", "z": "źżž",
    ]
    var table: [Unicode.Scalar: String] = [:]
    for (plain, accented) in letters {
      for scalar in accented.unicodeScalars { table[scalar] = plain }
    }
    return table
  }()
}
