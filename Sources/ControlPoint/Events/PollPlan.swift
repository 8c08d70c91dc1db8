/// The getters to call for the values of a service's evented variables. Computed from the SCPD alone.
struct PollPlan: Hashable {
  struct Call: Hashable {
    struct Input: Hashable {
      var name, value: String
    }

    struct Output: Hashable {
      var name: String
      var variable: String
      var channel: String?
    }

    var action: String
    var inputs: [Input]
    var outputs: [Output]
  }

  /// No service needs more.
  static let maximumCalls = 16

  /// AVTransport never sends these in LastChange, since they change all the time (AVTransport:1 §2.3.1).
  private static let excluded: Set = [
    "LastChange", "RelativeTimePosition", "AbsoluteTimePosition", "RelativeCounterPosition", "AbsoluteCounterPosition",
  ]
  /// An action whose name begins with one of these may change something, even if it returns a variable.
  private static let verbs = [
    "Set", "Add", "Create", "Delete", "Remove", "Insert", "Clear", "Reset", "Play", "Stop", "Pause", "Next", "Previous",
    "Seek", "Invoke", "Prepare", "Complete", "Start", "Import", "Export", "Update", "Destroy", "Inc", "Dec", "Record",
    "Select", "Move",
  ]

  /// A small set of calls that returns all variables that any getter returns.
  var calls: [Call] = []

  init(_ scpd: ServiceDescription) {
    var missing = Self.wanted(scpd)
    var candidates = scpd.actions.compactMap { Self.call($0, wanted: missing) }
    while !missing.isEmpty, calls.count < Self.maximumCalls {
      candidates.removeAll { $0.outputs.allSatisfy { !missing.contains($0.variable) } }
      // The first one wins a tie, so that the plan does not change.
      guard let most = candidates.map({ Self.gain($0, missing) }).max(),
        let best = candidates.first(where: { Self.gain($0, missing) == most })
      else { break }
      var call = best
      call.outputs.removeAll { !missing.contains($0.variable) }
      missing.subtract(call.outputs.map(\.variable))
      calls.append(call)
    }
  }

  private static func gain(_ call: Call, _ missing: Set<String>) -> Int {
    Set(call.outputs.map(\.variable)).intersection(missing).count
  }

  /// The evented variables. With LastChange, all but the types of arguments are evented through it.
  private static func wanted(_ scpd: ServiceDescription) -> Set<String> {
    let hasLastChange = scpd.variable("LastChange")?.isEvented ?? false
    return Set(
      scpd.variables.filter {
        ($0.isEvented || hasLastChange) && !$0.name.hasPrefix("A_ARG_TYPE_") && !excluded.contains($0.name)
      }.map(\.name))
  }

  /// - Returns: nil if the action is not a getter of these variables for instance 0.
  private static func call(_ action: ServiceDescription.Action, wanted: Set<String>) -> Call? {
    guard !verbs.contains(where: { isVerb($0, of: action.name) }) else { return nil }
    var inputs: [Call.Input] = []
    var channel: String?
    for argument in action.inputs {
      switch argument.name {
      case "InstanceID": inputs.append(.init(name: argument.name, value: "0"))
      case "Channel":
        channel = "Master"
        inputs.append(.init(name: argument.name, value: "Master"))
      default: return nil
      }
    }
    let outputs = action.outputs.filter { wanted.contains($0.variable) }
      .map { Call.Output(name: $0.name, variable: $0.variable, channel: channel) }
    return outputs.isEmpty ? nil : Call(action: action.name, inputs: inputs, outputs: outputs)
  }

  /// Whether the name begins with the verb as a whole word: `SetVolume`, but not `Settings`.
  private static func isVerb(_ verb: String, of name: String) -> Bool {
    guard name.hasPrefix(verb) else { return false }
    return name.dropFirst(verb.count).first?.isUppercase ?? true
  }
}

/// Turns the results of polls into an initial element and changes.
struct PollDifferences {
  private var known: [EventedVariables.Key: String]?

  /// - Returns: nil if nothing has changed.
  mutating func take(_ variables: [EventedVariable]) -> EventElement? {
    let former = known
    known = Dictionary(variables.map { (EventedVariables.Key($0), $0.value) }) { _, last in last }
    guard let former else { return .initial(variables) }
    let changes = variables.filter { former[EventedVariables.Key($0)] != $0.value }
    return changes.isEmpty ? nil : .change(changes)
  }
}
