/// Reads the members of a table and collects everything that is wrong with them.
struct TableReading {
  private let table: ConfigurationTable
  private let line: Int?
  private(set) var reasons: [ValueProblem.Reason]

  /// - Parameters:
  ///   - line: of the table.
  ///   - keys: that the table may have.
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

  /// Notes a problem that other values cause.
  mutating func refuse(_ key: String, _ sentence: String) {
    reasons.append(ValueProblem.Reason(line: table[key]?.line ?? line, member: key, sentence: sentence))
  }
}

extension ConfigurationKind {
  /// A list of tables: `[[name]]`, or in brackets. Options and variables contain TOML.
  /// - Parameters:
  ///   - keys: that a table may have.
  ///   - read: makes an element; nil after a problem.
  ///   - write: an element as a table in braces.
  static func tables<Element>(
    _ name: String, keys: [String], read: @escaping @Sendable (inout TableReading) -> Element?,
    write: @escaping @Sendable (Element) -> String
  ) -> Self where Value == [Element] {
    Self(
      name,
      read: { node throws(ValueProblem) in
        guard let tables = node.value.listOfTables else {
          throw ValueProblem("\(node.value.quoted) is not a list of tables.")
        }
        var reasons: [ValueProblem.Reason] = []
        var elements: [Element] = []
        for (line, table) in tables {
          var reading = TableReading(table, line: line, keys: keys)
          if let element = read(&reading) { elements.append(element) }
          reasons += reading.reasons
        }
        guard reasons.isEmpty else { throw ValueProblem(reasons) }
        return elements
      }, write: { "[" + $0.map(write).joined(separator: ", ") + "]" })
  }
}

extension ConfigurationValue {
  /// Nil if it is something else.
  fileprivate var listOfTables: [(line: Int?, table: ConfigurationTable)]? {
    let value = if case .plain(let text) = self { TOMLDocument.value(text) } else { ConfigurationValue?.some(self) }
    guard case .list(let nodes)? = value else { return nil }
    let tables = nodes.compactMap { node in
      if case .table(let table) = node.value { (line: node.line, table: table) } else { nil }
    }
    return tables.count == nodes.count ? tables : nil
  }
}
