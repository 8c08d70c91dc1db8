import ArgumentParser
import DeviceStack

/// `swiftlet`: runs the speaker until it is told to stop. Subcommands inspect it.
public struct SwiftletCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "swiftlet",
    abstract: "A UPnP AV and OpenHome media renderer: a speaker that phones and computers find and play to.",
    discussion: "Without a subcommand it runs until told to stop.",
    version: "\(Version.name) \(Version.number)",
    subcommands: [StatusCommand.self, OutputsCommand.self, ConfigCommand.self])

  @Flag(
    help: ArgumentHelp(
      "Where the audio device is not there, be found all the same and take it when it comes.",
      discussion: "Otherwise a missing audio device is an error at the start."))
  var waitForOutput = false

  @OptionGroup var options: ConfigurationOptions

  public init() {}

  /// Runs the command that the arguments of the process name.
  public static func main() async {
    StandardStreams.fill()
    await main(nil)
  }

  public func run() async throws {
    var sources = options.sources
    let reading = sources.read()
    guard reading.mistakes.isEmpty else { throw RendererError.reported(reading.mistakes) }
    do {
      try await Speaker(reading.configuration, waitsForOutput: waitForOutput).run(sources)
    } catch let error as RendererError {
      throw error.reported()
    } catch let error as DeviceHostError {
      throw RendererError("\(error) `--port` chooses another; without it any that is free is used.").reported()
    }
  }
}
