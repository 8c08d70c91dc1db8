/// Reads the members of a table and collects everything that is wrong with them.
struct TableReading {
  private let table: ConfigurationTable
  private let line: Int?
  private(set) var reasons: [ValueProblem.Reason]

  /// - Parameters:
  ///   - line: the line of the table.
  ///   - keys: the keys that the table may have.
  init(_ table: ConfigurationTable, line: Int?, keys: [String]) {
    self.table = table
    self.line = line
    reasons = table.members.filter { !keys.contains($0.key) }.map { member in
      ValueProblem.Reason(
        line: member.node.line, member: member.key,
        sentence: ConfigurationReading.sentence("Unknown key", member.key, of: keys))
    }
  }

  /// The value of a key; nil if it is missing or wrong.
  mutating func value<Value>(_ key: String, _ kind: ConfigurationKind<Value>) -> Value? {
    guard let node = table[key] else { return nil }
    do throws(ValueProblem) {
      return try kind.read(node)
    } catch {
      reasons += error.reasons.map {
        ValueProblem.Reason(line: $0.line ?? node.line, member: key, sentence: $0.sentence)
      }
      return nil
    }
  }

  /// The value of a key that must not be missing; nil if it is missing or wrong.
  mutating func required<Value>(_ key: String, _ kind: ConfigurationKind<Value>) -> Value? {
    if table[key] == nil { refuse(key, "The key is missing.") }
    return value(key, kind)
  }

  /// Adds a problem with a key that does not depend on its value.
  mutating func refuse(_ key: String, _ sentence: String) {
    reasons.append(ValueProblem.Reason(line: table[key]?.line ?? line, member: key, sentence: sentence))
  }
}

extension ConfigurationKind {
  /// A list of tables: `[[name]]`, or in brackets. Options and variables contain TOML.
  /// - Parameters:
  ///   - keys: the keys that a table may have.
  ///   - read: returns an element; nil after a problem.
  ///   - conflict: returns the key in which an element contradicts an earlier one, and a sentence; nil if there is no
  ///     conflict.
  ///   - write: writes an element as an inline table.
  static func tables<Element>(
    _ name: String, keys: [String], read: @escaping @Sendable (inout TableReading) -> Element?,
    conflict: @escaping @Sendable (Element, [Element]) -> (key: String, sentence: String)? = { _, _ in nil },
    write: @escaping @Sendable (Element) -> String
  ) -> Self where Value == [Element] {
    Self(
      name,
      read: { node throws(ValueProblem) in
        let tables = try node.value.listOfTables(name)
        var reasons: [ValueProblem.Reason] = []
        var elements: [Element] = []
        for (line, table) in tables {
          var reading = TableReading(table, line: line, keys: keys)
          if let element = read(&reading) {
            if let conflict = conflict(element, elements) { reading.refuse(conflict.key, conflict.sentence) }
            elements.append(element)
          }
          reasons += reading.reasons
        }
        guard reasons.isEmpty else { throw ValueProblem(reasons) }
        return elements
      }, write: { "[" + $0.map(write).joined(separator: ", ") + "]" })
  }
}

extension ConfigurationValue {
  /// - Parameter name: the name of the kind, for messages.
  fileprivate func listOfTables(_ name: String) throws(ValueProblem) -> [(line: Int?, table: ConfigurationTable)] {
    let value = if case .plain(let text) = self { TOMLDocument.value(text) ?? self } else { self }
    switch value {
    case .list(let nodes):
      var tables: [(line: Int?, table: ConfigurationTable)] = []
      for node in nodes {
        guard case .table(let table) = node.value else {
          throw ValueProblem("\(node.value.quoted) is not a table: the value is \(name).")
        }
        tables.append((line: node.line, table: table))
      }
      return tables
    case .table: throw ValueProblem("One table is not \(name): write its header in double brackets, [[…]].")
    default: throw ValueProblem("\(quoted) is not \(name).")
    }
  }
}
