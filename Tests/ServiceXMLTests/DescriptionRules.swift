@testable import ServiceXML

/// Rules for descriptions beyond those of `ServiceReader`. Each function returns the violations.
enum DescriptionRules {
  /// UDA 1.1 §2.5: variables are used or evented; `<retval/>` marks the first result, if any.
  static func violations(_ service: Service) throws -> [String] {
    let used = Set(service.actions.flatMap { ($0.inputs + $0.outputs).map(\.variable.name) })
    let unused = service.variables.filter { !$0.isEvented && !used.contains($0.name) }
    return unused.map { "\($0.name) is neither used nor evented" } + (try misplacedReturnValues(service.source))
  }

  private static func misplacedReturnValues(_ scpd: String) throws -> [String] {
    let actions = try XMLReader.read(scpd).child("actionList")?.children("action") ?? []
    return actions.compactMap { action in
      let arguments = action.child("argumentList")?.children("argument") ?? []
      let marked = arguments.indices.filter { arguments[$0].child("retval") != nil }
      let firstResult = arguments.firstIndex { $0.child("direction")?.text == "out" }
      guard let first = marked.first, marked.count > 1 || first != firstResult else { return nil }
      return "\(action.child("name")?.text ?? "") has <retval/> elsewhere than on its first result"
    }
  }

  /// The declarations in `hosted` that are missing from `complete` or contradict it.
  static func differences(hosted: Service, complete: Service) -> [String] {
    actionDifferences(hosted, complete) + variableDifferences(hosted, complete)
  }

  private static func actionDifferences(_ hosted: Service, _ complete: Service) -> [String] {
    hosted.actions.compactMap { action in
      guard let other = complete.actions.first(where: { $0.name == action.name }) else {
        return "no action \(action.name)"
      }
      return signature(action) == signature(other) ? nil : "other arguments of \(action.name)"
    }
  }

  private static func signature(_ action: Service.Action) -> [String] {
    let inputs = action.inputs.map { ("in", $0) }
    let outputs = action.outputs.map { ("out", $0) }
    return (inputs + outputs).map { direction, argument in
      "\(direction) \(argument.name): \(argument.variable.name) \(argument.variable.type)"
    }
  }

  private static func variableDifferences(_ hosted: Service, _ complete: Service) -> [String] {
    hosted.variables.flatMap { variable -> [String] in
      let name = variable.name
      guard let other = complete.variables.first(where: { $0.name == name }) else { return ["no variable \(name)"] }
      var differences: [String] = []
      if variable.type != other.type { differences.append("other type of \(name)") }
      if variable.isEvented != other.isEvented { differences.append("other events of \(name)") }
      if !isWithin(variable.allowedValues, other.allowedValues) { differences.append("more values of \(name)") }
      if !isWithin(variable.range ?? variable.type.integers, other.range ?? other.type.integers) {
        differences.append("larger range of \(name)")
      }
      return differences
    }
  }

  /// An empty list allows every value.
  private static func isWithin(_ values: [String], _ others: [String]) -> Bool {
    others.isEmpty || (!values.isEmpty && Set(values).isSubset(of: others))
  }

  private static func isWithin(_ range: ClosedRange<Int>?, _ other: ClosedRange<Int>?) -> Bool {
    guard let range, let other else { return true }
    return other.lowerBound <= range.lowerBound && range.upperBound <= other.upperBound
  }
}
