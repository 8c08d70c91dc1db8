/// The rules beside an SCPD: properties that an SCPD cannot express. service-xml/README.md describes the format.
public struct Rules: Equatable, Sendable {
  public struct Instance: Equatable, Sendable {
    public var argument: String
    public var fault: Fault
  }

  public struct Fault: Equatable, Sendable {
    public var code: Int
    /// The name in the service template.
    public var name: String
  }

  public struct Override: Equatable, Sendable {
    /// Nil for every action.
    public var action: String?
    public var argument: String
    public var fault: Fault
  }

  public var instance: Instance?
  public var overrides: [Override] = []
  public var lastChangeNamespace: String?
  public var unevented: [String] = []
  /// Minimum time between two events in milliseconds.
  public var moderation = 0
  /// Minimum time between two events with a variable in milliseconds.
  public var variableModeration: [String: Int] = [:]
  /// Values that do not wait for the minimum time, by variable.
  public var urgent: [String: [String]] = [:]
  /// Variables whose values are paths on the HTTP server, sent as URLs.
  public var served: [String] = []
  /// Variables whose values are computed when an event needs them.
  public var lazy: [String] = []
  /// Actions that the provider may answer after its method has returned.
  public var later: [String] = []
  /// Result variables that the provider writes as nested XML while the answer is written.
  public var nested: [String] = []
  /// Default values of a client's inputs, by argument name.
  public var defaults: [String: String] = [:]
  /// Result variables that some devices leave empty or omit.
  public var optional: [String] = []

  public init() {}

  public init(reading text: String) throws(ServiceXMLError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let keyword = words.first else { continue }
      let rest = Array(words.dropFirst())
      guard read(keyword, rest) else {
        throw ServiceXMLError("invalid rule: \(words.joined(separator: " "))", in: .rules, line: number + 1)
      }
    }
  }

  private mutating func read(_ keyword: String, _ words: [String]) -> Bool {
    switch (keyword, words.count) {
    case ("instance", 3...):
      guard let fault = fault(words.dropFirst()) else { return false }
      instance = Instance(argument: words[0], fault: fault)
    case ("fault", 3...):
      let path = words[0].split(separator: ".").map(String.init)
      guard path.count == 2, let fault = fault(words.dropFirst()) else { return false }
      overrides.append(Override(action: path[0] == "*" ? nil : path[0], argument: path[1], fault: fault))
    case ("lastChange", 1): lastChangeNamespace = words[0]
    case ("unevented", 1...): unevented += words
    case ("moderation", 1...):
      guard let milliseconds = Int(words[0]), milliseconds >= 0 else { return false }
      if words.count == 1 { moderation = milliseconds }
      for name in words.dropFirst() { variableModeration[name] = milliseconds }
    case ("urgent", 2...): urgent[words[0], default: []] += words.dropFirst()
    case ("served", 1...): served += words
    case ("lazy", 1...): lazy += words
    case ("later", 1...): later += words
    case ("nested", 1...): nested += words
    case ("default", 1...2): defaults[words[0]] = words.count > 1 ? words[1] : ""
    case ("optional", 1...): optional += words
    default: return false
    }
    return true
  }

  private func fault(_ words: ArraySlice<String>) -> Fault? {
    guard let code = words.first.flatMap({ Int($0) }) else { return nil }
    return Fault(code: code, name: words.dropFirst().joined(separator: " "))
  }

  /// Refuses rules that apply to nothing, such as those left behind by an edit of the SCPD.
  func check(actions: [Service.Action], variables: [Service.Variable]) throws(ServiceXMLError) {
    func takes(_ argument: String) -> (Service.Action) -> Bool { { $0.inputs.contains { $0.name == argument } } }
    if let instance, !actions.contains(where: takes(instance.argument)) {
      throw ServiceXMLError("no action has the input \(instance.argument) of the rule instance", in: .rules)
    }
    for rule in overrides {
      let named = actions.filter { rule.action == nil || $0.name == rule.action }
      guard named.contains(where: takes(rule.argument)) else {
        throw ServiceXMLError(
          "there is no input \(rule.action ?? "*").\(rule.argument) for fault \(rule.fault.code)", in: .rules)
      }
    }
    for name in later where !actions.contains(where: { $0.name == name }) {
      throw ServiceXMLError("there is no action \(name) for the rule later", in: .rules)
    }
    for name in nested {
      let variable = variables.first { $0.name == name }
      let isInput = actions.contains { action in action.inputs.contains { $0.variable.name == name } }
      let isOutput = actions.contains { action in action.outputs.contains { $0.variable.name == name } }
      guard let variable, variable.type == .string, variable.allowedValues.isEmpty, !variable.isEvented, isOutput,
        !isInput
      else { throw ServiceXMLError("\(name) is not a string variable used for results only", in: .rules) }
    }
    if lastChangeNamespace != nil {
      guard variables.contains(where: { $0.name == "LastChange" && $0.isEvented }) else {
        throw ServiceXMLError("the rule lastChange needs the evented variable LastChange", in: .rules)
      }
    } else if !unevented.isEmpty {
      throw ServiceXMLError("the rule unevented needs the rule lastChange", in: .rules)
    }
    for name in served {
      guard let variable = variables.first(where: { $0.name == name }), variable.type == .string,
        !actions.contains(where: { action in action.inputs.contains { $0.variable.name == name } })
      else { throw ServiceXMLError("\(name) is not a string variable used for results only", in: .rules) }
    }
    for name in unevented where !variables.contains(where: { $0.name == name }) {
      throw ServiceXMLError("there is no state variable \(name) for the rule unevented", in: .rules)
    }
  }

  /// Refuses rules for clients that apply to nothing.
  func checkClient(actions: [Service.Action], variables: [Service.Variable]) throws(ServiceXMLError) {
    for (name, value) in defaults.sorted(by: { $0.key < $1.key }) {
      let inputs = actions.flatMap(\.inputs).filter { $0.name == name }
      guard !inputs.isEmpty else {
        throw ServiceXMLError("no action has the input \(name) of the rule default", in: .rules)
      }
      guard inputs.allSatisfy({ $0.variable.accepts(value) }) else {
        throw ServiceXMLError("the default \(value) is no value of every input \(name)", in: .rules)
      }
    }
    for name in optional {
      let variable = variables.first { $0.name == name }
      let isOutput = actions.contains { action in action.outputs.contains { $0.variable.name == name } }
      guard let variable, variable.type.integers != nil || variable.type == .boolean, isOutput else {
        throw ServiceXMLError("\(name) is not a number or boolean variable of a result", in: .rules)
      }
    }
  }

  /// Refuses rules about the eventing of variables that are not evented.
  func check(evented variables: [Service.Variable]) throws(ServiceXMLError) {
    for name in lazy + variableModeration.keys.sorted() + urgent.keys.sorted()
    where !variables.contains(where: { $0.name == name }) {
      throw ServiceXMLError("there is no evented variable \(name)", in: .rules)
    }
    for variable in variables {
      for value in urgent[variable.name] ?? [] where !variable.accepts(value) {
        throw ServiceXMLError("\(variable.name) is never \(value)", in: .rules)
      }
    }
  }

  func fault(action: String, argument: String) -> Fault? {
    let matching = overrides.filter { $0.argument == argument }
    return (matching.first { $0.action == action } ?? matching.first { $0.action == nil })?.fault
  }
}
