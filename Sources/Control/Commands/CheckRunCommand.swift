import ArgumentParser
import Conformance
import ControlPoint
import FoundationEssentials
import Synchronization

/// `swiftlet-control check run`
struct CheckRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Check a device, and report what it fails.",
    discussion: """
      Exit status: 0 passed, 1 failed, 2 could not be tested.
      The checks change and restore volume, mute and play mode; the volume stays at or below 10 % of its range.
      `--report page.html` writes a page that explains every failure.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @OptionGroup(title: "What runs") var selection: CheckSelection
  @OptionGroup(title: "Reports") var reporting: CheckReporting
  @OptionGroup var options: NetworkOptions

  /// A run that found failures.
  private struct Failed: Error {}

  func run() async throws {
    do {
      let checks = try selection.checks()
      let known = try reporting.known()
      let files = try selection.dryRun ? [] : reporting.files()
      var isWritten = false
      defer { if !isWritten { for file in files { file.discard() } } }
      // The body returns after an interruption, too.
      let run = Mutex<CheckRun?>(nil)
      let isInterrupted = try await Interruption.cancels {
        try await Session.run(options, devices: [device]) { session in
          var targets: [Target] = []
          for description in try await session.machine(device) {
            targets.append(try await Target(at: description.location, session.controlPoint))
          }
          if selection.dryRun { return try await plan(checks, targets) }
          let finished = try await check(targets, checks, known)
          run.withLock { $0 = finished }
        }
      }
      if let run = run.withLock({ $0 }) {
        isWritten = true
        try report(run, to: files)
        try Terminal.finish()
        if run.isUntested, !isInterrupted { Terminal.complain("Nothing could be tested.") }
        if isInterrupted || run.isUntested || run.isIncomplete { throw CheckCommand.Status.untested }
        if run.isFailed { throw Failed() }
      } else if isInterrupted || !selection.dryRun {
        throw CheckCommand.Status.untested
      }
    } catch is Failed {
      throw CheckCommand.Status.failed
    } catch is ExitCode {
      throw CheckCommand.Status.untested
    }
  }

  // MARK: The run

  private func plan(_ checks: [Check], _ targets: [Target]) async throws {
    let plan = try await MachineRunner(targets, settings: selection.settings).plan(checks)
    let running = plan.filter { $0.reasonToSkip == nil }.map(\.check)
    let titles = targets.map { TargetSummary($0).title }.joined(separator: " and ")
    Terminal.print("\(running.count) of \(plan.count) checks would run against \(titles).")
    let changes = Set(running.flatMap(\.changes)).map(\.rawValue).sorted()
    if !changes.isEmpty { Terminal.print("They change and restore: \(changes.joined(separator: ", ")).") }
    Terminal.table(
      [["ID", "LEVEL", ""]]
        + plan.map { [$0.check.id, $0.check.level.rawValue, $0.reasonToSkip.map { "skip: \($0)" } ?? "run"] })
  }

  private func check(_ targets: [Target], _ checks: [Check], _ known: Set<String>) async throws -> CheckRun {
    let start = ContinuousClock.now
    let date = Date.now.formatted(.iso8601)
    let runner = MachineRunner(targets, settings: selection.settings)
    let summaries = targets.map { TargetSummary($0) }
    let count = Mutex(0)
    var runs: [RunFindings] = []
    for number in 1...selection.repeat where !Task.isCancelled {
      count.withLock { $0 = 0 }
      runs.append(
        try await runner.run(checks) { result in
          guard reporting.showsProgress(options) else { return }
          let done = count.withLock { count in
            count += 1
            return count
          }
          let pass = selection.repeat > 1 ? "run \(number) of \(selection.repeat), " : ""
          let place = result.device.isEmpty ? "" : "\(result.device)  "
          Terminal.progress("\(pass)\(done) of \(checks.count * targets.count)  \(place)\(result.check.id)")
        })
    }
    if reporting.showsProgress(options) { Terminal.endProgress() }
    return CheckRun(
      target: summaries[0], companions: Array(summaries.dropFirst()), tool: "swiftlet-control \(Version.number)",
      date: date,
      duration: ContinuousClock.now - start, options: selection.summary + reporting.summary,
      isStrict: selection.strict, repetitions: runs.count, isInterrupted: Task.isCancelled,
      tester: runs.first?.tester ?? "", incidents: runs.flatMap(\.incidents),
      results: CheckResult.merged(runs.map(\.results)), known: known,
      profiles: reporting.profiles)
  }

  // MARK: The reports

  private func report(_ run: CheckRun, to files: [ReportFile]) throws {
    let run = reporting.anonymous ? run.anonymous : run
    if let format = reporting.standardFormat(options) {
      print(try Self.text(run, format), terminator: "")
    } else {
      for line in TextReport.lines(run, isVerbose: reporting.verbose) {
        if line.isHeading { Terminal.heading(line.text) } else { Terminal.print(line.text) }
      }
      if files.isEmpty, run.isFailed {
        Terminal.print("`--report page.html` writes a page with what was sent and received for every failure.")
      }
    }
    for file in files {
      do throws(ReportFile.Failure) {
        guard let text = try? Self.text(run, file.format) else {
          throw .init(description: "The \(file.format.rawValue) report cannot be written.")
        }
        try file.write(text)
      } catch {
        Terminal.complain(error.description)
        throw CheckCommand.Status.untested
      }
    }
  }

  private static func text(_ run: CheckRun, _ format: ReportFormat) throws -> String {
    try format.render(run) { report in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    }
  }
}

/// The options that select the checks and how they run.
struct CheckSelection: ParsableArguments {
  @Flag(help: "Run only the checks that change nothing.") var readOnly = false
  @Flag(help: "Also change a device that is playing.") var force = false
  @Flag(help: "Also send malformed, oversized and excessive input. A device may crash.") var hostile = false
  @Flag(help: "Also run the checks that wait for half a minute or longer, and those with high sample rates.")
  var slow = false
  @Flag(help: "Count failures of recommendations (SHOULD), too.") var strict = false
  @Option(
    help: ArgumentHelp(
      "Run only these checks: an id, its beginning, or a pattern with asterisks; may be repeated.",
      valueName: "pattern"),
    completion: .custom { _, _, _ in Check.all.map(\.id) })
  var only: [String] = []
  @Option(help: ArgumentHelp("Run everything this often, and report verdicts that differ.", valueName: "count"))
  var `repeat` = 1
  @Option(
    help: ArgumentHelp(
      "Stop after this time: minutes, or seconds as in 90s. The checks that are left are inconclusive. "
        + "By default 5 minutes, or an hour with --slow or --hostile.",
      valueName: "time"))
  var limit: TimeLimit?
  @Flag(help: "List the checks that would run, and run none.") var dryRun = false
  @Option(
    name: .customLong("media"),
    help: ArgumentHelp("A folder with files to play, of formats that cannot be generated.", valueName: "folder"),
    completion: .directory)
  var mediaFolder: String?

  func validate() throws {
    guard (1...1000).contains(`repeat`) else { throw ValidationError("--repeat must be between 1 and 1000.") }
    if let mediaFolder, mediaNames == nil { throw ValidationError("The folder \(mediaFolder) cannot be read.") }
  }

  private var mediaNames: [String]? {
    mediaFolder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0).sorted() }
  }

  func checks() throws -> [Check] {
    guard !only.isEmpty else { return Check.all }
    let selected = Check.all.filter { check in only.contains { check.matches($0) } }
    guard selected.isEmpty else { return selected }
    Terminal.complain("No check matches \(only.joined(separator: ", ")). `swiftlet-control check list` lists all.")
    throw CheckCommand.Status.untested
  }

  var settings: CheckSettings {
    var settings = CheckSettings()
    settings.isReadOnly = readOnly
    settings.isForced = force
    settings.limit = limit?.duration ?? (slow || hostile ? .seconds(3600) : .seconds(300))
    settings.files = (mediaNames ?? []).compactMap { MediaFile(path: "\(mediaFolder ?? "")/\($0)") }
    if hostile { settings.modes.insert(.hostile) }
    if slow { settings.modes.insert(.slow) }
    return settings
  }

  /// The selected options, for reports.
  var summary: [String] {
    let flags = [
      (readOnly, "--read-only"), (force, "--force"), (hostile, "--hostile"), (slow, "--slow"), (strict, "--strict"),
      (`repeat` > 1, "--repeat \(`repeat`)"), (mediaFolder != nil, "--media"),
      (limit != nil, "--limit \(limit?.text ?? "")"),
    ]
    return flags.filter(\.0).map(\.1) + only.map { "--only \($0)" }
  }
}

/// The options for the reports and their files.
struct CheckReporting: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a report to a file; may be repeated. The format follows from the extension: .html, .json, .xml (JUnit) "
        + "or .txt; or FORMAT=FILE. A format alone (html, json, junit, text) goes to standard output.",
      valueName: "file"),
    completion: .file())
  var report: [ReportOutput] = []
  @Flag(name: .shortAndLong, help: "Also print what passed, and whole messages of failures.") var verbose = false
  @Flag(help: "Leave names, addresses, UDNs and serial numbers out of all reports.") var anonymous = false
  @Option(
    help: ArgumentHelp(
      "Report which failures the users of this controller notice; may be repeated. All controllers by default.",
      valueName: "controller"))
  var profile: [ProfileName] = []
  @Option(
    name: .customLong("expect"),
    help: ArgumentHelp("A file with the ids of known failures, one per line, which do not count.", valueName: "file"),
    completion: .file())
  var expected: String?

  func validate() throws {
    guard report.count(where: { $0.file == nil }) < 2 else {
      throw ValidationError("Only one report can go to standard output.")
    }
  }

  var profiles: [ControllerProfile] {
    profile.isEmpty ? ControllerProfile.all : profile.map(\.profile)
  }

  /// The format of standard output; nil for text that follows the terminal.
  func standardFormat(_ options: NetworkOptions) -> ReportFormat? {
    options.json ? .json : report.first { $0.file == nil }?.format
  }

  func showsProgress(_ options: NetworkOptions) -> Bool {
    Terminal.isInteractive && standardFormat(options) == nil
  }

  func files() throws -> [ReportFile] {
    var files: [ReportFile] = []
    for output in report {
      guard let file = output.file else { continue }
      do throws(ReportFile.Failure) {
        files.append(try ReportFile(file, output.format))
      } catch {
        for file in files { file.discard() }
        Terminal.complain(error.description)
        throw CheckCommand.Status.untested
      }
    }
    return files
  }

  func known() throws -> Set<String> {
    guard let expected else { return [] }
    guard let text = try? String(contentsOfFile: expected, encoding: .utf8) else {
      Terminal.complain("\(expected) cannot be read.")
      throw CheckCommand.Status.untested
    }
    do throws(KnownFailures.Unknown) {
      return try KnownFailures.read(text)
    } catch {
      Terminal.complain("\(expected) names checks that do not exist: \(error.ids.joined(separator: ", ")).")
      throw CheckCommand.Status.untested
    }
  }

  /// The selected options, for reports. Paths are left out, since they can name people.
  var summary: [String] {
    (expected == nil ? [] : ["--expect"]) + (anonymous ? ["--anonymous"] : [])
      + profile.map { "--profile \($0.profile.id)" }
  }
}

/// A time on the command line: minutes, or seconds with an `s`.
struct TimeLimit: ExpressibleByArgument {
  let text: String
  let duration: Duration

  init?(argument: String) {
    let isSeconds = argument.hasSuffix("s")
    guard let number = Int(isSeconds ? argument.dropLast() : argument[...]), (1...100_000).contains(number) else {
      return nil
    }
    text = argument
    duration = .seconds(isSeconds ? number : number * 60)
  }
}

/// A controller on the command line.
struct ProfileName: ExpressibleByArgument {
  let profile: ControllerProfile

  init?(argument: String) {
    guard let profile = ControllerProfile.all.first(where: { $0.id == argument.lowercased() }) else { return nil }
    self.profile = profile
  }

  static var allValueStrings: [String] { ControllerProfile.all.map(\.id) }
}
