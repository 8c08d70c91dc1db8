/// Parses and checks an SCPD with its rules (UDA 1.1 §2.5).
public enum ServiceReader {
  /// - Parameters:
  ///   - fileName: name and version of the service without an extension, such as `AVTransport1`.
  ///   - domain: the name of the folder.
  public static func read(
    scpd: String, rules rulesText: String, fileName: String, domain: String
  ) throws(ServiceXMLError) -> Service {
    // Bytes, since CR and LF together are one Character.
    guard !scpd.utf8.contains(0x0D) else {
      throw ServiceXMLError("there are carriage returns, which the embedded text would lose")
    }
    guard scpd.hasSuffix("\n") else { throw ServiceXMLError("the line end at the end of the file is missing") }
    let digits = fileName.reversed().prefix(while: \.isNumber).reversed()
    let name = String(fileName.dropLast(digits.count))
    guard let version = Int(String(digits)), version > 0, !name.isEmpty else {
      throw ServiceXMLError("the file name is not the name and version of a service")
    }
    let root = try XMLReader.read(scpd)
    guard root.name == "scpd", root.attributes["xmlns"] == "urn:schemas-upnp-org:service-1-0" else {
      throw root.error("the root element is not <scpd> of urn:schemas-upnp-org:service-1-0")
    }
    let rules = try Rules(reading: rulesText)
    let variables = try self.variables(of: root)
    let actions = try self.actions(of: root, variables: variables, rules: rules)
    try rules.check(actions: actions, variables: variables)
    try rules.checkClient(actions: actions, variables: variables)
    let service = Service(
      domain: domain, name: name, version: version, actions: actions, variables: variables, rules: rules, source: scpd)
    try rules.check(evented: service.eventedVariables)
    for name in rules.lazy where variables.contains(where: { $0.name == name && service.channels(of: $0) != nil }) {
      throw ServiceXMLError("\(name) has a value for each channel and cannot be lazy", in: .rules)
    }
    let count = service.eventedVariables.reduce(0) { $0 + (service.channels(of: $1)?.count ?? 1) }
    guard count <= maximumVariables else {
      throw ServiceXMLError("\(count) evented variables, more than the maximum of \(maximumVariables)")
    }
    return service
  }

  /// The capacity of a VariableSet.
  private static let maximumVariables = 64

  private static func variables(of root: XMLElement) throws(ServiceXMLError) -> [Service.Variable] {
    var variables: [Service.Variable] = []
    for element in root.child("serviceStateTable")?.children("stateVariable") ?? [] {
      let variable = try variable(element)
      if variables.contains(where: { $0.name == variable.name }) {
        throw element.error("the state variable \(variable.name) occurs twice")
      }
      variables.append(variable)
    }
    return variables
  }

  private static func variable(_ element: XMLElement) throws(ServiceXMLError) -> Service.Variable {
    let name = try element.identifier()
    let typeName = try element.required("dataType")
    guard let type = Service.DataType(rawValue: typeName) else {
      throw element.error("\(name) has the unknown type \(typeName)")
    }
    guard let sendEvents = element.attributes["sendEvents"], ["yes", "no"].contains(sendEvents) else {
      throw element.error("\(name) needs sendEvents=\"yes\" or \"no\"")
    }
    let allowed = element.child("allowedValueList")?.children("allowedValue").map(\.text) ?? []
    if !allowed.isEmpty, type != .string { throw element.error("\(name) has allowed values but is not a string") }
    if let value = allowed.duplicate { throw element.error("\(name) allows \(value) twice") }
    var variable = Service.Variable(
      name: name, type: type, isEvented: sendEvents == "yes", allowedValues: allowed,
      range: try range(of: element, name: name, type: type))
    if let value = element.child("defaultValue")?.text {
      guard variable.accepts(value) else {
        throw element.error("the default value of \(name) is not a valid \(typeName), not in its range or not allowed")
      }
      variable.defaultValue = value
    }
    if variable.isEvented, variable.isArgumentType {
      throw element.error("\(name) declares an argument type and cannot be evented")
    }
    return variable
  }

  private static func range(
    of element: XMLElement, name: String, type: Service.DataType
  ) throws(ServiceXMLError) -> ClosedRange<Int>? {
    guard let range = element.child("allowedValueRange") else { return nil }
    guard let integers = type.integers else { throw range.error("\(name) has a range but is not an integer") }
    guard let minimum = Int(try range.required("minimum")), let maximum = Int(try range.required("maximum")),
      minimum <= maximum
    else { throw range.error("the range of \(name) is invalid") }
    guard integers.contains(minimum), integers.contains(maximum) else {
      throw range.error("the range of \(name) exceeds \(type.rawValue)")
    }
    return minimum...maximum
  }

  private static func actions(
    of root: XMLElement, variables: [Service.Variable], rules: Rules
  ) throws(ServiceXMLError) -> [Service.Action] {
    var actions: [Service.Action] = []
    for element in root.child("actionList")?.children("action") ?? [] {
      let action = try action(element, variables: variables, rules: rules)
      if actions.contains(where: { $0.name == action.name }) {
        throw element.error("the action \(action.name) occurs twice")
      }
      actions.append(action)
    }
    return actions
  }

  private static func action(
    _ element: XMLElement, variables: [Service.Variable], rules: Rules
  ) throws(ServiceXMLError) -> Service.Action {
    var action = Service.Action(name: try element.identifier(), inputs: [], outputs: [])
    for argument in element.child("argumentList")?.children("argument") ?? [] {
      let name = try argument.identifier()
      let path = "\(action.name).\(name)"
      let related = try argument.required("relatedStateVariable")
      guard let variable = variables.first(where: { $0.name == related }) else {
        throw argument.error("\(path) refers to the unknown variable \(related)")
      }
      if (action.inputs + action.outputs).contains(where: { $0.name == name }) {
        throw argument.error("the argument \(path) occurs twice")
      }
      let direction = try argument.required("direction")
      switch direction {
      case "in":
        guard action.outputs.isEmpty else { throw argument.error("the input \(path) comes after an output") }
        action.inputs.append(
          Service.Argument(name: name, variable: variable, fault: rules.fault(action: action.name, argument: name)))
      case "out": action.outputs.append(Service.Argument(name: name, variable: variable))
      default: throw argument.error("\(path) has the unknown direction \(direction)")
      }
    }
    return action
  }
}

extension Service.Variable {
  /// Whether a default value is valid.
  func accepts(_ text: String) -> Bool {
    if !allowedValues.isEmpty { return allowedValues.contains(text) }
    switch type {
    case .ui1, .ui2, .ui4, .i1, .i2, .i4:
      guard let number = Int(text), let range = range ?? type.integers else { return false }
      return range.contains(number)
    case .boolean: return ["0", "1", "false", "true", "no", "yes"].contains(text)
    case .string, .uri: return true
    case .base64: return text.isEmpty
    }
  }
}

extension XMLElement {
  /// The text of `<name>`, checked to be a Swift identifier as well (UDA 1.1 §2.5 allows the same characters).
  fileprivate func identifier() throws(ServiceXMLError) -> String {
    let name = try required("name")
    let isWord = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isWord, name.first?.isNumber == false else {
      throw error("the name \(name) is not a word of letters, digits and _")
    }
    return name
  }
}

extension Sequence where Element: Hashable {
  /// The first element that occurs a second time.
  var duplicate: Element? {
    var seen: Set<Element> = []
    return first { !seen.insert($0).inserted }
  }
}
