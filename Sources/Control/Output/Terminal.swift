import FoundationEssentials
import Glibc

/// Where commands write.
enum Terminal {
  /// Prints a line. What devices send may contain control characters that a terminal would obey.
  static func print(_ line: String) { Swift.print(visible(line)) }

  /// Prints a message to standard error.
  static func complain(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(visible)
    let text = "swiftlet-control: \(lines.joined(separator: "\n"))\n"
    // Nothing can be done about a closed standard error.
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }

  /// Prints a value as JSON on one line.
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Characters of a cell before the last one; a device's name may be of any length.
  private static let maximumCell = 60

  private static func shortened(_ text: String) -> String {
    text.count <= maximumCell ? text : text.prefix(maximumCell - 1) + "…"
  }

  /// Prints rows in columns that are as wide as they need to be.
  static func table(_ rows: [[String]]) {
    let rows = rows.map { $0.dropLast().map { shortened(visible($0)) } + $0.suffix(1).map { visible($0) } }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    for row in rows {
      let cells = row.enumerated().map { index, text in
        index == row.count - 1 ? text : text + String(repeating: " ", count: widths[index] - text.count)
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }

  // MARK: Terminals

  /// Whether standard output is a terminal that can move its cursor.
  static let isInteractive =
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } ?? "dumb" != "dumb"

  /// Columns of the terminal.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Replaces the line that the last call has printed.
  static func progress(_ line: String) {
    let text = visible(line).replacing("\t", with: " ")
    Swift.print("\r\u{1B}[K" + text.prefix(width - 1), terminator: "")
    flush()
  }

  /// Ends the line of `progress`.
  static func endProgress() { if isInteractive { Swift.print("") } }

  /// Prints what is buffered, for readers of a pipe.
  static func flush() { fflush(nil) }

  /// The text with control characters replaced, and without the marks that would reverse or hide what follows them.
  static func visible(_ text: some StringProtocol) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: visible.append(scalar == "\t" ? scalar : "\u{FFFD}")
      // Joiners belong to emoji and to several scripts.
      case .format where scalar.value != 0x200C && scalar.value != 0x200D: break
      case .lineSeparator, .paragraphSeparator: visible.append(" ")
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }
}
