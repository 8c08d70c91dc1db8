import ArgumentParser
import Glibc

/// `swiftlet config`: look at the configuration without running.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Check the configuration, or show what is in force.",
    subcommands: [Check.self, Show.self, Example.self, Manual.self])

  /// `swiftlet config check`: all that is wrong, one line each.
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Name file, line and key of anything that is wrong; exit status 78 if anything is.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
      var sources = options.sources
      let reading = sources.read()
      let mistakes =
        reading.mistakes + reading.missingPrograms + ConfigurationReading.strangers(in: sources.environment)
      guard mistakes.isEmpty else { throw RendererError.reported(mistakes) }
      print(sources.path.map { "\($0) is right." } ?? "There is no configuration file, and none is needed.")
    }
  }

  /// `swiftlet config show`: a file that says what is in force, with where it is from.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print what is in force, and from where.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
      var sources = options.sources
      let reading = sources.read()
      print(reading.shown, terminator: "")
      guard reading.mistakes.isEmpty else { throw RendererError.reported(reading.mistakes) }
    }
  }

  /// `swiftlet config example`: the default file.
  struct Example: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the default file: every key with what it does, commented out.")

    func run() { print(ConfigurationKey.defaultFile, terminator: "") }
  }

  /// `swiftlet config manual`: what the manual pages say of each key, for whoever makes them.
  struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the keys, or their options, in the language of manual pages.", shouldDisplay: false)

    enum Section: String, ExpressibleByArgument {
      case keys, options
    }

    @Argument var section: Section

    func run() {
      for key in ConfigurationKey.all {
        print(section == .keys ? key.manualOfKey : key.manualOfOption, terminator: "")
      }
    }
  }
}

extension ConfigurationOptions {
  /// With the program's environment.
  var sources: ConfigurationSources { ConfigurationSources(options: given, file: file) }
}

extension ConfigurationReading {
  /// Commands that could not be started now. They keep nothing else from running.
  fileprivate var missingPrograms: [ConfigurationMistake] {
    HookEvent.allCases.compactMap { event in
      let key = "hooks.\(event)"
      guard let program = configuration.hooks[event].first, program.hasPrefix("/"), access(program, X_OK) != 0 else {
        return nil
      }
      return ConfigurationMistake(
        origin: origins[key] ?? .fallback, key: key, sentence: "“\(program)” is no program that can be run.")
    }
  }

  /// As TOML: what was left open is a comment.
  var shown: String {
    let lines = ConfigurationKey.all.map { key in
      let origin = origins[key.name] ?? .fallback
      guard let text = key.text(configuration) else { return ("# \(key.name): \(key.fallback)", origin) }
      return ("\(key.name) = \(text)", origin)
    }
    let width = lines.map(\.0.count).filter { $0 <= 60 }.max() ?? 0
    return lines.map { text, origin in
      text + String(repeating: " ", count: max(0, width - text.count)) + "  # \(origin)\n"
    }.joined()
  }
}
