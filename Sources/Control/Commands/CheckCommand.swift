import ArgumentParser
import Conformance
import ControlPoint
import FoundationEssentials
import Synchronization

/// `swiftlet-control check`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check whether a renderer follows the specifications.",
    subcommands: [CheckRunCommand.self, CheckListCommand.self, CheckExplainCommand.self],
    defaultSubcommand: CheckRunCommand.self)
}

/// `swiftlet-control check run`
struct CheckRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Check a device, and report what it fails.",
    discussion: """
      Exit status: 0 passed, 1 failed, 2 could not be tested.
      Volume, mute and play mode are changed and restored; the volume stays at or below 10 % of its range.
      """)

  /// A run that found failures.
  private struct Failed: Error {}

  @Argument(help: .device, completion: .devices) var device: String
  @Flag(help: "Run only the checks that change nothing.") var readOnly = false
  @Flag(help: "Also change a device that is playing.") var force = false
  @Flag(help: "Also send malformed, oversized and excessive input. A device may crash.") var hostile = false
  @Flag(help: "Also run the checks that wait for half a minute or longer.") var slow = false
  @Flag(help: "Count failures of recommendations (SHOULD), too.") var strict = false
  @Option(
    help: ArgumentHelp(
      "Run only these checks: an id, its beginning, or a pattern with asterisks; may be repeated.",
      valueName: "pattern"))
  var only: [String] = []
  @Option(
    name: .customLong("expect"),
    help: ArgumentHelp("A file with the ids of known failures, one per line, which do not count.", valueName: "file"),
    completion: .file())
  var known: String?
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    do {
      let selected = try selection()
      let known = try knownFailures()
      let isInterrupted = try await Interruption.cancels {
        try await Session.run(options, device: device) { try await check($0, selected, known) }
      }
      if isInterrupted { throw ExitCode(2) }
    } catch is Failed {
      throw ExitCode(1)
    } catch is ExitCode {
      throw ExitCode(2)
    }
  }

  private func selection() throws -> [Check] {
    guard !only.isEmpty else { return Check.all }
    let selected = Check.all.filter { check in only.contains { check.matches($0) } }
    guard selected.isEmpty else { return selected }
    Terminal.complain("No check matches \(only.joined(separator: ", ")). `swiftlet-control check list` lists all.")
    throw ExitCode(2)
  }

  private func knownFailures() throws -> Set<String> {
    guard let known else { return [] }
    guard let text = try? String(contentsOfFile: known, encoding: .utf8) else {
      Terminal.complain("\(known) cannot be read.")
      throw ExitCode(2)
    }
    let ids = text.split(whereSeparator: \.isNewline).map { line in
      String(line.prefix { $0 != "#" }.filter { !$0.isWhitespace })
    }
    let unknown = ids.filter { id in !id.isEmpty && !Check.all.contains { $0.id == id } }
    guard unknown.isEmpty else {
      Terminal.complain("\(known) names checks that do not exist: \(unknown.joined(separator: ", ")).")
      throw ExitCode(2)
    }
    return Set(ids)
  }

  private func check(_ session: Session, _ checks: [Check], _ known: Set<String>) async throws {
    let target = try await Target(
      at: try await session.device(device).description.location, session.controlPoint)
    var settings = CheckSettings()
    settings.isReadOnly = readOnly
    settings.isForced = force
    if hostile { settings.modes.insert(.hostile) }
    if slow { settings.modes.insert(.slow) }
    let isShown = Terminal.isInteractive && !options.json
    let count = Mutex(0)
    let results = try await CheckRunner(target, settings: settings).run(checks) { result in
      guard isShown else { return }
      let done = count.withLock { count in
        count += 1
        return count
      }
      Terminal.progress("\(done) of \(checks.count)  \(result.check.id)")
    }
    if isShown { Terminal.endProgress() }
    let report = CheckReport(target: target.title, results: results, known: known)
    if options.json { try report.printJSON() } else { report.printText() }
    if report.isUntested {
      Terminal.complain("Nothing could be tested.")
      throw ExitCode(2)
    }
    if report.hasFailures(isStrict: strict) { throw Failed() }
  }
}

/// `swiftlet-control check list`
struct CheckListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List all checks.")

  @Flag(help: "Print JSON, one object per line.") var json = false

  func run() throws {
    for check in Check.all {
      if json { try Terminal.json(CheckLine(check)) }
    }
    guard !json else { return }
    Terminal.table([["ID", "LEVEL", "REQUIREMENT"]] + Check.all.map { [$0.id, $0.level.rawValue, $0.requirement] })
  }
}

/// `swiftlet-control check explain`
struct CheckExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "explain", abstract: "Explain a check.")

  @Argument(help: "The id of a check, or its beginning.") var id: String

  func run() throws {
    let checks = Check.all.filter { $0.matches(id) }
    guard !checks.isEmpty else {
      Terminal.complain("There is no check \"\(id)\". `swiftlet-control check list` lists all.")
      throw ExitCode(2)
    }
    for check in checks {
      Terminal.heading("\(check.id) (\(check.area.rawValue))")
      Terminal.details([
        ("level", check.level.rawValue), ("requirement", check.requirement), ("source", check.source),
        ("needs", check.prerequisites.map(\.description).joined(separator: ", ")),
        ("changes", check.changes.map(\.rawValue).sorted().joined(separator: ", ")),
      ])
    }
  }
}
