import CTerminal
import Glibc

/// Counts and cuts text in the columns of a terminal.
enum Columns {
  static let ellipsis: Character = "…"

  /// `wcwidth` depends on the locale. Programs start in the C locale, which knows only ASCII.
  private static let hasLocale = setlocale(LC_CTYPE, "C.UTF-8") != nil

  /// The columns of a text without control characters: 2 for wide characters, 0 for combining marks.
  static func count(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + count($1) } }

  /// The text if it fits, otherwise its beginning and an ellipsis. Characters stay whole.
  static func cut(_ text: String, to columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var cut = ""
    var free = columns - 1
    for character in text {
      free -= count(character)
      if free < 0 { break }
      cut.append(character)
    }
    return cut + String(ellipsis)
  }

  /// The text, filled up to the columns with trailing blanks.
  static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - count(text)))
  }

  private static func count(_ character: Character) -> Int {
    if character.isASCII || !hasLocale { return 1 }
    return character.unicodeScalars.reduce(0) { columns, scalar in
      let width = wcwidth(wchar_t(truncatingIfNeeded: scalar.value))
      // -1 is returned for characters that are newer than the system's tables.
      return columns + (width < 0 ? 1 : Int(width))
    }
  }
}
