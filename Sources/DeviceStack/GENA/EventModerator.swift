import NIOCore

/// The minimum intervals between the events of one service instance.
public struct Moderation: Sendable, Hashable {
  /// The interval of all variables that `variables` does not name; zero means unmoderated.
  public var interval: Duration
  /// Intervals of single variables, by name. Large variables may be evented less often than urgent ones.
  public var variables: [String: Duration]
  /// Values that are sent at once, by variable, unless the same value was sent within the interval.
  public var urgent: [String: Set<String>]

  /// - Parameters:
  ///   - interval: for all variables that `variables` does not name; zero means unmoderated.
  ///   - variables: intervals of single variables, by name.
  ///   - urgent: values that are sent at once, by variable.
  public init(_ interval: Duration, variables: [String: Duration] = [:], urgent: [String: Set<String>] = [:]) {
    self.interval = interval
    self.variables = variables
    self.urgent = urgent
  }
}

/// Moderates events: sends the first change after a quiet period at once, and merges those within the interval.
///
/// Variables with different intervals are moderated independently. Changes that are due at the same time are merged. A
/// change to an urgent value is sent at once, but not the same value twice within the interval. Pure.
package struct EventModerator {
  package enum Action: Equatable {
    /// An event is already scheduled.
    case nothing
    /// Call `flush` at the end of the current turn of the loop, so that values set together are sent together.
    case flushThisTurn
    case flush(at: NIODeadline)
  }

  /// Variables with the same interval.
  private struct Group {
    var variables: VariableSet
    /// The minimum interval between two events; zero means unmoderated.
    let interval: TimeAmount
    /// When the changes are sent; nil without changes.
    var due: NIODeadline?
    var lastFlush: NIODeadline?
  }

  /// When the urgent values of a variable may be sent at once again.
  private var urgent: [Int: [String: NIODeadline]] = [:]
  private var groups: [Group] = []

  package init(_ moderation: Moderation, of variables: [VariableStore.Variable]) {
    for (index, variable) in variables.enumerated() {
      if let values = moderation.urgent[variable.name] {
        urgent[index] = Dictionary(uniqueKeysWithValues: values.map { ($0, .distantPast) })
      }
      let interval = TimeAmount(moderation.variables[variable.name] ?? moderation.interval)
      let group = groups.firstIndex { $0.interval == interval }
      if let group {
        groups[group].variables.insert(VariableSet(index: index))
      } else {
        groups.append(Group(variables: VariableSet(index: index), interval: interval))
      }
    }
  }

  /// - Parameter value: of the variable.
  package mutating func changed(
    _ index: Int, to value: @autoclosure () -> String = "", now: NIODeadline
  ) -> Action {
    let variable = VariableSet(index: index)
    guard let group = groups.firstIndex(where: { $0.variables.contains(variable) }) else { return .nothing }
    let isUrgent = leads(index, value, interval: groups[group].interval, now: now)
    if let due = groups[group].due, due <= now || !isUrgent { return .nothing }
    let due = isUrgent ? now : groups[group].lastFlush.map { max(now, $0 + groups[group].interval) } ?? now
    groups[group].due = due
    return due > now ? .flush(at: due) : .flushThisTurn
  }

  /// Whether an urgent value may be sent now. It then counts as sent.
  private mutating func leads(_ index: Int, _ value: () -> String, interval: TimeAmount, now: NIODeadline) -> Bool {
    guard let values = urgent[index], case let value = value(), let next = values[value], next <= now else {
      return false
    }
    urgent[index]?[value] = now + interval
    return true
  }

  /// - Returns: the variables that are due. Their changes count as sent.
  package mutating func flush(now: NIODeadline) -> VariableSet {
    var variables: VariableSet = []
    for index in groups.indices {
      guard let due = groups[index].due, due <= now else { continue }
      variables.formUnion(groups[index].variables)
      groups[index].due = nil
      groups[index].lastFlush = now
    }
    return variables
  }

  /// When to call `flush` next; nil without changes.
  package var nextDue: NIODeadline? { groups.compactMap(\.due).min() }
}
