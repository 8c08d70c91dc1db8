/// Emits the Swift code of a service: types, provider protocol, dispatch and evented variables.
public struct Emitter {
  private let service: Service
  private var lines: [String] = []

  public static func emit(_ service: Service) throws(ServiceXMLError) -> String {
    var emitter = Emitter(service: service)
    try emitter.check()
    emitter.emitAll()
    return emitter.lines.joined(separator: "\n") + "\n"
  }

  private init(service: Service) { self.service = service }

  /// The inputs for the provider, without the instance, which the dispatch checks.
  private func inputs(_ action: Service.Action) -> [Service.Argument] {
    action.inputs.filter { $0.name != service.rules.instance?.argument }
  }

  private func check() throws(ServiceXMLError) {
    try checkLastChange()
    try checkNames()
  }

  /// A store sends its variables either in LastChange or as properties.
  private func checkLastChange() throws(ServiceXMLError) {
    let evented = service.variables.filter(\.isEvented).map(\.name)
    if service.rules.lastChangeNamespace != nil {
      guard evented == ["LastChange"] else {
        throw ServiceXMLError("with the rule lastChange, LastChange must be the only evented variable", in: .rules)
      }
    } else if evented.contains("LastChange") {
      throw ServiceXMLError("LastChange is evented, but the rule lastChange with its namespace is missing", in: .rules)
    }
  }

  /// Refuses names that collide in Swift though they differ in the SCPD.
  private func checkNames() throws(ServiceXMLError) {
    let enums = service.variables.filter { !$0.allowedValues.isEmpty }
    for variable in enums {
      try SwiftName.check("allowed values of \(variable.name)", variable.allowedValues.map(SwiftName.member))
    }
    var types = ["Provider", "Values", "Variables"] + enums.map(SwiftName.type)
    for action in service.actions {
      try SwiftName.check("inputs of \(action.name)", inputs(action).map { SwiftName.member($0.name) })
      try SwiftName.check("outputs of \(action.name)", action.outputs.map { SwiftName.member($0.name) })
      types += ["\(action.name)Input", "\(action.name)Output"]
    }
    try SwiftName.check("actions", service.actions.map { SwiftName.member($0.name) })
    try SwiftName.check("types", types)
    try SwiftName.check("evented variables", VariablesEmitter(service: service).names)
  }

  private mutating func line(_ depth: Int, _ text: String) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  private mutating func emitAll() {
    line(0, "// Made from \(service.domain)/\(service.typeName).xml; edit that file instead.")
    line(0, "import DeviceStack")
    line(0, "import UPnP")
    line(0, "")
    line(0, "/// \(service.name):\(service.version)")
    line(0, "public enum \(service.typeName): ServiceDefinition {")
    line(1, "public static let serviceType = URN(")
    line(2, "domain: \"\(service.domain)\", kind: .service, name: \"\(service.name)\", version: \(service.version))")
    line(1, "public static let serviceID = \"\(service.serviceID)\"")
    emitModeration()
    emitSource()
    for variable in service.variables where !variable.allowedValues.isEmpty { emitEnum(variable) }
    for action in service.actions {
      emitStruct("\(action.name)Input", inputs(action))
      emitStruct("\(action.name)Output", action.outputs)
    }
    emitProtocol()
    emitInvoke()
    if !service.rules.later.isEmpty { emitBegin() }
    emitHosted()
    VariablesEmitter(service: service).emit { line($0, $1) }
    line(0, "}")
  }

  private mutating func emitModeration() {
    let own = service.rules.variableModeration.sorted { $0.key < $1.key }
    let variables = own.map { "\(SwiftLiteral.quoted($0.key)): .milliseconds(\($0.value))" }.joined(separator: ", ")
    let others = own.isEmpty ? "" : ", variables: [\(variables)]"
    let values = service.rules.urgent.sorted { $0.key < $1.key }.map { name, values in
      "\(SwiftLiteral.quoted(name)): [\(values.map { SwiftLiteral.quoted($0) }.joined(separator: ", "))]"
    }
    let urgent = values.isEmpty ? "" : ", urgent: [\(values.joined(separator: ", "))]"
    line(1, "public static let moderation = Moderation(.milliseconds(\(service.rules.moderation))\(others)\(urgent))")
  }

  /// Emits the SCPD as a StaticString: an array of bytes takes half a minute to compile.
  private mutating func emitSource() {
    line(1, "public static let scpd: StaticString = \(SwiftLiteral.raw(service.source))")
  }

  private mutating func emitEnum(_ variable: Service.Variable) {
    line(0, "")
    line(1, "/// The allowed values of \(variable.name).")
    line(1, "public enum \(SwiftName.type(variable)): String, AllowedValue {")
    for value in variable.allowedValues { line(2, "case \(SwiftName.member(value)) = \(SwiftLiteral.quoted(value))") }
    line(1, "}")
  }

