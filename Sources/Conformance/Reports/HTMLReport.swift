/// A run as one HTML page without scripts and references to other files.
enum HTMLReport {
  static func text(_ run: CheckRun) -> String {
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(ReportText.short(run.target.name, 100)): conformance report</title>
      <style>
      \(HTMLStyle.sheet)
      </style>
      </head>
      <body>
      \(header(run))
      <main>
      \(HTMLSummary.sections(run))
      \(failures(run))
      \(inconclusive(run))
      \(tables(run))
      \(measurements(run))
      \(skips(run))
      \(passes(run))
      </main>
      \(footer(run))
      </body>
      </html>

      """
    return page.source
  }

  private static func header(_ run: CheckRun) -> Markup {
    let target = run.target
    let facts = [
      ("Model", target.product), ("Firmware", target.firmware), ("Type", target.deviceType),
      ("Services", target.services.joined(separator: ", ")), ("Address", target.location),
      (
        "Other devices",
        run.companions.map { "\($0.name): \($0.services.joined(separator: ", "))" }.joined(separator: "; ")
      ),
      ("Tested", run.date),
      ("With", run.tool), ("Options", run.options.joined(separator: " ")),
      ("Duration", ReportText.seconds(run.duration)),
    ]
    return """
      <header>
      <p class="kicker">UPnP and OpenHome conformance report</p>
      <h1>\(ReportText.short(target.name, 200))</h1>
      <p class="product">\(ReportText.short(target.product, 200))<br>\(ReportText.short(target.firmware, 200))</p>
      <details class="facts"><summary>About the device and this run</summary>
      \(list(facts))
      </details>
      </header>
      """
  }

  private static func footer(_ run: CheckRun) -> Markup {
    """
    <footer>
    <h2>Levels</h2>
    \(list([
      ("MUST", "A published specification demands it."), ("SHOULD", "A published specification recommends it."),
      ("PRACTICE", "Control points in use depend on it, or an older test tool checked it."),
      ("UNVERIFIED", "A specification is named as the source, but its sentence has not been verified."),
    ]))
    <p>To repeat one check after a change: <code>swiftlet-control check DEVICE --only ID</code>. \
    To read about it: <code>swiftlet-control check explain ID</code>.</p>
    </footer>
    """
  }

  /// The name of the fact whose value has links.
  private static let sourceName = "Source"

  /// Names and values; those without a value are left out.
  private static func list(_ facts: [(String, String)]) -> Markup {
    let rows = facts.filter { !$0.1.isEmpty }.map { name, value -> Markup in
      let content: Markup = name == sourceName ? HTMLSource.links(value) : "\(ReportText.short(value))"
      return "<dt>\(name)</dt><dd>\(content)</dd>\n"
    }
    return "<dl>\n\(rows)</dl>"
  }

  private static func section(_ id: String, _ title: String, _ content: [Markup]) -> Markup {
    content.isEmpty ? "" : "<section id=\"\(id)\">\n<h2>\(title)</h2>\n\(content)\n</section>"
  }

  // MARK: Failures

  private static func failures(_ run: CheckRun) -> Markup {
    section("failures", "What to fix", run.failures.map { failure($0, run) })
  }

  private static func failure(_ result: CheckResult, _ run: CheckRun) -> Markup {
    let check = result.check
    guard case .fail(let expected, let got) = result.verdict else { return "" }
    let known: Markup = run.isKnown(result) ? " <span class=\"badge\">known</span>" : ""
    let notices = run.effects(of: result).map { profile, effect -> Markup in
      "<li><strong>\(profile.name)</strong>: \(effect.notice) <small>(\(HTMLSource.links(effect.source)))</small></li>\n"
    }
    return """
      <article class="\(level(check))">
      <p class="meta"><span class="badge \(level(check))">\(check.level.rawValue)</span>\(known) \
      <span>\(check.area.rawValue)</span> <code>\(check.id)</code></p>
      <h3>\(check.requirement)</h3>
      \(list([
        ("Device", result.device), ("Expected", expected), ("Got", got), (sourceName, check.source), ("Test", check.steps),
        ("Time", ReportText.seconds(result.duration)), ("Runs", outcomes(result)),
        ("Not restored", result.lost.map(\.rawValue).joined(separator: ", ")),
      ]))
      \(labelled("What users notice", notices))
      \(HTMLExchange.details(result.exchange))
      </article>

      """
  }

  private static func labelled(_ label: String, _ items: [Markup]) -> Markup {
    items.isEmpty ? "" : "<p class=\"label\">\(label)</p>\n<ul>\n\(items)</ul>"
  }

  private static func level(_ check: Check) -> String { check.level.rawValue.lowercased() }

  /// The outcomes of an unstable check.
  private static func outcomes(_ result: CheckResult) -> String {
    result.isUnstable ? "unstable: " + result.outcomes.map(\.rawValue).joined(separator: ", ") : ""
  }

  // MARK: Other results

  private static func inconclusive(_ run: CheckRun) -> Markup {
    let rows = run.results.compactMap { result -> Markup? in
      guard case .inconclusive(let reason) = result.verdict else { return nil }
      return "<li><code>\(result.check.id)</code> \(ReportText.short(reason))</li>\n"
    }
    return section("inconclusive", "Could not be judged", rows.isEmpty ? [] : ["<ul>\n\(rows)</ul>"])
  }

  private static func tables(_ run: CheckRun) -> Markup {
    section("tables", "Tables", run.results.compactMap { result in result.table.map { table($0, result.check) } })
  }

  private static func table(_ table: ResultTable, _ check: Check) -> Markup {
    let head = table.columns.map { column -> Markup in "<th scope=\"col\">\(ReportText.short(column, 60))</th>" }
    let rows = table.rows.map { row -> Markup in
      let cells = row.dropFirst().map { cell -> Markup in "<td>\(ReportText.short(cell, 60))</td>" }
      return "<tr><th scope=\"row\">\(ReportText.short(row.first ?? "", 60))</th>\(cells)</tr>\n"
    }
    return """
      <div class="scroll"><table>
      <caption>\(table.title) <code>\(check.id)</code></caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table></div>

      """
  }

  private static func measurements(_ run: CheckRun) -> Markup {
    let rows = run.results.flatMap(\.measurements).map { ($0.name, $0.value) }
    return section("measurements", "Measurements", rows.isEmpty ? [] : [list(rows)])
  }

  private static func skips(_ run: CheckRun) -> Markup {
    let groups = CheckRun.skips(in: run.results).map { reason, results -> Markup in
      "<details><summary>\(ReportText.short(reason)) (\(results.count))</summary>\n\(names(results))</details>\n"
    }
    return section("skips", "Skipped", groups)
  }

  private static func passes(_ run: CheckRun) -> Markup {
    let passed = run.results.filter { $0.outcome == .pass }
    guard !passed.isEmpty else { return "" }
    return section(
      "passes", "Passed",
      ["<details><summary>\(passed.count) checks</summary>\n\(names(passed))</details>"])
  }

  private static func names(_ results: [CheckResult]) -> Markup {
    let rows = results.map { result -> Markup in
      "<li><code>\(result.check.id)</code> \(result.check.requirement)</li>\n"
    }
    return "<ul>\n\(rows)</ul>\n"
  }
}
