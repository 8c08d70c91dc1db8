import UPnP

/// The actions and variables of a service: its SCPD (UDA 1.1 §2.5).
public struct ServiceDescription: Sendable, Hashable {
  public struct Argument: Sendable, Hashable {
    public var name: String
    public var isInput: Bool
    /// The name of the state variable that defines its type; empty if the SCPD names none.
    public var variable: String

    public init(name: String, isInput: Bool, variable: String) {
      self.name = name
      self.isInput = isInput
      self.variable = variable
    }
  }

  public struct Action: Sendable, Hashable {
    public var name: String
    public var arguments: [Argument]

    public init(name: String, arguments: [Argument]) {
      self.name = name
      self.arguments = arguments
    }

    public var inputs: [Argument] { arguments.filter(\.isInput) }
    public var outputs: [Argument] { arguments.filter { !$0.isInput } }
  }

  public struct Variable: Sendable, Hashable {
    public var name: String
    /// The UPnP data type (UDA 1.1 §2.5), such as `ui4`, `string` or `boolean`.
    public var dataType: String
    public var isEvented: Bool
    public var defaultValue: String?
    /// Empty if any value is allowed.
    public var allowedValues: [String]
    public var range: Range?

    /// Limits as written, since they may be of any numeric type.
    public struct Range: Sendable, Hashable {
      public var minimum: String
      public var maximum: String
      public var step: String?
    }
  }

  public var actions: [Action]
  public var variables: [Variable]
  public var deviations: [Deviation]

  public func action(_ name: String) -> Action? { actions.first { $0.name == name } }
  public func variable(_ name: String) -> Variable? { variables.first { $0.name == name } }
  /// The variable that defines an argument's type.
  public func variable(of argument: Argument) -> Variable? { variable(argument.variable) }
}

extension ServiceDescription {
  /// Reads an SCPD.
  /// - Parameter name: the service's name, for deviations.
  package init(_ document: XMLDocument.Reading, name: String) {
    self = ServiceDescriptionReader.read(document, name: name)
  }
}

/// Reads SCPDs leniently, and records their deviations.
struct ServiceDescriptionReader {
  private static let namespace = "urn:schemas-upnp-org:service-1-0"
  /// Actions, and variables, beyond this many are ignored.
  static let maximumEntries = 1000
  /// Arguments of one action beyond this many are ignored.
  static let maximumArguments = 100
  private static let dataTypes: Set = [
    "ui1", "ui2", "ui4", "ui8", "i1", "i2", "i4", "i8", "int", "r4", "r8", "number", "fixed.14.4", "float", "char",
    "string", "date", "dateTime", "dateTime.tz", "time", "time.tz", "boolean", "bin.base64", "bin.hex", "uri", "uuid",
  ]

  private var log: DeviationLog

  /// - Parameter name: the service's name, for deviations.
  /// - Throws: if the document is not readable XML.
  static func read(_ bytes: [UInt8], name: String) throws(XMLReadingError) -> ServiceDescription {
    ServiceDescription(try XMLDocument.read(bytes), name: name)
  }

  fileprivate static func read(_ reading: XMLDocument.Reading, name: String) -> ServiceDescription {
    var reader = ServiceDescriptionReader(log: DeviationLog(place: "\(name) SCPD", source: "UDA 1.1 §2.5"))
    for repair in reading.repairs { reader.log.add(repair, source: "XML 1.0 §2.4") }
    return reader.description(reading.root)
  }

  private mutating func description(_ root: XMLElement) -> ServiceDescription {
    if root.name != "scpd" { log.add("The document element is <\(root.name)> instead of <scpd>.") }
    if root.namespace != Self.namespace {
      log.add("The namespace is \"\(root.namespace)\" instead of \(Self.namespace).")
    }
    let variables = entries(root["serviceStateTable"], "stateVariable").map { variable($0) }
    if variables.isEmpty { log.add("There are no state variables.") }
    checkNames(variables.map(\.name), "state variable")
    let names = Set(variables.map(\.name))
    let actions = entries(root["actionList"], "action").map { action($0, variables: names) }
    checkNames(actions.map(\.name), "action")
    return ServiceDescription(actions: actions, variables: variables, deviations: log.deviations)
  }

  private mutating func entries(_ list: XMLElement?, _ name: String) -> ArraySlice<XMLElement> {
    let all = list?.all(name) ?? []
    if all.count > Self.maximumEntries {
      log.add("There are \(all.count) elements <\(name)>; those after \(Self.maximumEntries) are ignored.")
    }
    return all.prefix(Self.maximumEntries)
  }

  private mutating func checkNames(_ names: [String], _ kind: String) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted { log.add("The \(kind) \(name) is there twice.") }
  }

  private mutating func action(_ element: XMLElement, variables: Set<String>) -> ServiceDescription.Action {
    let name = log.required(element.text("name"), "name", in: "An action")
    let arguments = (element["argumentList"]?.all("argument") ?? []).prefix(Self.maximumArguments).map {
      argument($0, of: name, variables: variables)
    }
    if let output = arguments.firstIndex(where: { !$0.isInput }), arguments[output...].contains(where: \.isInput) {
      log.add("\(name) has input arguments after output arguments.")
    }
    return .init(name: name, arguments: Array(arguments))
  }

  private mutating func argument(
    _ element: XMLElement, of action: String, variables: Set<String>
  ) -> ServiceDescription.Argument {
    let name = log.required(element.text("name"), "name", in: "An argument of \(action)")
    let direction = element.text("direction") ?? ""
    if direction != "in", direction != "out" {
      log.add("The argument \(name) of \(action) has the direction \"\(direction)\".")
    }
    let variable = element.text("relatedStateVariable") ?? ""
    if !variables.contains(variable) {
      log.add("The argument \(name) of \(action) refers to \"\(variable)\", which is no state variable.")
    }
    return .init(name: name, isInput: direction.lowercased() != "out", variable: variable)
  }

  private mutating func variable(_ element: XMLElement) -> ServiceDescription.Variable {
    let name = log.required(element.text("name"), "name", in: "A state variable")
    let type = log.required(element.text("dataType"), "dataType", in: "The state variable \(name)")
    if !type.isEmpty, !Self.dataTypes.contains(type) { log.add("\(name) has the unknown dataType \"\(type)\".") }
    // In UDA 1.0 sendEvents may also be an element; without it, variables are evented.
    let sendsEvents = element.attributes["sendEvents"] ?? element.text("sendEventsAttribute")
    let range = element["allowedValueRange"].map { range in
      ServiceDescription.Variable.Range(
        minimum: range.text("minimum") ?? "", maximum: range.text("maximum") ?? "", step: range.text("step"))
    }
    return .init(
      name: name, dataType: type, isEvented: sendsEvents?.lowercased() != "no",
      defaultValue: element.text("defaultValue"),
      allowedValues: element["allowedValueList"]?.all("allowedValue").prefix(Self.maximumEntries).map(\.text) ?? [],
      range: range)
  }
}
