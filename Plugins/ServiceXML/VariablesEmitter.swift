/// Writes a service's evented variables: a typed face of the `VariableStore`, so that what is not in the SCPD cannot be
/// evented and no variable can be missing from an initial event.
struct VariablesEmitter {
  let service: Service

  private var variables: [Service.Variable] { service.travellingVariables }

  func emit(_ line: (Int, String) -> Void) {
    guard !variables.isEmpty else { return }
    line(0, "")
    line(1, "/// The evented variables; setting one that differs makes an event.")
    line(1, "public struct Variables {")
    line(2, "public let store: VariableStore")
    line(0, "")
    emitInit(line)
    var index = 0
    for variable in variables {
      line(0, "")
      emitSetter(variable, index: index, line)
      index += service.channels(of: variable)?.count ?? 1
    }
    line(1, "}")
  }

  private func emitInit(_ line: (Int, String) -> Void) {
    line(2, "public init(")
    for (index, variable) in variables.enumerated() {
      let type = SwiftName.type(variable)
      let parameter =
        isLazy(variable)
        ? "@escaping () -> \(type)" : service.channels(of: variable) == nil ? type : "(Channel) -> \(type)"
      let comma = index == variables.count - 1 ? "" : ","
      line(3, "\(SwiftName.member(variable.name)): \(parameter)\(comma)")
    }
    line(2, ") {")
    line(3, "store = VariableStore(")
    let form =
      service.rules.lastChangeNamespace.map { ".lastChange(namespace: \(SwiftLiteral.quoted($0)))" } ?? ".properties"
    line(4, "form: \(form),")
    line(4, "initial: [")
    for variable in variables {
      let name = SwiftName.member(variable.name)
      for channel in service.channels(of: variable) ?? [] {
        let value = ".text(\(name)(.\(SwiftName.member(channel))).upnpText)"
        line(5, "(.init(\"\(variable.name)\", channel: \(SwiftLiteral.quoted(channel))), \(value)),")
      }
      guard service.channels(of: variable) == nil else { continue }
      let value = isLazy(variable) ? ".made { \(name)().upnpText }" : ".text(\(name).upnpText)"
      line(5, "(.init(\"\(variable.name)\"), \(value)),")
    }
    line(4, "])")
    line(2, "}")
  }

  private func isLazy(_ variable: Service.Variable) -> Bool { service.rules.lazy.contains(variable.name) }

  private func emitSetter(_ variable: Service.Variable, index: Int, _ line: (Int, String) -> Void) {
    if isLazy(variable) {
      line(2, "/// The value that the closure makes is another one.")
      line(2, "public func touch\(variable.name)() {")
      line(3, "store.touch(\(index))")
      line(2, "}")
      return
    }
    let setter = "set" + variable.name
    guard let channels = service.channels(of: variable) else {
      line(2, "public func \(setter)(_ value: \(SwiftName.type(variable))) {")
      line(3, "store.set(\(index), to: value.upnpText)")
      line(2, "}")
      return
    }
    line(2, "public func \(setter)(_ value: \(SwiftName.type(variable)), channel: Channel) {")
    line(3, "let index: Int")
    line(3, "switch channel {")
    for (offset, channel) in channels.enumerated() {
      line(3, "case .\(SwiftName.member(channel)): index = \(index + offset)")
    }
    line(3, "}")
    line(3, "store.set(index, to: value.upnpText)")
    line(2, "}")
  }
}
