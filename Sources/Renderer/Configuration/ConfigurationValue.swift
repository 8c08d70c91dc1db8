/// A value and its place in the file.
struct ConfigurationNode: Sendable, Equatable {
  var value: ConfigurationValue
  /// The line, from 1; nil for values of options and variables.
  var line: Int?
}

/// A value before its key interprets it.
indirect enum ConfigurationValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case bool(Bool)
  case list([ConfigurationNode])
  case table(ConfigurationTable)
  /// A date or a time, which no key takes.
  case date(String)
  /// The text of an option or a variable, which has no type.
  case plain(String)

  /// The value as messages quote it.
  var quoted: String {
    switch self {
    case .text(let text), .plain(let text), .date(let text): "“\(text)”"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .list: "A list"
    case .table: "A table"
    }
  }
}

/// The members of a table, in the order of the file.
struct ConfigurationTable: Sendable, Equatable {
  struct Member: Sendable, Equatable {
    var key: String
    var node: ConfigurationNode
  }

  private(set) var members: [Member] = []

  subscript(key: String) -> ConfigurationNode? { members.first { $0.key == key }?.node }

  /// Inserts a value at a path. Creates missing tables; within a list of tables, the path continues in the last one.
  /// - Returns: the line of a value that exists there and is kept; nil if the value was inserted.
  mutating func insert(_ node: ConfigurationNode, at path: ArraySlice<String>) -> Int? {
    guard let key = path.first else { return nil }
    let rest = path.dropFirst()
    guard let index = members.firstIndex(where: { $0.key == key }) else {
      members.append(Member(key: key, node: rest.isEmpty ? node : Self.holding(node, at: rest)))
      return nil
    }
    switch (members[index].node.value, node.value) {
    case (.table(let table), .table(let more)) where rest.isEmpty && (table.members.isEmpty || more.members.isEmpty):
      // A header names a table whose members come later, or came before.
      return nil
    case (.list(let elements), .list(let more)) where rest.isEmpty && node.isListOfTables:
      members[index].node.value = .list(elements + more)
      return nil
    case (.table(var table), _) where !rest.isEmpty:
      let line = table.insert(node, at: rest)
      members[index].node.value = .table(table)
      return line
    case (.list(var elements), _) where !rest.isEmpty:
      guard let last = elements.indices.last, case .table(var table) = elements[last].value else { fallthrough }
      let line = table.insert(node, at: rest)
      elements[last].value = .table(table)
      members[index].node.value = .list(elements)
      return line
    default: return members[index].node.line ?? 0
    }
  }

  private static func holding(_ node: ConfigurationNode, at path: ArraySlice<String>) -> ConfigurationNode {
    var table = ConfigurationTable()
    _ = table.insert(node, at: path)
    return ConfigurationNode(value: .table(table), line: node.line)
  }
}

extension ConfigurationNode {
  /// Whether it is a list of tables, from `[[…]]` headers or in brackets.
  fileprivate var isListOfTables: Bool {
    guard case .list(let elements) = value, !elements.isEmpty else { return false }
    return elements.allSatisfy { if case .table = $0.value { true } else { false } }
  }
}
