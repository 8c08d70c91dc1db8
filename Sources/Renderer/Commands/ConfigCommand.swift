import ArgumentParser
import PlaybackEngine
import PlaybackModel

/// `swiftlet config`: inspects the configuration without starting the speaker.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration, or print the values in force.",
    subcommands: [Check.self, Show.self, Example.self, Manual.self])

  /// `swiftlet config check`: prints one line for each problem.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Report every mistake with file, line and key; exit status 78 if there is one.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
      var sources = options.sources
      let (reading, page) = sources.read()
      let problems =
        reading.problems + page.problems + reading.ignored
        + reading.missingPrograms(searching: sources.environment["PATH"]) + reading.companionProblems
        + reading.sourceProblems(environment: sources.environment) + reading.mqttProblems()
        + reading.outputProblems + reading.chimeProblems + reading.missingRights(file: sources.path)
        + ConfigurationReading.unknownVariables(in: sources.environment)
      guard problems.isEmpty else { throw UserMessage.configurationProblems(problems) }
      print(sources.path.map { "\($0): no problems found" } ?? "No configuration file; the defaults apply.")
    }
  }

  /// `swiftlet config show`: prints a file with the values in force and their origins.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the values in force, and where each comes from.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
      var sources = options.sources
      let (reading, page) = sources.read()
      print(reading.shown, terminator: "")
      // Print these problems only: the speaker starts despite them.
      _ = UserMessage.configurationProblems(page.problems + reading.ignored)
      guard reading.problems.isEmpty else { throw UserMessage.configurationProblems(reading.problems) }
    }
  }

  /// `swiftlet config example`: prints the default file.
  struct Example: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a file with every key and its help, commented out.")

    func run() { print(ConfigurationDocuments.defaultFile, terminator: "") }
  }

  /// `swiftlet config manual`: prints the parts of the documentation that list every key, for scripts/install.sh.
  struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every key for a manual page, or as the table of docs/configuration.md.", shouldDisplay: false)

    enum Section: String, ExpressibleByArgument {
      case keys, options, table

      var text: String {
        switch self {
        case .keys: ConfigurationDocuments.manualOfKeys
        case .options: ConfigurationDocuments.manualOfOptions
        case .table: ConfigurationDocuments.table
        }
      }
    }

    @Argument var section: Section

    func run() { print(section.text, terminator: "") }
  }
}

extension ConfigurationReading {
  /// An output that can never be opened. The speaker does not start with it.
  fileprivate var outputProblems: [ConfigurationProblem] {
    guard let output = configuration.output else { return [] }
    do throws(OutputError) {
      try Outputs.check(output)
      return []
    } catch {
      return [problem(with: ConfigurationKeys.shared.output.name, error.description)]
    }
  }

  /// Configured features for which the service lacks rights. The speaker runs without them.
  fileprivate func missingRights(file: String?) -> [ConfigurationProblem] {
    DropIns.missing(for: configuration, file: file).map { key, sentence in
      problem(with: key, sentence)
    }
  }

  /// The values as TOML. Keys that are unset are comments.
  var shown: String {
    let lines = ConfigurationKeys.all.map { key in
      guard let text = key.text(in: configuration) else {
        return ("# \(key.name): \(key.defaultText)", origin(of: key))
      }
      return ("\(key.name) = \(text)", origin(of: key))
    }
    let width = lines.map(\.0.count).filter { $0 <= 60 }.max() ?? 0
    return lines.map { text, origin in
      text + String(repeating: " ", count: max(0, width - text.count)) + "  # \(origin)\n"
    }.joined()
  }
}
