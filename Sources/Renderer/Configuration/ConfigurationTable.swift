/// The members of a table in the order in which they were written.
struct ConfigurationTable: Sendable, Equatable {
  struct Member: Sendable, Equatable {
    var key: String
    var node: ConfigurationNode
  }

  private(set) var members: [Member] = []

  subscript(key: String) -> ConfigurationNode? { members.first { $0.key == key }?.node }

  /// Puts a value where the path leads; tables are made where they are missing, and a list of tables means its last one.
  /// - Returns: the line of what stands there already, in which case nothing is done.
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
  /// Whether it is one of `[[…]]`, or written like those.
  fileprivate var isListOfTables: Bool {
    guard case .list(let elements) = value, !elements.isEmpty else { return false }
    return elements.allSatisfy { if case .table = $0.value { true } else { false } }
  }
}
