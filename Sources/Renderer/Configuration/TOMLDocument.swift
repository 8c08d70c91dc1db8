import TOMLKit

/// A TOML 1.0 document with the line of every value and all syntax errors.
///
/// TOMLKit stops at the first error and reports no lines for values. So it parses one statement at a time: a line, and
/// further lines while it reports an unexpected end.
struct TOMLDocument {
  struct Problem: Equatable {
    /// The line, from 1.
    var line: Int
    /// nil if the statement has no valid key.
    var key: String?
    /// A sentence for the user.
    var sentence: String
  }

  private(set) var root = ConfigurationTable()
  private(set) var problems: [Problem] = []

  private let lines: [String]
  /// The header above the statement.
  private var header: [String] = []

  init(_ text: String) {
    // Split the bytes: Swift treats CR LF as one character that is not equal to LF.
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    self.lines = lines.map { String(decoding: $0, as: UTF8.self) }
    if let line = lines.firstIndex(where: { $0.contains(0) }) {
      // The library would treat it as the end of the text.
      problems.append(Problem(line: line + 1, sentence: "The file contains a NUL character."))
      return
    }
    var index = 0
    while index < lines.count { index = readStatement(at: index) }
    guard problems.isEmpty else { return }
    // Check the rules for the whole document, such as no repeated header.
    if case .failure(let error) = Self.parse(text) {
      problems.append(Problem(line: max(error.line, 1), sentence: Self.sentence(error)))
    }
  }

  /// Parses a single value; nil if it is not one.
  static func value(_ text: String) -> ConfigurationValue? {
    guard case .success(let table) = parse("value = \(text)\n"), table.count == 1 else { return nil }
    return table["value"].map { value($0, line: nil) }
  }

  /// - Returns: the index of the first line after the statement.
  private mutating func readStatement(at start: Int) -> Int {
    var end = start
    var text = ""
    while true {
      text += lines[end] + "\n"
      end += 1
      // Only these characters can end a statement of several lines.
      let mayEnd = end == start + 1 || end == lines.count || lines[end - 1].contains { "]}\"'".contains($0) }
      guard mayEnd else { continue }
      switch Self.parse(text) {
      case .success(let table):
        take(table, line: start + 1, isHeader: text.drop { $0 == " " || $0 == "\t" }.first == "[")
        return end
      case .failure(let error):
        let isOpen = error.description.hasSuffix("encountered end-of-file")
        if isOpen, end < lines.count { continue }
        let line = isOpen ? start + 1 : start + max(error.line, 1)
        let sentence = isOpen ? "The value that begins here does not end." : Self.sentence(error)
        problems.append(Problem(line: line, key: key(at: start), sentence: sentence))
        return end == start + 1 ? end : nextStatement(after: start)
      }
    }
  }

  /// The key of a line whose value is invalid.
  private func key(at index: Int) -> String? {
    guard let end = lines[index].firstIndex(of: "="),
      case .success(let table) = Self.parse(lines[index][..<end] + "= 0\n"),
      case .table(let members) = Self.value(table, line: nil), let path = Self.leaves(of: members).first?.path
    else { return nil }
    return (header + path).joined(separator: ".")
  }

  /// The first line after an invalid statement of several lines where another statement begins.
  private func nextStatement(after start: Int) -> Int {
    let rest = lines.indices.dropFirst(start + 1)
    return rest.first { index in
      guard case .success(let table) = Self.parse(lines[index] + "\n") else { return false }
      return !table.isEmpty
    } ?? lines.count
  }

  private mutating func take(_ table: TOMLTable, line: Int, isHeader: Bool) {
    guard case .table(let members) = Self.value(table, line: line) else { return }
    if isHeader { header = [] }
    for (path, node) in Self.leaves(of: members) {
      if isHeader { header = path }
      let path = isHeader ? path : header + path
      guard let before = root.insert(node, at: path[...]) else { continue }
      problems.append(
        Problem(line: line, key: path.joined(separator: "."), sentence: "The key is on line \(before) already."))
    }
  }

  /// Values with their paths. Empty tables count as values.
  private static func leaves(of table: ConfigurationTable) -> [(path: [String], node: ConfigurationNode)] {
    table.members.flatMap { member -> [(path: [String], node: ConfigurationNode)] in
      guard case .table(let inner) = member.node.value, !inner.members.isEmpty else {
        return [([member.key], member.node)]
      }
      return leaves(of: inner).map { ([member.key] + $0.path, $0.node) }
    }
  }

  // MARK: TOMLKit

  /// An error of the library.
  private struct Failure: Error {
    var description: String
    /// The line, from 1; 0 if unknown.
    var line: Int
  }

  private static func parse(_ text: String) -> Result<TOMLTable, Failure> {
    if let problem = TOMLAssertions.problem(in: text) {
      return .failure(Failure(description: problem.description, line: problem.line))
    }
    do {
      return .success(try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      return .failure(Failure(description: error.description, line: error.source.begin.line))
    } catch {
      // TOMLKit throws no other errors.
      return .success(TOMLTable())
    }
  }

  private static func value(_ value: any TOMLValueConvertible, line: Int?) -> ConfigurationValue {
    if let text = value.string { return .text(text) }
    if let bool = value.bool { return .bool(bool) }
    if let integer = value.int { return .integer(integer) }
    if let number = value.double { return .number(number) }
    if let list = value.array {
      return .list(list.map { ConfigurationNode(value: Self.value($0, line: line), line: line) })
    }
    guard let table = value.table else { return .date(value.debugDescription) }
    var members = ConfigurationTable()
    for key in table.keys {
      guard let value = table[key] else { continue }
      _ = members.insert(ConfigurationNode(value: Self.value(value, line: line), line: line), at: [key])
    }
    return .table(members)
  }

  /// The error as a sentence, without its position.
  private static func sentence(_ error: Failure) -> String {
    let description = error.description
    if description.hasSuffix("could not determine value type") {
      return "There is no valid value after the =; put text in quotes."
    }
    // `contains` would resolve to Foundation's here and link it.
    if description.firstRange(of: "parsing string: unescaped control characters") != nil {
      return "The text that begins here does not end on its line, or has a control character: is a quote missing?"
    }
    let opening = "Error while "
    return "This is not TOML: \(description.dropFirst(description.hasPrefix(opening) ? opening.count : 0))."
  }
}
