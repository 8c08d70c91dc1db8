import NIOCore

/// When changes are told: the first one after quiet at once, those that follow within the interval together at its end.
///
/// Variables with an interval of their own are counted apart from the others; what is due together goes together.
struct EventModerator {
  enum Action: Equatable {
    /// It is already going to be told.
    case nothing
    /// Tell at the end of the current turn of the loop, so that what is set together goes together.
    case flushThisTurn
    case flush(at: NIODeadline)
  }

  /// Variables that are told together.
  private struct Group {
    var variables: VariableSet
    /// The least time between two events; zero for variables that are not moderated.
    let interval: TimeAmount
    /// When what has changed is to be told; nil while nothing has.
    var due: NIODeadline?
    var lastFlush: NIODeadline?
  }

  private var groups: [Group] = []

  init(_ moderation: Moderation, of variables: [VariableStore.Variable]) {
    for (index, variable) in variables.enumerated() {
      let interval = TimeAmount(moderation.variables[variable.name] ?? moderation.interval)
      let group = groups.firstIndex { $0.interval == interval }
      if let group {
        groups[group].variables.insert(VariableSet(index: index))
      } else {
        groups.append(Group(variables: VariableSet(index: index), interval: interval))
      }
    }
  }

  mutating func changed(_ index: Int, now: NIODeadline) -> Action {
    let variable = VariableSet(index: index)
    guard let group = groups.firstIndex(where: { $0.variables.contains(variable) }), groups[group].due == nil else {
      return .nothing
    }
    let due = groups[group].lastFlush.map { max(now, $0 + groups[group].interval) } ?? now
    groups[group].due = due
    return due > now ? .flush(at: due) : .flushThisTurn
  }

  /// - Returns: the variables whose time has come; their changes count as told.
  mutating func flush(now: NIODeadline) -> VariableSet {
    var variables: VariableSet = []
    for index in groups.indices {
      guard let due = groups[index].due, due <= now else { continue }
      variables.formUnion(groups[index].variables)
      groups[index].due = nil
      groups[index].lastFlush = now
    }
    return variables
  }

  /// When to flush next; nil while nothing has changed.
  var nextDue: NIODeadline? { groups.compactMap(\.due).min() }
}
