/// The outcome of a check, without reasons.
public enum Outcome: String, Sendable, Hashable, CaseIterable, Codable {
  case pass, fail, skip, inconclusive
}

/// The verdict on one check.
public struct CheckResult: Sendable {
  public enum Verdict: Sendable, Hashable {
    case pass
    case fail(expected: String, got: String)
    case skip(String)
    /// The device could not be judged.
    case inconclusive(String)
  }

  public let check: Check
  /// The name of the tested device, if the run tests several.
  public internal(set) var device = ""
  public var verdict: Verdict
  public internal(set) var duration: Duration
  /// States of the device that could not be restored.
  public internal(set) var lost: [Setting]
  public var measurements: [Measurement] = []
  public var table: ResultTable?
  /// The messages that a failed check sent and received.
  public var exchange = WireExchange()
  /// Why the device could not be judged, if that has nothing to do with the check.
  public internal(set) var disturbance: Disturbance?
  /// Whether a failure depends on a time, so that it may only show that the tester or the device was slow.
  var dependsOnTime = false
  /// The outcomes of all runs, if there were several.
  public var outcomes: [Outcome] = []

  public var outcome: Outcome {
    switch verdict {
    case .pass: .pass
    case .fail: .fail
    case .skip: .skip
    case .inconclusive: .inconclusive
    }
  }

  /// Whether several runs ended differently.
  public var isUnstable: Bool { Set(outcomes).count > 1 }

  /// The worst first. A skipped check says nothing.
  private static let severity: [Outcome] = [.fail, .inconclusive, .pass, .skip]

  /// The worse of the results of one check on two devices, with the duration of both.
  static func worse(_ one: CheckResult, _ other: CheckResult) -> CheckResult {
    var worse = severity.first { $0 == one.outcome || $0 == other.outcome } == one.outcome ? one : other
    if one.outcome == other.outcome, one.outcome != .fail { worse.device = "" }
    worse.duration = one.duration + other.duration
    worse.disturbance = one.disturbance ?? other.disturbance
    worse.lost = Setting.allCases.filter { one.lost.contains($0) || other.lost.contains($0) }
    return worse
  }

  /// Merges the results of several runs of the same checks. The worst result of each check is kept.
  public static func merged(_ runs: [[CheckResult]]) -> [CheckResult] {
    guard runs.count > 1, let first = runs.first else { return runs.first ?? [] }
    let byID = runs.map { run in Dictionary(run.map { ($0.check.id, $0) }) { first, _ in first } }
    return first.map { result in
      let all = byID.compactMap { $0[result.check.id] }
      var worst = severity.lazy.compactMap { outcome in all.first { $0.outcome == outcome } }.first ?? result
      worst.outcomes = all.map(\.outcome)
      worst.disturbance = worst.disturbance ?? all.lazy.compactMap(\.disturbance).first
      worst.lost = Setting.allCases.filter { setting in all.contains { $0.lost.contains(setting) } }
      return worst
    }
  }
}