  private mutating func emitStruct(_ name: String, _ arguments: [Service.Argument]) {
    guard !arguments.isEmpty else { return }
    line(0, "")
    line(1, "public struct \(name): Sendable, Equatable {")
    for argument in arguments {
      line(2, "public var \(SwiftName.member(argument.name)): \(type(argument))")
    }
    line(0, "")
    let parameters = arguments.map { "\(SwiftName.member($0.name)): \(type($0))" }
    line(2, "public init(\(parameters.joined(separator: ", "))) {")
    for argument in arguments {
      let name = SwiftName.member(argument.name)
      line(3, "self.\(name.filter { $0 != "`" }) = \(name)")
    }
    line(2, "}")
    line(1, "}")
  }

  private func type(_ argument: Service.Argument) -> String {
    service.rules.nested.contains(argument.variable.name) ? "NestedXML" : SwiftName.type(argument.variable)
  }

  private mutating func emitProtocol() {
    line(0, "")
    line(1, "/// A provider of \(service.name):\(service.version): a method for each action.")
    line(1, "public protocol Provider: AnyObject {")
    for action in service.actions {
      var parameters = inputs(action).isEmpty ? [] : ["_ input: \(action.name)Input"]
      let output = action.outputs.isEmpty ? nil : "\(action.name)Output"
      var result = output.map { " -> \($0)" } ?? ""
      if isLater(action) {
        parameters.append("_ reply: @escaping (Result<\(output ?? "Void"), ActionFault>) -> Void")
        result = ""
      }
      let name = SwiftName.member(action.name)
      line(2, "func \(name)(\(parameters.joined(separator: ", "))) throws(ActionFault)\(result)")
    }
    line(1, "}")
  }

  private mutating func emitInvoke() {
    line(0, "")
    line(1, "/// Checks the arguments of an action and calls the provider.")
    line(1, "/// - Throws: 401 for an unknown action, faults for invalid arguments, and the provider's faults.")
    line(1, "public static func invoke(")
    line(2, "_ action: String, _ arguments: ActionArguments, on provider: any Provider")
    line(1, ") throws(ActionFault) -> [ActionResult] {")
    line(2, "switch action {")
    for action in service.actions where !isLater(action) {
      line(2, "case \"\(action.name)\":")
      emitCall(action)
    }
    line(2, "default: throw .invalidAction")
    line(2, "}")
    line(1, "}")
  }

  private func isLater(_ action: Service.Action) -> Bool { service.rules.later.contains(action.name) }

  private mutating func emitBegin() {
    line(0, "")
    line(1, "/// Starts an action that the provider may answer later. Returns false for an action of `invoke`.")
    line(1, "/// - Throws: faults for invalid arguments, and the provider's faults.")
    line(1, "public static func begin(")
    line(2, "_ action: String, _ arguments: ActionArguments, on provider: any Provider,")
    line(2, "_ reply: @escaping HostedService.Reply")
    line(1, ") throws(ActionFault) -> Bool {")
    line(2, "switch action {")
    for action in service.actions where isLater(action) {
      line(2, "case \"\(action.name)\":")
      let input = emitInput(action)
      line(3, "try provider.\(SwiftName.member(action.name))(\(input)) { result in")
      let output = action.outputs.isEmpty ? "" : " output in"
      line(4, "reply(result.map {\(output) \(results(action)) })")
      line(3, "}")
    }
    line(2, "default: return false")
    line(2, "}")
    line(2, "return true")
    line(1, "}")
  }

  private mutating func emitHosted() {
    let hasVariables = !service.eventedVariables.isEmpty
    let parameters = "by provider: any Provider" + (hasVariables ? ", _ variables: Variables" : "")
    line(0, "")
    line(1, "/// The service for a device to host.")
    line(1, "public static func hosted(\(parameters)) -> HostedService {")
    let store = hasVariables ? "variables.store" : "nil"
    line(2, "HostedService(")
    line(3, "Self.self, store: \(store),")
    if !service.rules.later.isEmpty {
      line(3, "begin: { action, arguments, reply throws(ActionFault) in")
      line(4, "try begin(action, arguments, on: provider, reply)")
      line(3, "},")
    }
    line(3, "invoke: { action, arguments throws(ActionFault) in try invoke(action, arguments, on: provider) })")
    line(1, "}")
  }

  private func swift(_ fault: Rules.Fault) -> String {
    "ActionFault(\(fault.code), \(SwiftLiteral.quoted(fault.name)))"
  }

  /// Emits the checks of an action's arguments.
  /// - Returns: the argument expression for the provider.
  private mutating func emitInput(_ action: Service.Action) -> String {
    if !action.inputs.isEmpty {
      let types = action.inputs.map { "\"\($0.name)\": \(SwiftName.type($0.variable)).self" }
      line(3, "try arguments.expect([\(types.joined(separator: ", "))])")
    }
    if let instance = service.rules.instance, action.inputs.contains(where: { $0.name == instance.argument }) {
      let fault = swift(instance.fault)
      line(3, "try arguments.checkInstance(\"\(instance.argument)\", fault: \(fault))")
    }
    let values = inputs(action).map { argument in
      let range = argument.variable.range.map { ", in: \($0.lowerBound)...\($0.upperBound)" } ?? ""
      let fault = argument.fault.map { ", fault: \(swift($0))" } ?? ""
      // Keywords are not escaped in labels.
      let label = SwiftName.member(argument.name).filter { $0 != "`" }
      return "\(label): try arguments.value(\"\(argument.name)\"\(range)\(fault))"
    }
    return values.isEmpty ? "" : "\(action.name)Input(\(values.joined(separator: ", ")))"
  }

  private mutating func emitCall(_ action: Service.Action) {
    let input = emitInput(action)
    let call = "try provider.\(SwiftName.member(action.name))(\(input))"
    guard !action.outputs.isEmpty else {
      line(3, call)
      line(3, "return []")
      return
    }
    line(3, "let output = \(call)")
    line(3, "return \(results(action))")
  }

  private func results(_ action: Service.Action) -> String {
    let results = action.outputs.map { output in
      let label = service.rules.served.contains(output.variable.name) ? "path: " : ""
      return "ActionResult(\"\(output.name)\", \(label)output.\(SwiftName.member(output.name)))"
    }
    return "[\(results.joined(separator: ", "))]"
  }
}
