import TOMLKit

/// A text in TOML 1.0, read statement by statement: what is right has its line, and all that is wrong is told.
///
/// The library stops at the first mistake and does not tell where values stood. So it is given one statement at a time:
/// a line, and the lines after it for as long as it says that the text ends too soon.
struct TOMLDocument {
  struct Mistake: Equatable {
    /// From 1.
    var line: Int
    /// nil where no key can be told.
    var key: String?
    /// One sentence for people.
    var sentence: String
  }

  private(set) var root = ConfigurationTable()
  private(set) var mistakes: [Mistake] = []

  private let lines: [String]
  /// The header that the statements stand under.
  private var header: [String] = []

  init(_ text: String) {
    // By bytes: to Swift, a carriage return and a line feed are one character, which is not a line feed.
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    self.lines = lines.map { String(decoding: $0, as: UTF8.self) }
    if let line = lines.firstIndex(where: { $0.contains(0) }) {
      // For the library the text would end there.
      mistakes.append(Mistake(line: line + 1, sentence: "There is a NUL character, which no text has."))
      return
    }
    var index = 0
    while index < lines.count { index = readStatement(at: index) }
    guard mistakes.isEmpty else { return }
    // Rules for the document as a whole, such as no header twice.
    if case .failure(let error) = Self.parse(text) {
      mistakes.append(Mistake(line: max(error.line, 1), sentence: Self.sentence(error)))
    }
  }

  /// Reads a value alone, as it would stand behind a key; nil if it is none.
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
      // Only these end what goes on over several lines.
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
        mistakes.append(
          Mistake(
            line: line, key: key(at: start), sentence: isOpen ? "What begins here has no end." : Self.sentence(error)))
        return end == start + 1 ? end : nextStatement(after: start)
      }
    }
  }

  /// What stands before the = on a line whose value makes no sense.
  private func key(at index: Int) -> String? {
    guard let end = lines[index].firstIndex(of: "="),
      case .success(let table) = Self.parse(lines[index][..<end] + "= 0\n"),
      case .table(let members) = Self.value(table, line: nil), let path = Self.leaves(of: members).first?.path
    else { return nil }
    return (header + path).joined(separator: ".")
  }

  /// Behind a statement that went wrong somewhere in the midst of several lines: where another one begins.
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
      mistakes.append(
        Mistake(line: line, key: path.joined(separator: "."), sentence: "It stands on line \(before) already."))
    }
  }

  /// The values and the paths to them. Empty tables are values.
  private static func leaves(of table: ConfigurationTable) -> [(path: [String], node: ConfigurationNode)] {
    table.members.flatMap { member -> [(path: [String], node: ConfigurationNode)] in
      guard case .table(let inner) = member.node.value, !inner.members.isEmpty else {
        return [([member.key], member.node)]
      }
      return leaves(of: inner).map { ([member.key] + $0.path, $0.node) }
    }
  }

  // MARK: The library

  /// What the library says of a text.
  private struct Failure: Error {
    var description: String
    /// From 1; 0 where it cannot be told.
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
      // The library throws nothing else.
      return .success(TOMLTable())
    }
  }

  private static func value(_ value: any TOMLValueConvertible, line: Int?) -> ConfigurationValue {
    if let text = value.string { return .text(text) }
    if let truth = value.bool { return .truth(truth) }
    if let whole = value.int { return .whole(whole) }
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

  /// In a sentence, and without what the line says already.
  private static func sentence(_ error: Failure) -> String {
    let description = error.description
    if description.hasSuffix("could not determine value type") {
      return "What stands behind the = is no value; text stands in quotes."
    }
    // Not `contains`, which would be Foundation's here, and bring all of that with it.
    if description.firstRange(of: "parsing string: unescaped control characters") != nil {
      return "The text that begins here does not end on its line, or has a control character: is a quote missing?"
    }
    let opening = "Error while "
    return "This is not TOML: \(description.dropFirst(description.hasPrefix(opening) ? opening.count : 0))."
  }
}
