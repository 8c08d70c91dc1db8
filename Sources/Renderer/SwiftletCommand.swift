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
      "Start without an audio device, and use it when it appears.",
      discussion: "Otherwise a missing audio device is an error at the start."))
  var waitForOutput = false

  @OptionGroup var options: ConfigurationOptions

  public init() {}

  public func run() async throws {
    var sources = options.sources
    let reading = sources.read()
    guard reading.problems.isEmpty else { throw RendererError.reported(reading.problems) }
    do {
      try await Speaker(reading.configuration, waitsForOutput: waitForOutput).run(sources)
    } catch let error as RendererError {
      throw error.reported()
    } catch let error as DeviceHostError {
      throw RendererError("\(error) Choose another with --port; without it, any free port is used.").reported()
    }
  }
}
