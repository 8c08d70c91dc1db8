import ArgumentParser
import ControlPoint
import Glibc
import UPnP

/// `swiftlet-control inspect`
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Show a device's services, actions, arguments and variables, and where it deviates from the specification.")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "Show only this service, such as AVTransport.") var service: String?
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    try await Session.run(options, devices: [device]) { session in
      let device =
        if let service { try await session.device(device, with: service) } else { try await session.device(device) }
      var services = device.services
      if let service {
        guard let found = device.service(named: service) else {
          throw ControlPointError.notOffered("the service \(service)")
        }
        services = [found]
      }
      var deviations = device.description.deviations
      if !options.json { show(device) }
      var failures = 0
      for service in services {
        do {
          let scpd = try await session.controlPoint.scpd(of: service)
          deviations += scpd.deviations
          if options.json { try Terminal.json(ServiceLine(service, scpd)) } else { show(service, scpd) }
        } catch let error as ControlPointError {
          Terminal.complain("\(service.name): \(error)")
          failures += 1
        }
      }
      try report(deviations)
      if failures > 0 { throw ExitCode(EX_UNAVAILABLE) }
    }
  }

  private func show(_ device: FoundDevice) {
    let root = device.root
    Terminal.heading(root.friendlyName)
    Terminal.details([
      ("type", root.type), ("UDN", root.udn), ("URL", device.description.location.description),
      ("UDA", device.description.specVersion.description), ("manufacturer", root.manufacturer),
      ("model", [root.modelName, root.modelNumber].filter { !$0.isEmpty }.joined(separator: " ")),
      ("page", root.presentationURL?.description ?? ""), ("server", device.server),
    ])
  }

  private func show(_ service: DeviceDescription.Service, _ scpd: ServiceDescription) {
    Terminal.print("")
    Terminal.heading("\(service.name):\(service.urn?.version ?? 1)")
    for action in scpd.actions {
      let inputs = action.inputs.map { "\($0.name): \(type($0, scpd))" }.joined(separator: ", ")
      let outputs = action.outputs.map { "\($0.name): \(type($0, scpd))" }.joined(separator: ", ")
      Terminal.print("  \(action.name)(\(inputs))\(outputs.isEmpty ? "" : " -> \(outputs)")")
    }
    for variable in scpd.variables where variable.isEvented {
      Terminal.print("  evented \(variable.name): \(variable.dataType)")
    }
  }

  /// The type of an argument's variable, with its allowed values or range.
  private func type(_ argument: ServiceDescription.Argument, _ scpd: ServiceDescription) -> String {
    guard let variable = scpd.variable(of: argument) else { return "?" }
    if !variable.allowedValues.isEmpty { return variable.allowedValues.prefix(12).joined(separator: "|") }
    return variable.range.map { "\(variable.dataType) \($0.minimum)…\($0.maximum)" } ?? variable.dataType
  }

  private func report(_ deviations: [Deviation]) throws {
    if options.json {
      for deviation in deviations {
        try Terminal.json(["deviation": deviation.text, "place": deviation.place, "source": deviation.source])
      }
      return
    }
    Terminal.print("")
    Terminal.print(deviations.isEmpty ? "No deviations found." : "Deviations:")
    for deviation in deviations { Terminal.print("  \(deviation)") }
  }
}

/// A service in JSON.
private struct ServiceLine: Encodable {
  struct Argument: Encodable {
    var name, direction, variable, type: String
  }

  struct Action: Encodable {
    var name: String
    var arguments: [Argument]
  }

  struct Variable: Encodable {
    var name, type: String
    var evented: Bool
    var allowedValues: [String]
    var minimum, maximum: String?
  }

  var service, id: String
  var actions: [Action]
  var variables: [Variable]

  init(_ service: DeviceDescription.Service, _ scpd: ServiceDescription) {
    self.service = service.type
    id = service.id
    actions = scpd.actions.map { action in
      Action(
        name: action.name,
        arguments: action.arguments.map {
          Argument(
            name: $0.name, direction: $0.isInput ? "in" : "out", variable: $0.variable,
            type: scpd.variable(of: $0)?.dataType ?? "")
        })
    }
    variables = scpd.variables.map {
      Variable(
        name: $0.name, type: $0.dataType, evented: $0.isEvented, allowedValues: $0.allowedValues,
        minimum: $0.range?.minimum, maximum: $0.range?.maximum)
    }
  }
}
