/// Emits a service's evented variables: `Values`, which has them as typed properties, and `Variables`, which keeps them
/// in a `VariableStore`. So a variable that the SCPD does not declare cannot be evented, and initial events are
/// complete.
struct VariablesEmitter {
  /// One variable of the store: a per-channel state variable has one for each channel.
  private struct Entry {
    let variable: Service.Variable
    let channel: String?
    let isLazy: Bool

    /// The property of `Values`, or the closure's label: `volume`, or `masterVolume` for the channel Master.
    var name: String {
      channel.map { SwiftName.member($0) + variable.name.prefix(1).uppercased() + variable.name.dropFirst() }
        ?? SwiftName.member(variable.name)
    }

    /// The expression for the key in the store.
    var key: String {
      ".init(\"\(variable.name)\"\(channel.map { ", channel: \(SwiftLiteral.quoted($0))" } ?? ""))"
    }
  }

  private let entries: [Entry]
  private let lastChangeNamespace: String?
  private let served: [String]

  private var eager: [Entry] { entries.filter { !$0.isLazy } }

  init(service: Service) {
    lastChangeNamespace = service.rules.lastChangeNamespace
    served = service.rules.served.filter { name in service.eventedVariables.contains { $0.name == name } }
    entries = service.eventedVariables.flatMap { variable in
      let isLazy = service.rules.lazy.contains(variable.name)
      let channels = service.channels(of: variable)?.map { Optional($0) } ?? [nil]
      return channels.map { Entry(variable: variable, channel: $0, isLazy: isLazy) }
    }
  }

  /// The names that must differ from each other.
  var names: [String] { entries.map(\.name) }

  func emit(_ line: (Int, String) -> Void) {
    guard !entries.isEmpty else { return }
    if !eager.isEmpty { emitValues(line) }
    line(0, "")
    line(1, "/// The evented variables and their subscribers.")
    line(1, "public struct Variables {")
    line(2, "public let store: VariableStore")
    line(0, "")
    emitInit(line)
    if !eager.isEmpty { emitApply(line) }
    for (index, entry) in entries.enumerated() where entry.isLazy {
      line(0, "")
      line(2, "/// Events \(entry.variable.name) with a new value from its closure.")
      line(2, "public func touch\(entry.variable.name)() {")
      line(3, "store.touch(\(index))")
      line(2, "}")
    }
    line(1, "}")
  }

  private func emitValues(_ line: (Int, String) -> Void) {
    line(0, "")
    line(1, "/// The values of the evented variables. The defaults are those of the SCPD.")
    line(1, "public struct Values: Sendable, Equatable {")
    for entry in eager { line(2, "public var \(entry.name): \(SwiftName.type(entry.variable))") }
    line(0, "")
    line(2, "public init(")
    for (index, entry) in eager.enumerated() {
      let value = entry.variable.defaultValue.map { " = \(SwiftLiteral.value($0, of: entry.variable))" } ?? ""
      let comma = index == eager.count - 1 ? "" : ","
      line(3, "\(entry.name): \(SwiftName.type(entry.variable))\(value)\(comma)")
    }
    line(2, ") {")
    for entry in eager { line(3, "self.\(entry.name.filter { $0 != "`" }) = \(entry.name)") }
    line(2, "}")
    line(1, "}")
  }

  private func emitInit(_ line: (Int, String) -> Void) {
    let closures = entries.filter(\.isLazy).map { "\($0.name): @escaping () -> \(SwiftName.type($0.variable))" }
    let parameters = (eager.isEmpty ? [] : ["_ values: Values"]) + closures
    line(2, "public init(\(parameters.joined(separator: ", "))) {")
    line(3, "store = VariableStore(")
    let form = lastChangeNamespace.map { ".lastChange(namespace: \(SwiftLiteral.quoted($0)))" } ?? ".properties"
    line(4, "form: \(form),")
    line(4, "initial: [")
    for entry in entries {
      let value =
        entry.isLazy ? ".made { \(entry.name)().upnpText }" : ".text(values.\(entry.name).upnpText)"
      line(5, "(\(entry.key), \(value)),")
    }
    let names = served.map { SwiftLiteral.quoted($0) }.joined(separator: ", ")
    line(4, names.isEmpty ? "])" : "], served: [\(names)])")
    line(2, "}")
  }

  private func emitApply(_ line: (Int, String) -> Void) {
    line(0, "")
    line(2, "/// Replaces all values and events those that changed.")
    line(2, "public func apply(_ values: Values) {")
    for (index, entry) in entries.enumerated() where !entry.isLazy {
      line(3, "store.set(\(index), to: values.\(entry.name).upnpText)")
    }
    line(2, "}")
  }
}
