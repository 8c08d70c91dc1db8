/// Finds text on which toml++ fails an assertion, which would end the program, before the library sees it.
///
/// Affects toml++ 3.4, which TOMLKit 0.6 contains. Both cases are malformed TOML, so refusing them loses nothing. Without
/// this check `TOMLDocumentTests.headerWithoutNameIsAProblem` and `dateWithoutTimeIsAProblem` crash.
enum TOMLAssertions {
  struct Problem {
    /// Worded like the library's own errors.
    var description: String
    /// The line, from 1.
    var line: Int
  }

  /// - Parameter text: a document, or a single statement of one.
  static func problem(in text: String) -> Problem? {
    if isHeaderWithoutName(text) { return Problem(description: "there is no name behind the [", line: 1) }
    return lineOfDateWithoutTime(text).map {
      Problem(description: "expected digits after the T of a date and time", line: $0)
    }
  }

  /// Whether the text begins with a table header whose name cannot be one.
  private static func isHeaderWithoutName(_ text: String) -> Bool {
    var rest = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    guard rest.popFirst() == "[" else { return false }
    if rest.first == "[" { rest.removeFirst() }
    guard let first = rest.first(where: { $0 != " " && $0 != "\t" }) else { return false }
    // The library itself reports an empty name, `[]`. For the other characters see TOML 1.0, Keys.
    let beginsName = first.isASCII && (first.properties.isAlphabetic || first.properties.numericType != nil)
    return !beginsName && !"-_\"']".unicodeScalars.contains(first)
  }

  /// The line of the first value such as `2024-01-31Tx`, from 1.
  private static func lineOfDateWithoutTime(_ text: String) -> Int? {
    var rest = Substring(text).utf8
    var line = 1
    // Whether a value may begin here.
    var awaitsValue = false
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        line += skipString(quote: byte, in: &rest)
        awaitsValue = false
      case UInt8(ascii: "\n"):
        line += 1
        rest.removeFirst()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): rest.removeFirst()
      case UInt8(ascii: "="), UInt8(ascii: "["), UInt8(ascii: ","):
        awaitsValue = true
        rest.removeFirst()
      default:
        if awaitsValue, isDateWithoutTime(rest) { return line }
        awaitsValue = false
        rest.removeFirst()
      }
    }
    return nil
  }

  /// Whether ten digits and hyphens are followed by a T, and that by anything but a digit.
  private static func isDateWithoutTime(_ text: Substring.UTF8View) -> Bool {
    let bytes = Array(text.prefix(12))
    guard bytes.count == 12, bytes[10] | 0x20 == UInt8(ascii: "t"), !isDigit(bytes[11]) else { return false }
    return bytes[..<10].allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Removes a string, in any of TOML's four notations, from the beginning of the text. A single-line string without a
  /// closing quote ends with its line, where the library stops.
  /// - Returns: the number of line feeds in it.
  private static func skipString(quote: UInt8, in text: inout Substring.UTF8View) -> Int {
    let delimiter = [UInt8](repeating: quote, count: text.starts(with: [quote, quote, quote]) ? 3 : 1)
    let isBasic = quote == UInt8(ascii: "\"")
    text.removeFirst(delimiter.count)
    var lines = 0
    while let byte = text.first, !text.starts(with: delimiter) {
      if byte == UInt8(ascii: "\n") {
        guard delimiter.count == 3 else { return lines }
        lines += 1
      }
      text.removeFirst()
      if isBasic, byte == UInt8(ascii: "\\"), let escaped = text.first, escaped != UInt8(ascii: "\n") {
        text.removeFirst()
      }
    }
    text = text.dropFirst(delimiter.count)
    // The string may end with up to two quotes directly before the closing three.
    while delimiter.count == 3, text.first == quote { text.removeFirst() }
    return lines
  }
}
