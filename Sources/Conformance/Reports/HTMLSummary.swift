/// The summary of an HTML report: the verdict, and the counts by level, area and controller.
enum HTMLSummary {
  static func sections(_ run: CheckRun) -> Markup {
    """
    <section id="summary">
    \(verdict(run))
    \(counts(run))
    \(notes(run))
    \(links(run))
    </section>
    \(levels(run))
    \(controllers(run))
    \(areas(run))
    """
  }

  private static func links(_ run: CheckRun) -> Markup {
    let parts: [(id: String, title: String, isThere: Bool)] = [
      ("failures", "What to fix", !run.failures.isEmpty), ("controllers", "Controllers", !run.profiles.isEmpty),
      ("areas", "Areas", true), ("tables", "Tables", run.results.contains { $0.table != nil }),
      ("skips", "Skipped", run.results.contains { $0.outcome == .skip }),
    ]
    let links = parts.filter(\.isThere).map { part -> Markup in "<a href=\"#\(part.id)\">\(part.title)</a>\n" }
    return "<nav>\n\(links)</nav>"
  }

  private static func verdict(_ run: CheckRun) -> Markup {
    if run.isUntested { return "<p class=\"verdict none\">Nothing could be tested.</p>" }
    let count = run.results.count(where: run.counts)
    if count == 0 { return "<p class=\"verdict pass\">No failures.</p>" }
    let tested = run.results.count { $0.outcome == .pass || $0.outcome == .fail }
    return "<p class=\"verdict fail\">Fails \(count) of \(tested) tested requirements.</p>"
  }

  private static func counts(_ run: CheckRun) -> Markup {
    let tally = Tally(run.results)
    let cells = Outcome.allCases.map { outcome -> Markup in
      "<li class=\"\(outcome.rawValue)\"><b>\(tally[outcome])</b> \(outcome.participle)</li>\n"
    }
    return "<ul class=\"counts\">\n\(cells)</ul>\n\(bar(tally))"
  }

  private static func bar(_ tally: Tally) -> Markup {
    let parts = Outcome.allCases.filter { tally[$0] > 0 }.map { outcome -> Markup in
      "<i class=\"\(outcome.rawValue)\" style=\"flex-grow:\(tally[outcome])\"></i>"
    }
    return "<div class=\"bar\" role=\"img\" aria-label=\"\(tally.text)\">\(parts)</div>"
  }

  private static func notes(_ run: CheckRun) -> Markup {
    var notes: [Markup] = []
    let recommendations = run.failures.count { !run.counts($0) && !run.isKnown($0) }
    if recommendations > 0 {
      notes.append("<li>Failed recommendations (SHOULD), which do not count: \(recommendations).</li>\n")
    }
    notes += run.incidents.map { "<li>\(ReportText.short($0))</li>\n" }
    if run.isIncomplete, !run.isInterrupted { notes.append("<li>The run is incomplete.</li>\n") }
    if run.isInterrupted { notes.append("<li>The run was interrupted.</li>\n") }
    let known = run.failures.filter(run.isKnown)
    if !known.isEmpty { notes.append("<li>Known failures, which do not count: \(known.count).</li>\n") }
    if !run.fixed.isEmpty { notes.append("<li>No longer failing: \(ids(run.fixed)).</li>\n") }
    if !run.unstable.isEmpty {
      notes.append("<li>Different verdicts in \(run.repetitions) runs: \(ids(run.unstable)).</li>\n")
    }
    let lost = run.results.filter { !$0.lost.isEmpty }
    if !lost.isEmpty { notes.append("<li>Settings were not restored after \(ids(lost)).</li>\n") }
    return notes.isEmpty ? "" : "<ul>\n\(notes)</ul>"
  }

  private static func ids(_ results: [CheckResult]) -> Markup {
    let codes = results.map { result -> Markup in "<code>\(result.check.id)</code> " }
    return "\(codes)"
  }

  // MARK: By level, area and controller

  private static func levels(_ run: CheckRun) -> Markup {
    let rows = Level.allCases.map { level in row(level.rawValue, run.results.filter { $0.check.level == level }) }
    return table("levels", "By level", rows)
  }

  private static func areas(_ run: CheckRun) -> Markup {
    table("areas", "By area", run.areas.map { row($0.area.rawValue, $0.results) })
  }

  private static func row(_ name: String, _ results: [CheckResult]) -> Markup {
    guard !results.isEmpty else { return "" }
    let tally = Tally(results)
    return "<tr><th scope=\"row\">\(name)</th><td>\(tally.text)\(bar(tally))</td></tr>\n"
  }

  private static func controllers(_ run: CheckRun) -> Markup {
    var rows: [Markup] = []
    var unaffected: [String] = []
    for profile in run.profiles {
      let effects = run.failures.compactMap { profile.effect(of: $0.check)?.notice }
      guard !effects.isEmpty else {
        unaffected.append(profile.name)
        continue
      }
      var seen: Set<String> = []
      let notices = effects.filter { seen.insert($0).inserted }.map { notice -> Markup in "<li>\(notice)</li>\n" }
      rows.append("<tr><th scope=\"row\">\(profile.name)</th><td><ul>\n\(notices)</ul></td></tr>\n")
    }
    if !unaffected.isEmpty {
      let names = unaffected.joined(separator: ", ")
      rows.append("<tr><th scope=\"row\">\(names)</th><td>No failure is known to affect them.</td></tr>\n")
    }
    return table("controllers", "What users of controllers notice", rows)
  }

  private static func table(_ id: String, _ title: String, _ rows: [Markup]) -> Markup {
    guard !rows.isEmpty else { return "" }
    return "<section id=\"\(id)\">\n<h2>\(title)</h2>\n<table class=\"rows\">\n\(rows)</table>\n</section>"
  }
}

/// The messages that a failed check sent and received.
enum HTMLExchange {
  static func details(_ exchange: WireExchange) -> Markup {
    guard let last = exchange.last.last ?? exchange.first.last else { return "" }
    let count = exchange.first.count + exchange.leftOut + exchange.last.count
    let leftOut: Markup =
      exchange.leftOut > 0 ? "<li class=\"note\">\(exchange.leftOut) messages are left out.</li>\n" : ""
    return """
      <details><summary>Sent and received: \(count) messages in \(ReportText.seconds(last.end))</summary>
      <ol class="wire">
      \(exchange.first.map(item))\(leftOut)\(exchange.last.map(item))</ol>
      </details>
      """
  }

  private static func item(_ message: WireMessage) -> Markup {
    let peer = ReportText.short(message.peer, 80)
    let start = ReportText.seconds(message.time)
    if message.direction == .closed {
      return "<li class=\"note\">\(start) \(peer): closed by the device</li>\n"
    }
    let isLong = message.end - message.time >= .milliseconds(1)
    let time = isLong ? "\(start) to \(ReportText.seconds(message.end))" : start
    let name = message.direction == .sent ? "sent to" : "received from"
    return """
      <li class="\(message.direction.rawValue)"><p>\(time) \(name) \(peer), \(message.length) bytes</p>
      <pre>\(message.text)</pre></li>

      """
  }
}
