/// What stands beside an SCPD because SCPDs have no words for it; service-xml/README.md describes the format.
public struct Rules: Equatable, Sendable {
  public struct Instance: Equatable, Sendable {
    public var argument: String
    public var fault: Fault
  }

  public struct Fault: Equatable, Sendable {
    public var code: Int
    /// What the service template calls it.
    public var name: String
  }

  public struct Override: Equatable, Sendable {
    /// nil: of every action.
    public var action: String?
    public var argument: String
    public var fault: Fault
  }

  public var instance: Instance?
  public var overrides: [Override] = []
  public var lastChangeNamespace: String?
  public var unevented: [String] = []
  /// The shortest time between two events, milliseconds.
  public var moderation = 0
  /// The same for single variables that have one of their own.
  public var variableModeration: [String: Int] = [:]
  /// Variables whose values are made when an event needs them.
  public var lazy: [String] = []
  /// Actions whose results may come after the provider's method has returned.
  public var later: [String] = []
  /// Variables of results that are XML, which the provider writes as the answer is written.
  public var nested: [String] = []

  public init() {}

  public init(reading text: String) throws(ServiceXMLError) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let keyword = words.first else { continue }
      let rest = Array(words.dropFirst())
      guard read(keyword, rest) else {
        throw ServiceXMLError("not a rule: \(words.joined(separator: " "))", in: .rules, line: number + 1)
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
    case ("lazy", 1...): lazy += words
    case ("later", 1...): later += words
    case ("nested", 1...): nested += words
    default: return false
    }
    return true
  }

  private func fault(_ words: ArraySlice<String>) -> Fault? {
    guard let code = words.first.flatMap({ Int($0) }) else { return nil }
    return Fault(code: code, name: words.dropFirst().joined(separator: " "))
  }

  /// Each rule has to be about something: a rule left behind by an edit of the SCPD is a mistake.
  func check(actions: [Service.Action], variables: [Service.Variable]) throws(ServiceXMLError) {
    func takes(_ argument: String) -> (Service.Action) -> Bool { { $0.inputs.contains { $0.name == argument } } }
    if let instance, !actions.contains(where: takes(instance.argument)) {
      throw ServiceXMLError("no action takes the instance \(instance.argument)", in: .rules)
    }
    for rule in overrides {
      let named = actions.filter { rule.action == nil || $0.name == rule.action }
      guard named.contains(where: takes(rule.argument)) else {
        throw ServiceXMLError(
          "no input \(rule.action ?? "*").\(rule.argument) for fault \(rule.fault.code)", in: .rules)
      }
    }
    for name in later where !actions.contains(where: { $0.name == name }) {
      throw ServiceXMLError("no action \(name) to be answered later", in: .rules)
    }
    for name in nested {
      let variable = variables.first { $0.name == name }
      let isInput = actions.contains { action in action.inputs.contains { $0.variable.name == name } }
      let isOutput = actions.contains { action in action.outputs.contains { $0.variable.name == name } }
      guard let variable, variable.type == .string, variable.allowedValues.isEmpty, !variable.isEvented, isOutput,
        !isInput
      else { throw ServiceXMLError("\(name) is no text that is a result and nothing else", in: .rules) }
    }
    let evented = variables.filter(\.isEvented).map(\.name)
    if lastChangeNamespace != nil {
      guard evented == ["LastChange"] else {
        throw ServiceXMLError("beside lastChange the SCPD has to event LastChange and nothing else", in: .rules)
      }
    } else if evented.contains("LastChange") {
      throw ServiceXMLError("LastChange is evented and there is no rule lastChange with its namespace", in: .rules)
    } else if let name = unevented.first {
      throw ServiceXMLError("\(name) is to stay out of LastChange, which there is none of", in: .rules)
    }
    for name in unevented where !variables.contains(where: { $0.name == name }) {
      throw ServiceXMLError("no state variable \(name) to leave out of LastChange", in: .rules)
    }
  }

  /// What is said of how single variables travel has to be about variables that do.
  func check(travelling variables: [Service.Variable]) throws(ServiceXMLError) {
    for name in lazy + variableModeration.keys.sorted() where !variables.contains(where: { $0.name == name }) {
      throw ServiceXMLError("no variable \(name) that travels in events", in: .rules)
    }
  }

  func fault(action: String, argument: String) -> Fault? {
    let matching = overrides.filter { $0.argument == argument }
    return (matching.first { $0.action == action } ?? matching.first { $0.action == nil })?.fault
  }
}
