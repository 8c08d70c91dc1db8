import ArgumentParser
import DeviceStack
import Glibc

/// `swiftlet`: runs the speaker until it is told to stop. Subcommands inspect it.
public struct SwiftletCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "swiftlet",
    abstract: "A UPnP AV and OpenHome media renderer: a speaker that phones and computers find and play to.",
    discussion: "Without a subcommand it runs until told to stop.",
    version: "\(Version.name) \(Version.number)",
    subcommands: [
      StatusCommand.self, OutputsCommand.self, ConfigCommand.self, PresenceCommand.self, PairCommand.self,
      ButtonsCommand.self, PageCommand.self, AnnounceCommand.self, SourcesCommand.self,
    ])

  @Flag(
    help: ArgumentHelp(
      "Start without an audio device, and use it when it appears.",
      discussion: "Otherwise a missing audio device is an error at the start."))
  var waitForOutput = false

  @OptionGroup var options: ConfigurationOptions

  public init() {}

  public func run() async throws {
    var sources = options.sources
    let owner = sources.readOwner()
    guard owner.problems.isEmpty else { throw UserMessage.configurationProblems(owner.problems) }
    let pageFile = PageFile(of: owner.configuration)
    do {
      let speaker = try await Speaker.assemble(
        waitsForOutput: waitForOutput, sources: sources, owner: owner, pageFile: pageFile)
      try await speaker.run()
    } catch let error as StartError {
      throw UserMessage.unavailable(error.description)
    } catch let error as DeviceHostError {
      throw UserMessage.unavailable("\(error) Choose another with --port; without it, any free port is used.")
    }
  }
}

/// Messages on standard error with the exit status that goes with them (sysexits.h). The argument parser itself reports
/// wrong options with EX_USAGE, 64.
enum UserMessage {
  /// EX_UNAVAILABLE: something that the program needs is missing.
  static func unavailable(_ sentence: String) -> ExitCode {
    say("swiftlet: \(sentence)")
    return ExitCode(EX_UNAVAILABLE)
  }

  /// 1: the command has done its work without success.
  static func failure(_ sentence: String) -> ExitCode {
    say("swiftlet: \(sentence)")
    return ExitCode(EXIT_FAILURE)
  }

  /// EX_NOINPUT: there is no such file.
  static func noInput(_ sentence: String) -> ExitCode {
    say("swiftlet: \(sentence)")
    return ExitCode(EX_NOINPUT)
  }

  /// EX_CONFIG.
  static func configurationProblems(_ problems: [ConfigurationProblem]) -> ExitCode {
    for problem in problems { say(problem.description) }
    return ExitCode(EX_CONFIG)
  }

  private static func say(_ line: String) {
    let line = line + "\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
