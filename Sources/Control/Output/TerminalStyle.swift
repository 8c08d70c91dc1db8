/// The capabilities of standard output.
struct TerminalStyle: Equatable {
  /// Maximum width of an aligned column, since a device's name may be of any length.
  private static let maximumCell = 60

  /// Columns of a line; nil in a pipe or file, where lines are never cut.
  var columns: Int?
  var hasBold: Bool

  /// The style of a pipe or a file.
  static let plain = TerminalStyle(columns: nil, hasBold: false)

  private init(columns: Int?, hasBold: Bool) {
    self.columns = columns
    self.hasBold = hasBold
  }

  /// The style of a terminal.
  /// - Parameter columns: nil if it does not know its width.
  /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM` are used.
  init(columns: Int?, environment: [String: String]) {
    self.columns = columns
    let terminal = environment["TERM"] ?? ""
    hasBold = (environment["NO_COLOR"] ?? "").isEmpty && !terminal.isEmpty && terminal != "dumb"
  }

  /// A heading, or the entry of a list that is current.
  func bold(_ text: String) -> String { hasBold ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// An entry of a list, on one line.
  func cut(_ text: String) -> String {
    columns.map { Columns.cut(text.replacing("\t", with: " "), to: $0) } ?? text
  }

  /// Aligns the cells of all rows. Columns are as wide as they need to be.
  func aligned(_ rows: [[String]]) -> [String] {
    let rows = rows.map { row in
      row.dropLast().map { columns == nil ? $0 : Columns.cut($0, to: Self.maximumCell) } + row.suffix(1)
    }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      min(Self.maximumCell, rows.map { column < $0.count - 1 ? Columns.count($0[column]) : 0 }.max() ?? 0)
    }
    return rows.map { row in
      (zip(row.dropLast(), widths).map { Columns.padded($0, to: $1) } + row.suffix(1)).joined(separator: "  ")
    }
  }
}
