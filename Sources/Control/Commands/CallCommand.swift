import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control call`
struct CallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: "Call an action of a device, and print what it returns.",
    discussion: "Example: swiftlet-control call Kitchen RenderingControl SetVolume Channel=Master DesiredVolume=40")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "A service's name or type, such as AVTransport.") var service: String
  @Argument(help: "The action's name.") var action: String
  @Argument(
    help: ArgumentHelp("Input argument as name=value. InstanceID is 0 unless given.", valueName: "argument"))
  var arguments: [String] = []
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    try await Session.run(options, devices: [device]) { session in
      let device = try await session.device(device, with: service)
      guard let service = device.service(named: service) else {
        throw ControlPointError.notOffered(
          "the service \(service); it has \(device.services.map(\.name).joined(separator: ", "))")
      }
      let scpd = try await session.controlPoint.scpd(of: service)
      let lowered = action.lowercased()
      guard let action = scpd.action(action) ?? scpd.actions.first(where: { $0.name.lowercased() == lowered }) else {
        throw ControlPointError.notOffered(
          "the action \(action); \(service.name) has \(scpd.actions.map(\.name).joined(separator: ", "))")
      }
      let results = try await session.controlPoint.rawAction(action.name, try inputs(of: action), of: service)
      if options.json {
        try Terminal.json(Dictionary(results.map { ($0.name, $0.value) }) { first, _ in first })
      } else {
        // A DIDL-Lite document may have several lines.
        for (name, value) in results {
          for line in "\(name): \(value)".split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            Terminal.print(String(line))
          }
        }
      }
    }
  }

  /// The arguments in the order of the SCPD.
  private func inputs(of action: ServiceDescription.Action) throws -> [(name: String, value: String)] {
    var values: [String: String] = [:]
    let known = Dictionary(action.inputs.map { ($0.name.lowercased(), $0.name) }) { first, _ in first }
    for argument in arguments {
      var parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw ValidationError("\"\(argument)\" is not name=value.") }
      parts[0] = known[parts[0].lowercased()] ?? parts[0]
      guard values.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw ValidationError("\(parts[0]) is given twice.")
      }
    }
    let names = action.inputs.map(\.name)
    let unknown = values.keys.filter { !names.contains($0) }.sorted()
    guard unknown.isEmpty else {
      throw ValidationError(
        "\(action.name) has no input argument \(unknown.joined(separator: ", ")); it takes "
          + (names.isEmpty ? "none." : "\(names.joined(separator: ", "))."))
    }
    let missing = names.filter { values[$0] == nil && $0 != "InstanceID" }
    guard missing.isEmpty else {
      throw ValidationError("\(action.name) also needs \(missing.joined(separator: ", ")).")
    }
    return names.map { ($0, values[$0] ?? "0") }
  }
}
