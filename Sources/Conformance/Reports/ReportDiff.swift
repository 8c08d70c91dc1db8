/// The results in a JSON report, read to compare it with another one.
public struct SavedReport: Decodable, Sendable {
  public struct Target: Decodable, Sendable {
    public var name, model, firmware: String
  }

  public struct Result: Decodable, Sendable, Hashable {
    public var id: String
    public var verdict: Outcome
    var expected, got, reason: String?

    /// Why the verdict is not a pass.
    var explanation: String {
      guard verdict == .fail else { return reason ?? "" }
      return "Expected \(expected ?? ""); got \(got ?? "")."
    }
  }

  public var date: String
  public var target: Target
  public var results: [Result]
  /// Missing in reports of earlier versions.
  public var isIncomplete: Bool?
}

public struct ReportDiff: Sendable, Encodable {
  public struct Change: Sendable, Hashable, Encodable {
    public var id: String
    /// Nil if the check is in one report only.
    public var before, after: Outcome?
    /// Why the later verdict is not a pass.
    public var explanation: String
  }

  /// Checks that fail now and did not fail before.
  public private(set) var newFailures: [Change] = []
  /// Checks that failed before and pass now.
  public private(set) var fixed: [Change] = []
  /// Failures in both reports for different reasons, and other changes of verdicts.
  public private(set) var otherChanges: [Change] = []
  public private(set) var onlyBefore: [Change] = []
  /// Checks that are only in the later report and do not fail.
  public private(set) var onlyAfter: [Change] = []
  /// Which of the reports are of runs in which checks could not be judged: `before`, `after`.
  public private(set) var incomplete: [String] = []

  private enum CodingKeys: String, CodingKey {
    case newFailures, otherChanges, onlyBefore, onlyAfter, incomplete
    // The key in JSON, which programs read, keeps its first name.
    case fixed = "mended"
  }

  public init(from before: SavedReport, to after: SavedReport) {
    incomplete = [("before", before), ("after", after)].filter { $0.1.isIncomplete == true }.map(\.0)
    let old = Dictionary(before.results.map { ($0.id, $0) }) { first, _ in first }
    let ids = Set(after.results.map(\.id))
    for result in after.results {
      let previous = old[result.id]
      let change = Change(
        id: result.id, before: previous?.verdict, after: result.verdict, explanation: result.explanation)
      switch (previous?.verdict, result.verdict) {
      case (.fail, .fail): if previous?.explanation != result.explanation { otherChanges.append(change) }
      case (_, .fail): newFailures.append(change)
      case (.fail, .pass): fixed.append(change)
      case (nil, _): onlyAfter.append(change)
      case (let earlier, let later): if earlier != later { otherChanges.append(change) }
      }
    }
    for result in before.results where !ids.contains(result.id) {
      onlyBefore.append(Change(id: result.id, before: result.verdict, after: nil, explanation: ""))
    }
  }

  /// The differences as text.
  public var lines: [String] {
    let groups = [
      ("New failures", newFailures), ("Fixed", fixed), ("Other changes", otherChanges),
      ("Only in the first report", onlyBefore), ("Only in the second report", onlyAfter),
    ]
    let notes = incomplete.map { name in
      "The \(name == "before" ? "first" : "second") run is incomplete: checks that were not judged are not compared."
    }
    let lines =
      notes
      + groups.filter { !$0.1.isEmpty }.flatMap { title, changes in
        ["\(title): \(changes.count)"] + changes.flatMap(Self.lines)
      }
    return lines.isEmpty ? ["No differences"] : lines
  }

  private static func lines(_ change: Change) -> [String] {
    let verdicts = [change.before, change.after].compactMap { $0?.rawValue }.joined(separator: " → ")
    let explanation = change.explanation.isEmpty ? [] : ["    \(ReportText.short(change.explanation))"]
    return ["  \(ReportText.short(change.id)): \(verdicts)"] + explanation
  }
}
