import ControlPoint
import UPnP

/// An action that returns state variables and changes nothing.
struct Getter: Sendable {
  var service: Target.Service
  var action: ServiceDescription.Action
  var arguments: [(name: String, value: String)]

  /// Variables that change by themselves while a device plays.
  static let positions: Set = [
    "RelativeTimePosition", "AbsoluteTimePosition", "RelativeCounterPosition", "AbsoluteCounterPosition", "Seconds",
  ]

  /// All getters of a service. OpenHome's have no prefix: they are the actions with results and without arguments.
  static func all(of service: Target.Service) -> [Getter] {
    let isOpenHome = service.description.urn?.domain == "av-openhome-org"
    return (service.scpd?.actions ?? []).compactMap { action in
      // The limits of VolumeDB are of its type, and not its value.
      guard !action.outputs.isEmpty, action.name != "GetVolumeDBRange" else { return nil }
      if isOpenHome, action.inputs.isEmpty { return Getter(service: service, action: action, arguments: []) }
      return self.arguments(of: action).map {
        Getter(service: service, action: action, arguments: $0)
      }
    }
  }

  /// Arguments for a call that changes nothing; nil for an action that may change something.
  static func arguments(of action: ServiceDescription.Action) -> [(name: String, value: String)]? {
    guard action.name.hasPrefix("Get") || action.name == "ListPresets" else { return nil }
    var arguments: [(name: String, value: String)] = []
    for input in action.inputs {
      switch input.name {
      case "InstanceID", "ConnectionID": arguments.append((input.name, "0"))
      case "Channel": arguments.append((input.name, "Master"))
      default: return nil
      }
    }
    return arguments
  }

  /// The state variables that it returns, without positions.
  var variables: [VariableName] {
    action.outputs.map(\.variable)
      .filter { !$0.hasPrefix("A_ARG_TYPE_") && !Self.positions.contains($0) }
      .map { VariableName(service: service.name, name: $0) }
  }

  /// The state variables in an answer, without positions.
  func values(_ answer: SOAPAnswer) -> VariableValues {
    var values: VariableValues = [:]
    for (name, value) in answer.results ?? [] {
      guard let variable = action.outputs.first(where: { $0.name == name })?.variable,
        !variable.hasPrefix("A_ARG_TYPE_"), !Self.positions.contains(variable)
      else { continue }
      values[VariableName(service: service.name, name: variable)] = value
    }
    return values
  }
}

extension CheckContext {
  /// The state variables that getters return. Getters that are refused are left out.
  func readings(of getters: [Getter]) async throws(Finding) -> VariableValues {
    var values: VariableValues = [:]
    for getter in getters {
      let answer = try await answer(to: request(getter.service, getter.action.name, getter.arguments))
      values.merge(getter.values(answer)) { first, _ in first }
    }
    return values
  }
}
