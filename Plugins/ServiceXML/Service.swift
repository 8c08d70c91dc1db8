/// A checked service description: an SCPD with its rules.
public struct Service: Equatable, Sendable {
  public struct Argument: Equatable, Sendable {
    public var name: String
    public var variable: Variable
    /// The fault for a value outside the allowed list or range; nil for 601.
    public var fault: Rules.Fault?
  }

  public struct Action: Equatable, Sendable {
    public var name: String
    public var inputs: [Argument]
    public var outputs: [Argument]
  }

  public struct Variable: Equatable, Sendable {
    public var name: String
    public var type: DataType
    public var isEvented: Bool
    public var allowedValues: [String]
    public var range: ClosedRange<Int>?
    /// The text of `<defaultValue>`, checked to be a value of the variable.
    public var defaultValue: String?

    /// The prefix of variables that only declare an argument type. They are never evented (UDA 1.1 §2.5).
    public static let argumentTypePrefix = "A_ARG_TYPE_"

    public var isArgumentType: Bool { name.hasPrefix(Self.argumentTypePrefix) }
  }

  /// The UPnP data types of the services in service-xml (UDA 1.1 §2.5, table 2-3), as Swift types.
  public enum DataType: String, Sendable {
    case ui1, ui2, ui4, i1, i2, i4, string, boolean, uri
    case base64 = "bin.base64"

    public var swiftName: String {
      switch self {
      case .ui1: "UInt8"
      case .ui2: "UInt16"
      case .ui4: "UInt32"
      case .i1: "Int8"
      case .i2: "Int16"
      case .i4: "Int32"
      case .string, .uri: "String"
      case .boolean: "Bool"
      case .base64: "[UInt8]"
      }
    }

    /// The range of an integer type; nil for other types.
    public var integers: ClosedRange<Int>? {
      switch self {
      case .ui1: 0...Int(UInt8.max)
      case .ui2: 0...Int(UInt16.max)
      case .ui4: 0...Int(UInt32.max)
      case .i1: Int(Int8.min)...Int(Int8.max)
      case .i2: Int(Int16.min)...Int(Int16.max)
      case .i4: Int(Int32.min)...Int(Int32.max)
      case .string, .boolean, .uri, .base64: nil
      }
    }
  }

  /// The domain of the service type, such as `schemas-upnp-org`.
  public var domain: String
  public var name: String
  public var version: Int
  public var actions: [Action]
  public var variables: [Variable]
  public var rules: Rules
  /// The SCPD, byte for byte.
  public var source: String

  public var typeName: String { "\(name)\(version)" }

  /// Service ids of the UPnP Forum's services use the domain `upnp-org` (UDA 1.1 §2.3).
  public var serviceID: String {
    "urn:\(domain == "schemas-upnp-org" ? "upnp-org" : domain):serviceId:\(name)"
  }

  /// The variables within LastChange: all state variables that are not evented themselves. Empty without LastChange.
  public var lastChangeVariables: [Variable] {
    guard rules.lastChangeNamespace != nil else { return [] }
    return variables.filter { !$0.isEvented && !$0.isArgumentType && !rules.unevented.contains($0.name) }
  }

  /// Whether a variable has a value for each channel: an action reads or writes it by channel.
  public func isPerChannel(_ variable: Variable) -> Bool {
    actions.contains { action in
      action.inputs.contains { $0.name == "Channel" }
        && (action.inputs + action.outputs).contains { $0.variable.name == variable.name }
    }
  }

  /// The variables that events carry: within LastChange, or each as a property.
  public var eventedVariables: [Variable] {
    rules.lastChangeNamespace == nil ? variables.filter(\.isEvented) : lastChangeVariables
  }

  /// The variables that clients learn from events: as properties, and within LastChange.
  public var clientVariables: [Variable] {
    variables.filter { $0.isEvented && ($0.name != "LastChange" || rules.lastChangeNamespace == nil) }
      + lastChangeVariables
  }

  /// The channels of a per-channel variable; nil for other variables.
  public func channels(of variable: Variable) -> [String]? {
    guard let channels, isPerChannel(variable) else { return nil }
    return channels.allowedValues
  }

  /// The variable whose allowed values are the channels.
  public var channels: Variable? {
    variables.first { $0.name == Variable.argumentTypePrefix + "Channel" && !$0.allowedValues.isEmpty }
  }
}
