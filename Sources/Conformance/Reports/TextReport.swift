/// A run as lines of text.
public enum TextReport {
  public struct Line: Sendable, Hashable {
    public var text: String
    public var isHeading = false
  }

  static func text(_ run: CheckRun) -> String {
    lines(run, isVerbose: true).map { $0.text + "\n" }.joined()
  }

  /// - Parameter isVerbose: adds checks that passed, what they send, and whole exchanges.
  public static func lines(_ run: CheckRun, isVerbose: Bool) -> [Line] {
    var lines = ([run.target] + run.companions).map { heading($0.title) } + [line("\(run.tool), \(run.date)")]
    for (area, results) in run.areas {
      lines += [line(""), heading("\(area.rawValue): \(Tally(results).text)")]
      for result in results { lines += self.lines(result, run, isVerbose) }
      lines += skips(results)
    }
    return lines + controllers(run) + summary(run)
  }

  private static func line(_ text: String) -> Line { Line(text: ReportText.short(text)) }
  private static func heading(_ text: String) -> Line { Line(text: ReportText.short(text), isHeading: true) }

  // MARK: Results

  private static func lines(_ result: CheckResult, _ run: CheckRun, _ isVerbose: Bool) -> [Line] {
    let check = result.check
    var lines: [Line] = []
    switch result.verdict {
    case .pass: if isVerbose { lines.append(line("  pass  \(check.id)  \(ReportText.seconds(result.duration))")) }
    case .skip: break
    case .inconclusive(let reason): lines.append(line("  ?     \(check.id): \(place(result))\(reason)"))
    case .fail(let expected, let got):
      lines = [
        "  \(run.isKnown(result) ? "known" : "FAIL ") \(check.id)  \(check.level.rawValue)",
        "        \(check.requirement)", "        \(place(result))Expected \(expected); got \(got).",
        "        Source: \(check.source)",
      ].map(line)
      for (profile, effect) in run.effects(of: result) {
        lines.append(line("        \(profile.name): \(effect.notice)"))
      }
      lines += exchange(result.exchange, isWhole: isVerbose).map { Line(text: "        \($0)") }
    }
    if result.isUnstable {
      lines.append(line("        Unstable: \(check.id): \(result.outcomes.map(\.rawValue).joined(separator: ", "))"))
    }
    if !result.lost.isEmpty {
      lines.append(line("        Not restored: \(result.lost.map(\.rawValue).joined(separator: ", "))"))
    }
    for measurement in result.measurements { lines.append(line("        \(measurement.name): \(measurement.value)")) }
    if let table = result.table { lines += self.table(table) }
    return lines
  }

  /// The device of a result as the beginning of a sentence, if the run tests several.
  private static func place(_ result: CheckResult) -> String {
    result.device.isEmpty ? "" : "\(ReportText.short(result.device, 60)): "
  }

  /// One line for each reason.
  private static func skips(_ results: [CheckResult]) -> [Line] {
    CheckRun.skips(in: results).map { reason, results in
      let names = results.count > 3 ? "\(results.count) checks" : results.map(\.check.id).joined(separator: ", ")
      return line("  skip  \(names): \(reason)")
    }
  }

  private static func table(_ table: ResultTable) -> [Line] {
    let rows = ([table.columns] + table.rows).map { $0.map { ReportText.short($0, 60) } }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let lines = rows.map { row in
      "        " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
    }
    return [line("        \(table.title)")] + lines.map { Line(text: $0) }
  }

  // MARK: Exchanges

  /// - Parameter isWhole: whether to show more than the first line of each message.
  static func exchange(_ exchange: WireExchange, isWhole: Bool) -> [String] {
    guard !exchange.first.isEmpty else { return [] }
    let leftOut = exchange.leftOut > 0 ? ["… \(exchange.leftOut) more messages …"] : []
    guard !isWhole else {
      return exchange.first.flatMap(whole) + leftOut + exchange.last.flatMap(whole)
    }
    // The end of an exchange shows the failure.
    let all = (exchange.first + exchange.last).filter { $0.direction != .closed }
    let shown = all.suffix(shortExchange)
    let hidden = all.count - shown.count + exchange.leftOut
    return (hidden > 0 ? ["… \(hidden) earlier messages; --verbose shows all …"] : []) + shown.map(title)
  }

  private static let shortExchange = 4

  private static func title(_ message: WireMessage) -> String {
    let time = ReportText.seconds(message.time)
    switch message.direction {
    case .closed: return "\(time)  \(ReportText.short(message.peer, 80)) closed by the device"
    case .sent: return "\(time)  → \(ReportText.short(message.peer, 80))  \(message.title)  (\(message.length) bytes)"
    case .received:
      return "\(time)  ← \(ReportText.short(message.peer, 80))  \(message.title)  (\(message.length) bytes)"
    }
  }

  private static func whole(_ message: WireMessage) -> [String] {
    guard message.direction != .closed else { return [title(message)] }
    let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
    return [title(message)] + lines.map { "    \($0)" }
  }

  // MARK: Ends

  private static func controllers(_ run: CheckRun) -> [Line] {
    guard !run.profiles.isEmpty else { return [] }
    let counts = run.profiles.map { profile in
      (name: profile.name, count: run.failures.count { profile.effect(of: $0.check) != nil })
    }
    var lines = counts.filter { $0.count > 0 }.map { profile in
      line("  \(profile.name): \(profile.count == 1 ? "1 failure affects" : "\(profile.count) failures affect") it")
    }
    let unaffected = counts.filter { $0.count == 0 }.map(\.name)
    if !unaffected.isEmpty {
      lines.append(line("  No failure is known to affect \(unaffected.joined(separator: ", "))."))
    }
    return [line(""), heading("Controllers")] + lines
  }

  private static func summary(_ run: CheckRun) -> [Line] {
    var lines = [line(""), line("All: \(Tally(run.results).text) in \(ReportText.seconds(run.duration))")]
    lines += run.incidents.map { line("Disturbed: \($0)") }
    if run.isIncomplete, !run.isInterrupted {
      lines.append(line("Incomplete: checks marked with ? could not be judged, and the run neither passes nor fails."))
    }
    if run.isInterrupted { lines.append(line("Interrupted: the checks that had not finished are inconclusive.")) }
    if !run.unstable.isEmpty {
      lines.append(line("Unstable: \(run.unstable.map(\.check.id).joined(separator: ", "))"))
    }
    if !run.fixed.isEmpty {
      lines.append(line("No longer failing: \(run.fixed.map(\.check.id).joined(separator: ", "))"))
    }
    return lines
  }
}
