import ControlPoint

/// Runs checks against the root devices of one machine, one after the other.
///
/// Checks of a service run on the device that has it, those of discovery, descriptions and HTTP on each.
public struct MachineRunner: Sendable {
  private let targets: [Target]
  private let settings: CheckSettings

  public init(_ targets: [Target], settings: CheckSettings = CheckSettings()) {
    self.targets = targets
    self.settings = settings
  }

  /// - Parameter onResult: called after each check on each device, in the order of completion.
  /// - Returns: one result for each check: that of the device that it concerns, and the worst of those that it concerns
  ///   equally.
  /// - Throws: if nothing can be tested.
  public func run(
    _ checks: [Check], onResult: @escaping @Sendable (CheckResult) -> Void = { _ in }
  ) async throws(ControlPointError) -> RunFindings {
    var findings = RunFindings(results: [], incidents: [])
    for (number, target) in targets.enumerated() {
      let left = number == 0 ? checks : Self.checks(left: checks, findings.results)
      let name = targets.count > 1 ? target.description.root.friendlyName : ""
      var found = try await CheckRunner(target, settings: settings).run(left) { onResult($0.on(name)) }
      found.results = found.results.map { $0.on(name) }
      findings.add(found)
      if Task.isCancelled { break }
    }
    return findings
  }

  /// The checks that would run on any of the devices, and why the others would not.
  /// - Throws: if nothing can be tested.
  public func plan(_ checks: [Check]) async throws(ControlPointError) -> [(check: Check, reasonToSkip: String?)] {
    var plan: [(check: Check, reasonToSkip: String?)] = []
    for target in targets {
      let other = try await CheckRunner(target, settings: settings).plan(checks)
      plan = plan.isEmpty ? other : zip(plan, other).map { $0.reasonToSkip == nil ? $0 : $1 }
    }
    return plan
  }

  /// The checks that the first device does not have, and those that concern the device rather than the speaker.
  private static func checks(left checks: [Check], _ results: [CheckResult]) -> [Check] {
    let skipped = Set(results.filter { $0.outcome == .skip }.map(\.check.id))
    return checks.filter { skipped.contains($0.id) || !$0.concernsSpeaker }
  }
}

extension CheckResult {
  fileprivate func on(_ device: String) -> CheckResult {
    var result = self
    result.device = device
    return result
  }
}

extension RunFindings {
  /// Adds the findings about another device.
  fileprivate mutating func add(_ other: RunFindings) {
    incidents += other.incidents
    if tester.isEmpty { tester = other.tester }
    guard !results.isEmpty else {
      results = other.results
      return
    }
    let byID = Dictionary(other.results.map { ($0.check.id, $0) }) { first, _ in first }
    for (index, result) in results.enumerated() {
      guard let second = byID[result.check.id] else { continue }
      results[index] = CheckResult.worse(result, second)
    }
  }
}
