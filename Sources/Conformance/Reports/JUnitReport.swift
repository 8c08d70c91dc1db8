/// A run as JUnit XML: a suite per area, a case per check. Failures that do not fail the run, and inconclusive checks,
/// are skipped cases.
enum JUnitReport {
  static func text(_ run: CheckRun) -> String {
    let tests = run.results.count
    let failures = run.results.count(where: run.counts)
    let suites = run.areas.map { suite($0.area, $0.results, run) }
    let page: Markup = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(run.tool)" tests="\(tests)" failures="\(failures)" errors="0" time="\(time(run.duration))">
      \(suites)</testsuites>

      """
    return page.source
  }

  private static func suite(_ area: Area, _ results: [CheckResult], _ run: CheckRun) -> Markup {
    let failures = results.count(where: run.counts)
    let skipped = results.count { $0.outcome != .pass && !run.counts($0) }
    let duration = results.reduce(Duration.zero) { $0 + $1.duration }
    return """
      <testsuite name="\(area.rawValue)" tests="\(results.count)" failures="\(failures)" errors="0" \
      skipped="\(skipped)" time="\(time(duration))" timestamp="\(String(run.date.prefix(19)))" \
      hostname="\(ReportText.short(run.target.host))">
      <properties>
      <property name="target" value="\(ReportText.short(run.target.title))"/>
      <property name="tool" value="\(run.tool)"/>
      <property name="options" value="\(ReportText.short(run.options.joined(separator: " ")))"/>
      </properties>
      \(results.map { testCase($0, run) })</testsuite>

      """
  }

  private static func testCase(_ result: CheckResult, _ run: CheckRun) -> Markup {
    """
    <testcase classname="\(result.check.area.rawValue)" name="\(result.check.id)" time="\(time(result.duration))">\
    \(content(result, run))</testcase>

    """
  }

  private static func content(_ result: CheckResult, _ run: CheckRun) -> Markup {
    switch result.verdict {
    case .pass: return ""
    case .skip(let reason): return skipped(reason)
    case .inconclusive(let reason): return skipped("inconclusive: \(reason)")
    case .fail(let expected, let got):
      let place = result.device.isEmpty ? "" : "\(result.device): "
      let message = ReportText.short("\(place)Expected \(expected); got \(got).")
      guard run.counts(result) else {
        return skipped((run.isKnown(result) ? "known failure: " : "failed recommendation: ") + message)
      }
      let text = [
        "\(result.check.level.rawValue): \(result.check.requirement)", message, "Source: \(result.check.source)",
      ]
      let lines = text + TextReport.exchange(result.exchange, isWhole: true)
      return """
        <failure message="\(message)" type="\(result.check.level.rawValue)">\(lines.joined(separator: "\n"))</failure>
        """
    }
  }

  private static func skipped(_ reason: String) -> Markup { "<skipped message=\"\(ReportText.short(reason))\"/>" }

  /// In seconds.
  private static func time(_ duration: Duration) -> String { String(ReportText.seconds(duration).dropLast(2)) }
}
