import ControlPoint
import UPnP

/// A variable of a service, on one channel.
struct VariableName: Sendable, Hashable, Comparable, CustomStringConvertible {
  var service: String
  var name: String
  /// The channel, such as `Master`; nil for variables without channels.
  var channel: String?

  var description: String { "\(service).\(name)" }

  static func < (one: Self, other: Self) -> Bool {
    (one.service, one.name, one.channel ?? "") < (other.service, other.name, other.channel ?? "")
  }
}

/// The values of variables by name, as getters return them or as events have left them.
typealias VariableValues = [VariableName: String]

/// Compares the events of a device with its getters: folding all events has to yield the values of all getters (UDA 1.0
/// §4). Pure.
struct EventOracle: Sendable {
  /// Data types by name, for the comparison.
  private let types: [VariableName: String]
  /// Variables that the initial event must contain.
  private let required: Set<VariableName>
  /// Variables whose changes are evented, by themselves or in LastChange.
  private let tracked: Set<VariableName>
  private(set) var evented: VariableValues = [:]
  private var excluded: Set<VariableName> = []
  /// Variables in the events since the last mark.
  private(set) var recent: Set<VariableName> = []

  /// - Parameter services: the services whose events are folded.
  init(_ services: [(name: String, scpd: ServiceDescription)]) {
    var types: [VariableName: String] = [:]
    var required: Set<VariableName> = []
    var tracked: Set<VariableName> = []
    for (service, scpd) in services {
      let hasLastChange = scpd.variable("LastChange") != nil
      for variable in scpd.variables {
        let name = VariableName(service: service, name: variable.name)
        types[name] = variable.dataType
        if variable.isEvented, variable.name != "LastChange" { required.insert(name) }
        if variable.isEvented || hasLastChange { tracked.insert(name) }
      }
    }
    self.types = types
    self.required = required
    self.tracked = tracked
  }

  /// Whether changes of a variable are evented. Only then does a missing event mean anything.
  func concerns(_ name: VariableName) -> Bool { tracked.contains(name) }

  /// Folds an event.
  mutating func receive(_ variables: [EventedVariable], from service: String) {
    for variable in variables {
      let name = VariableName(service: service, name: variable.name, channel: Self.channel(variable.channel))
      evented[name] = variable.value
      recent.insert(name)
    }
  }

  /// Forgets which variables were in events so far, but not their values.
  mutating func mark() { recent = [] }

  /// Leaves out the variables for which events and getters disagree.
  /// - Returns: their names.
  mutating func exclude(disagreeingWith readings: VariableValues) -> [VariableName] {
    let names = readings.keys.filter { name in
      readings[name].map { !disagreements(with: [name: $0]).isEmpty } ?? false
    }
    exclude(names)
    return names.sorted()
  }

  mutating func exclude(_ names: [VariableName]) { excluded.formUnion(names) }

  /// The variables for which events and getters disagree, each with a sentence part such as `Volume.Mute "0" instead of
  /// "1"`.
  func disagreements(with readings: VariableValues) -> [String] {
    readings.sorted { $0.key < $1.key }.compactMap { name, value in
      guard !excluded.contains(name) else { return nil }
      guard let evented = evented[name] else { return required.contains(name) ? "no \(name)" : nil }
      return isSame(evented, value, name) ? nil : "\(name) \(Self.quoted(evented)) instead of \(Self.quoted(value))"
    }
  }

  /// The variables with events that the getters show to have changed between two readings.
  func changes(from old: VariableValues, to new: VariableValues) -> Set<VariableName> {
    Set(
      new.compactMap { name, value in
        guard tracked.contains(name), !excluded.contains(name), let former = old[name], !isSame(former, value, name)
        else { return nil }
        return name
      })
  }

  /// Whether two texts are the same value of the variable's type.
  private func isSame(_ one: String, _ other: String, _ name: VariableName) -> Bool {
    if one == other { return true }
    switch types[VariableName(service: name.service, name: name.name)] {
    case "boolean": return Self.value(one, Bool.self) == Self.value(other, Bool.self)
    case "ui1", "ui2", "ui4", "i1", "i2", "i4", "int":
      return Int(device: one) != nil && Int(device: one) == Int(device: other)
    case "bin.base64": return Self.value(one, [UInt8].self) == Self.value(other, [UInt8].self)
    default: return false
    }
  }

  private static func value<Value: ArgumentValue>(_ text: String, _ type: Value.Type) -> Value? {
    if case .value(let value) = Value.read(text) { value } else { nil }
  }

  private static func quoted(_ text: String) -> String { "\"\(text.prefix(40))\"" }

  /// The channel Master is the variable itself.
  static func channel(_ name: String?) -> String? { name == "Master" ? nil : name }
}
