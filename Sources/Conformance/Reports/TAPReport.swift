/// A run in the Test Anything Protocol, version 14.
enum TAPReport {
  static func text(_ run: CheckRun) -> String {
    var lines = ["TAP version 14", "1..\(run.results.count)"]
    lines.append("# \(ReportText.short(run.target.title))")
    lines.append("# \(run.tool), \(run.date)")
    if !run.options.isEmpty { lines.append("# \(ReportText.short(run.options.joined(separator: " ")))") }
    for (index, result) in run.results.enumerated() { lines += test(index + 1, result, run) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func test(_ number: Int, _ result: CheckResult, _ run: CheckRun) -> [String] {
    let name = "\(number) - \(escaped(result.check.id))"
    switch result.verdict {
    case .pass: return ["ok \(name)"]
    case .skip(let reason): return ["ok \(name) # SKIP \(escaped(reason))"]
    case .inconclusive(let reason): return ["ok \(name) # SKIP inconclusive: \(escaped(reason))"]
    case .fail(let expected, let got):
      let why = run.isKnown(result) ? " # TODO known failure" : run.counts(result) ? "" : " # TODO recommendation"
      return ["not ok \(name)\(why)", "  ---"]
        + [
          ("level", result.check.level.rawValue), ("requirement", result.check.requirement), ("expected", expected),
          ("got", got), ("source", result.check.source), ("duration", ReportText.seconds(result.duration)),
        ].map { "  \($0): \(quoted($1))" } + ["  ..."]
    }
  }

  /// `#` begins a directive.
  private static func escaped(_ text: String) -> String {
    ReportText.short(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }

  /// A quoted scalar of YAML.
  private static func quoted(_ text: String) -> String {
    "\"\(ReportText.short(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
