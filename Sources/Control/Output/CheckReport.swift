import Conformance

/// The results of a run, for people or programs.
struct CheckReport {
  /// Name, model and firmware.
  let target: String
  let results: [CheckResult]
  /// The ids of failures that do not count.
  let known: Set<String>

  /// Whether no check came to a verdict.
  var isUntested: Bool {
    results.allSatisfy { result in
      switch result.verdict {
      case .pass, .fail: false
      case .skip, .inconclusive: true
      }
    }
  }

  /// - Parameter isStrict: whether failures of recommendations count.
  func hasFailures(isStrict: Bool) -> Bool {
    results.contains { result in
      guard case .fail = result.verdict else { return false }
      return !known.contains(result.check.id) && (isStrict || result.check.level != .should)
    }
  }

  // MARK: Text

  func printText() {
    Terminal.heading(target)
    for area in Area.allCases {
      let results = results.filter { $0.check.area == area }
      guard !results.isEmpty else { continue }
      Terminal.print("")
      Terminal.heading("\(area.rawValue): \(Self.summary(results))")
      for result in results { printText(result) }
      printSkips(results)
    }
    Terminal.print("")
    Terminal.print("All: \(Self.summary(results))")
    let passing = results.filter { $0.verdict == .pass && known.contains($0.check.id) }
    if !passing.isEmpty {
      Terminal.print("No longer failing: \(passing.map(\.check.id).joined(separator: ", "))")
    }
  }

  private func printText(_ result: CheckResult) {
    let check = result.check
    switch result.verdict {
    case .pass, .skip: break
    case .fail(let expected, let got):
      Terminal.print("  \(known.contains(check.id) ? "known" : "FAIL")  \(check.id)  \(check.level.rawValue)")
      Terminal.print("        \(check.requirement)")
      Terminal.print("        Expected \(expected); got \(got).")
      Terminal.print("        Source: \(check.source)")
    case .inconclusive(let reason): Terminal.print("  ?     \(check.id): \(reason)")
    }
    if !result.lost.isEmpty {
      Terminal.print("        Not restored: \(result.lost.map(\.rawValue).joined(separator: ", "))")
    }
  }

  /// One line for each reason.
  private func printSkips(_ results: [CheckResult]) {
    var reasons: [(reason: String, ids: [String])] = []
    for result in results {
      guard case .skip(let reason) = result.verdict else { continue }
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].ids.append(result.check.id)
      } else {
        reasons.append((reason, [result.check.id]))
      }
    }
    for (reason, ids) in reasons {
      let names = ids.count > 3 ? "\(ids.count) checks" : ids.joined(separator: ", ")
      Terminal.print("  skip  \(names): \(reason)")
    }
  }

  private static func summary(_ results: [CheckResult]) -> String {
    var counts = [("passed", 0), ("failed", 0), ("skipped", 0), ("inconclusive", 0)]
    for result in results {
      switch result.verdict {
      case .pass: counts[0].1 += 1
      case .fail: counts[1].1 += 1
      case .skip: counts[2].1 += 1
      case .inconclusive: counts[3].1 += 1
      }
    }
    return counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }

  // MARK: JSON

  func printJSON() throws {
    for result in results {
      var line = CheckLine(result.check)
      line.device = target
      line.seconds = Double(result.duration.components.seconds) + Double(result.duration.components.attoseconds) / 1e18
      switch result.verdict {
      case .pass: line.verdict = "pass"
      case .fail(let expected, let got):
        line.verdict = "fail"
        line.expected = expected
        line.got = got
        line.known = known.contains(result.check.id)
      case .skip(let reason):
        line.verdict = "skip"
        line.reason = reason
      case .inconclusive(let reason):
        line.verdict = "inconclusive"
        line.reason = reason
      }
      if !result.lost.isEmpty { line.notRestored = result.lost.map(\.rawValue) }
      try Terminal.json(line)
    }
  }
}

/// A check in JSON, with its result if it has run.
struct CheckLine: Encodable {
  var id: String
  var area: Area
  var level: Level
  var requirement, source: String
  var device: String?
  var verdict: String?
  var expected, got, reason: String?
  /// Whether a failure was expected.
  var known: Bool?
  var seconds: Double?
  var notRestored: [String]?

  init(_ check: Check) {
    id = check.id
    area = check.area
    level = check.level
    requirement = check.requirement
    source = check.source
  }
}
