/// An SCPD and its rules to a checked `Service` (UDA 1.1 §2.5).
public enum ServiceReader {
  /// - Parameters:
  ///   - fileName: without its ending: the service's name and version, such as `AVTransport1`.
  ///   - domain: the name of the folder.
  public static func read(
    scpd: String, rules rulesText: String, fileName: String, domain: String
  ) throws(ServiceXMLError) -> Service {
    guard !scpd.contains("\r") else { throw ServiceXMLError("carriage returns, which an embedded text would lose") }
    guard scpd.hasSuffix("\n") else { throw ServiceXMLError("no line end at the end of the file") }
    let digits = fileName.reversed().prefix(while: \.isNumber).reversed()
    let name = String(fileName.dropLast(digits.count))
    guard let version = Int(String(digits)), version > 0, !name.isEmpty else {
      throw ServiceXMLError("the file name is not a service's name and version")
    }
    let root = try XMLReader.read(scpd)
    guard root.name == "scpd", root.attributes["xmlns"] == "urn:schemas-upnp-org:service-1-0" else {
      throw ServiceXMLError("not a service description")
    }
    let rules = try Rules(reading: rulesText)
    let variables = try self.variables(of: root)
    let actions = try self.actions(of: root, variables: variables, rules: rules)
    try rules.check(actions: actions, variables: variables)
    try check(actions: actions, variables: variables)
    return Service(
      domain: domain, name: name, version: version, actions: actions, variables: variables, rules: rules, source: scpd)
  }

  private static func variables(of root: XMLElement) throws(ServiceXMLError) -> [Service.Variable] {
    var variables: [Service.Variable] = []
    for element in root.child("serviceStateTable")?.children("stateVariable") ?? [] {
      let name = try element.required("name")
      let typeName = try element.required("dataType")
      guard let type = Service.DataType(rawValue: typeName) else {
        throw ServiceXMLError("\(name) has the unknown type \(typeName)")
      }
      guard let sendEvents = element.attributes["sendEvents"], ["yes", "no"].contains(sendEvents) else {
        throw ServiceXMLError("\(name) does not say whether it is evented")
      }
      let allowed = element.child("allowedValueList")?.children("allowedValue").map(\.text) ?? []
      if !allowed.isEmpty, type != .string {
        throw ServiceXMLError("\(name) has allowed values and is no string")
      }
      if let initial = element.child("defaultValue")?.text, !allowed.isEmpty, !allowed.contains(initial) {
        throw ServiceXMLError("the default value of \(name) is not allowed")
      }
      variables.append(
        Service.Variable(
          name: name, type: type, isEvented: sendEvents == "yes", allowedValues: allowed,
          range: try range(of: element, name: name)))
    }
    return variables
  }

  private static func range(of element: XMLElement, name: String) throws(ServiceXMLError) -> ClosedRange<Int>? {
    guard let range = element.child("allowedValueRange") else { return nil }
    guard let minimum = Int(try range.required("minimum")), let maximum = Int(try range.required("maximum")),
      minimum <= maximum
    else { throw ServiceXMLError("\(name) has a range that is none") }
    return minimum...maximum
  }

  private static func actions(
    of root: XMLElement, variables: [Service.Variable], rules: Rules
  ) throws(ServiceXMLError) -> [Service.Action] {
    var actions: [Service.Action] = []
    for element in root.child("actionList")?.children("action") ?? [] {
      var action = Service.Action(name: try element.required("name"), inputs: [], outputs: [])
      for argument in element.child("argumentList")?.children("argument") ?? [] {
        let name = try argument.required("name")
        let related = try argument.required("relatedStateVariable")
        guard let variable = variables.first(where: { $0.name == related }) else {
          throw ServiceXMLError("\(action.name).\(name) is of the undeclared \(related)")
        }
        let direction = try argument.required("direction")
        switch direction {
        case "in":
          guard action.outputs.isEmpty else { throw ServiceXMLError("\(action.name).\(name) comes after outputs") }
          action.inputs.append(
            Service.Argument(
              name: name, variable: variable, fault: rules.fault(action: action.name, argument: name)))
        case "out": action.outputs.append(Service.Argument(name: name, variable: variable))
        default: throw ServiceXMLError("\(action.name).\(name) has the direction \(direction)")
        }
      }
      actions.append(action)
    }
    return actions
  }

  private static func check(actions: [Service.Action], variables: [Service.Variable]) throws(ServiceXMLError) {
    for (what, names) in [("action", actions.map(\.name)), ("state variable", variables.map(\.name))] {
      if let twice = Dictionary(grouping: names, by: \.self).first(where: { $1.count > 1 })?.key {
        throw ServiceXMLError("the \(what) \(twice) stands twice")
      }
    }
  }
}
