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

  /// Prints rows in columns that are as wide as they need to be.
  static func table(_ rows: [[String]]) {
    let rows = rows.map { $0.map(visible) }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    for row in rows {
      let cells = row.enumerated().map { index, text in
        index == row.count - 1 ? text : text + String(repeating: " ", count: widths[index] - text.count)
      }
      Swift.print(cells.joined(separator: "  "))
    }
  }

  /// The text with control characters replaced.
  static func visible(_ text: some StringProtocol) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control && $0 != "\t" ? "\u{FFFD}" : $0 }))
  }
}
