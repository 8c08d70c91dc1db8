import ArgumentParser
import Conformance
import FoundationEssentials

/// `swiftlet-control check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check whether a renderer or media server follows the specifications.",
    subcommands: [
      CheckRunCommand.self, CheckListCommand.self, CheckExplainCommand.self, CheckDiffCommand.self,
    ],
    defaultSubcommand: CheckRunCommand.self)

  /// The exit statuses of all subcommands.
  enum Status {
    /// Failures, or new failures.
    static let failed = ExitCode(1)
    /// The device could not be tested, or a file could not be read or written.
    static let untested = ExitCode(2)
  }
}

extension Area: ExpressibleByArgument {
  /// The name in lower case with hyphens, such as `service-descriptions`.
  var argument: String { rawValue.lowercased().replacing(" ", with: "-") }

  public init?(argument: String) {
    guard let area = Self.allCases.first(where: { $0.argument == argument.lowercased() }) else { return nil }
    self = area
  }

  public static var allValueStrings: [String] { allCases.map(\.argument) }
}

extension Level: ExpressibleByArgument {
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }

  public static var allValueStrings: [String] { allCases.map { $0.rawValue.lowercased() } }
}

extension Mode: ExpressibleByArgument {}

/// `swiftlet-control check list`
struct CheckListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the checks.")

  @Option(help: ArgumentHelp("Only this area; may be repeated.", valueName: "area")) var area: [Area] = []
  @Option(help: ArgumentHelp("Only this level; may be repeated.", valueName: "level")) var level: [Level] = []
  @Option(help: ArgumentHelp("Only this mode; may be repeated.", valueName: "mode")) var mode: [Mode] = []
  @Flag(help: "Print JSON, one object per line.") var json = false

  func run() throws {
    let checks = Check.all.filter { check in
      (area.isEmpty || area.contains(check.area)) && (level.isEmpty || level.contains(check.level))
        && (mode.isEmpty || mode.contains(check.mode))
    }
    guard !json else {
      for check in checks { try Terminal.json(CheckFacts(check)) }
      return try Terminal.finish()
    }
    Terminal.table([["ID", "LEVEL", "REQUIREMENT"]] + checks.map { [$0.id, $0.level.rawValue, $0.requirement] })
    try Terminal.finish()
  }
}

/// `swiftlet-control check explain`
struct CheckExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a check: its requirement, its steps, and the results of known renderers.")

  @Argument(
    help: "The id of a check, its beginning, or a pattern with asterisks.",
    completion: .custom { _, _, _ in Check.all.map(\.id) })
  var id: String
  @Flag(help: "Print JSON, one object per line.") var json = false

  func run() throws {
    let checks = Check.all.filter { $0.matches(id) }
    guard !checks.isEmpty else {
      Terminal.complain("There is no check \"\(id)\". `swiftlet-control check list` lists all.")
      throw CheckCommand.Status.untested
    }
    for facts in checks.map(CheckFacts.init) {
      if json { try Terminal.json(facts) } else { explain(facts) }
    }
    try Terminal.finish()
  }

  private func explain(_ facts: CheckFacts) {
    Terminal.heading("\(facts.id) (\(facts.area.rawValue))")
    Terminal.details(
      [
        ("level", facts.level.rawValue), ("requirement", facts.requirement), ("source", facts.source),
        ("test", facts.steps), ("needs", facts.needs.joined(separator: ", ")),
        ("changes", facts.changes.joined(separator: ", ")),
        ("runs", facts.mode == .standard ? "" : "only with --\(facts.mode.rawValue)"),
      ] + facts.notices.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        + facts.peers.map { ($0.name, [$0.verdict, $0.note].filter { !$0.isEmpty }.joined(separator: ": ")) })
  }
}

/// `swiftlet-control check diff`
struct CheckDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two JSON reports.",
    discussion: "Exit status: 0 no new failures, 1 new failures, 2 a run is incomplete or a file cannot be read.")

  @Argument(help: "The earlier report.", completion: .file(extensions: ["json"])) var before: String
  @Argument(help: "The later report.", completion: .file(extensions: ["json"])) var after: String
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let (old, new) = (try read(before), try read(after))
    let diff = ReportDiff(from: old, to: new)
    if json {
      try Terminal.json(diff)
    } else {
      for report in [old, new] {
        Terminal.print("\(report.date)  \(report.target.name), \(report.target.model), \(report.target.firmware)")
      }
      for line in diff.lines { Terminal.print(line) }
    }
    try Terminal.finish()
    if !diff.incomplete.isEmpty { throw CheckCommand.Status.untested }
    if !diff.newFailures.isEmpty { throw CheckCommand.Status.failed }
  }

  private func read(_ file: String) throws -> SavedReport {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      Terminal.complain("\(file) cannot be read.")
      throw CheckCommand.Status.untested
    }
    guard let report = try? JSONDecoder().decode(SavedReport.self, from: data) else {
      Terminal.complain("\(file) is not a JSON report of `swiftlet-control check`.")
      throw CheckCommand.Status.untested
    }
    return report
  }
}
