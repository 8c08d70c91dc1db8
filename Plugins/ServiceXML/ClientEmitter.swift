/// Emits the client of a service: its actions as methods, enums of the specified values, and the evented variables.
///
/// The generated code is long but simple, so it compiles fast. Shared code is in Sources/ControlPoint/Control.
public struct ClientEmitter {
  private let service: Service
  private var lines: [String] = []

  /// - Parameter module: the module that will contain the code.
  public static func emit(_ service: Service, for module: String) throws(ServiceXMLError) -> String {
    var emitter = ClientEmitter(service: service)
    try emitter.check()
    emitter.emitAll(for: module)
    return emitter.lines.joined(separator: "\n") + "\n"
  }

  private init(service: Service) { self.service = service }

  /// Name and version, such as `AVTransport:1`.
  private var title: String { "\(service.name):\(service.version)" }

  /// Whether the variable has a value for each channel. Only LastChange can express that.
  private func hasChannels(_ variable: Service.Variable) -> Bool {
    !variable.isEvented && service.isPerChannel(variable)
  }

  private func check() throws(ServiceXMLError) {
    let enums = service.variables.filter { !$0.allowedValues.isEmpty }
    for variable in enums {
      let names = variable.allowedValues.map(SwiftName.member)
      try SwiftName.check("values of \(variable.name), with other,", names + ["other"])
    }
    for action in service.actions {
      // `service` is a property that the method's body uses.
      try SwiftName.check("inputs of \(action.name)", ["service"] + action.inputs.map { SwiftName.member($0.name) })
      try SwiftName.check("outputs of \(action.name)", action.outputs.map { SwiftName.member($0.name) })
    }
    try SwiftName.check("actions", ["service"] + service.actions.map { SwiftName.member($0.name) })
    let outputs = service.actions.filter { $0.outputs.count > 1 }.map(SwiftName.output)
    try SwiftName.check("types", ["Values"] + enums.map(SwiftName.type) + outputs)
    try SwiftName.check("evented variables", service.clientVariables.map { SwiftName.member($0.name) })
  }

  private mutating func line(_ depth: Int, _ text: String) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }

  private mutating func emitAll(for module: String) {
    line(0, "// Made from \(service.domain)/\(service.typeName).xml; edit that file instead.")
    for name in ["ControlPoint", "UPnP"] where name != module { line(0, "import \(name)") }
    line(0, "")
    line(0, "/// A client of \(title).")
    line(0, "public struct \(service.typeName)Client: ServiceClient {")
    line(1, "public static let serviceType = URN(")
    line(2, "domain: \"\(service.domain)\", kind: .service, name: \"\(service.name)\", version: \(service.version))")
    if let namespace = service.rules.lastChangeNamespace {
      line(1, "public static let lastChangeNamespace: String? = \(SwiftLiteral.quoted(namespace))")
    }
    line(1, "public let service: RemoteService")
    line(0, "")
    line(1, "public init(_ service: RemoteService) { self.service = service }")
    for action in service.actions { emitMethod(action) }
    for action in service.actions where action.outputs.count > 1 { emitOutput(action) }
    for variable in service.variables where !variable.allowedValues.isEmpty { emitEnum(variable) }
    emitValues()
    line(0, "}")
  }

  private mutating func emitMethod(_ action: Service.Action) {
    let parameters = action.inputs.map { input in
      let initial = service.rules.defaults[input.name].map { " = \(SwiftLiteral.value($0, of: input.variable))" } ?? ""
      return "\(SwiftName.member(input.name)): \(SwiftName.type(input.variable))\(initial)"
    }
    let arguments = action.inputs.map { "(\"\($0.name)\", \(SwiftName.member($0.name)).upnpText)" }
    let list = arguments.isEmpty ? "" : ", [\(arguments.joined(separator: ", "))]"
    let call = "service.call(\"\(action.name)\"\(list))"
    line(0, "")
    line(1, "/// Calls `\(action.name)` of \(title).")
    let head = "public func \(SwiftName.member(action.name))(\(parameters.joined(separator: ", ")))"
    let throwing = "\(head) async throws(ControlPointError)"
    if action.outputs.isEmpty {
      line(1, "\(throwing) {")
      line(2, "_ = try await \(call)")
    } else if action.outputs.count == 1 {
      line(1, "\(throwing) -> \(type(action.outputs[0])) {")
      line(2, "try await \(call).\(reading(action.outputs[0]))")
    } else {
      line(1, "\(throwing) -> \(SwiftName.output(action)) {")
      line(2, "try \(SwiftName.output(action))(await \(call))")
    }
    line(1, "}")
  }

  private func isOptional(_ output: Service.Argument) -> Bool {
    service.rules.optional.contains(output.variable.name)
  }

  private func type(_ output: Service.Argument) -> String {
    SwiftName.type(output.variable) + (isOptional(output) ? "?" : "")
  }

  private func reading(_ output: Service.Argument) -> String {
    "\(isOptional(output) ? "optionalValue" : "value")(\"\(output.name)\")"
  }

  private mutating func emitOutput(_ action: Service.Action) {
    line(0, "")
    line(1, "/// The results of `\(action.name)`.")
    line(1, "public struct \(SwiftName.output(action)): Sendable, Equatable {")
    for output in action.outputs { line(2, "public var \(SwiftName.member(output.name)): \(type(output))") }
    line(0, "")
    line(2, "init(_ outputs: ActionOutputs) throws(ControlPointError) {")
    for output in action.outputs {
      line(3, "self.\(SwiftName.member(output.name)) = try outputs.\(reading(output))")
    }
    line(2, "}")
    line(1, "}")
  }

  private mutating func emitEnum(_ variable: Service.Variable) {
    let cases = variable.allowedValues.map { (name: SwiftName.member($0), text: SwiftLiteral.quoted($0)) }
    line(0, "")
    line(1, "/// The values of \(variable.name).")
    line(1, "public enum \(SwiftName.type(variable)): OpenEnum {")
    for (name, _) in cases { line(2, "case \(name)") }
    line(2, "/// A value that the specification does not list, as the device wrote it.")
    line(2, "case other(String)")
    line(0, "")
    line(2, "public static let specified: [Self] = [\(cases.map { ".\($0.name)" }.joined(separator: ", "))]")
    line(0, "")
    line(2, "public var rawValue: String {")
    line(3, "switch self {")
    for (name, text) in cases { line(3, "case .\(name): \(text)") }
    line(3, "case .other(let text): text")
    line(3, "}")
    line(2, "}")
    line(1, "}")
  }

  private mutating func emitValues() {
    let variables = service.clientVariables
    line(0, "")
    line(1, "/// The evented variables of \(title).")
    line(1, "public struct Values: EventedValues {")
    for variable in variables {
      let type = SwiftName.type(variable)
      let isPerChannel = hasChannels(variable)
      if isPerChannel { line(2, "/// By channel, such as `Master`.") }
      line(2, "public var \(SwiftName.member(variable.name)): \(isPerChannel ? "[String: \(type)] = [:]" : "\(type)?")")
    }
    if !variables.isEmpty { line(0, "") }
    line(2, "public init() {}")
    line(0, "")
    line(2, "public mutating func set(_ variable: EventedVariable) -> Bool {")
    if variables.isEmpty {
      line(3, "false")
    } else {
      line(3, "switch variable.name {")
      for variable in variables {
        line(3, "case \"\(variable.name)\": variable.read(into: &self.\(SwiftName.member(variable.name)))")
      }
      line(3, "default: false")
      line(3, "}")
    }
    line(2, "}")
    line(1, "}")
  }
}
