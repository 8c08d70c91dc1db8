@testable import ControlPoint

/// The description of a service.
enum SCPDTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    guard let scpd = try? ServiceDescriptionReader.read(Array(input), name: "AVTransport") else { return }
    let limit = ServiceDescriptionReader.maximumEntries
    check(scpd.actions.count <= limit, "\(scpd.actions.count) actions")
    check(scpd.variables.count <= limit, "\(scpd.variables.count) variables")
    DescriptionTarget.check(deviations: scpd.deviations)
    for action in scpd.actions {
      let count = action.arguments.count
      check(count <= ServiceDescriptionReader.maximumArguments, "\(count) arguments")
      check(action.inputs.count + action.outputs.count == count, "an argument without a direction")
      check(scpd.action(action.name) != nil, "no action \(action.name)")
    }
    check(scpd.variables.allSatisfy { $0.allowedValues.count <= limit }, "a variable with more values than allowed")
  }
}
