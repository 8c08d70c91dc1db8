import ArgumentParser
import Companion
import UnixSignals

/// `swiftlet presence`: shows what presence sees and would decide.
struct PresenceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presence", abstract: "Print sightings of people and decisions about them, live.",
    discussion: """
      Scans by itself with the settings of the configuration, whether or not a swiftlet runs, and performs no action. \
      Ends with Ctrl-C.
      """)

  @Flag(
    help: "Also print unknown devices, to find the address of a tag. Each appears only every few minutes.")
  var all = false

  @OptionGroup var options: ConfigurationOptions

  func run() async throws {
    var sources = options.sources
    let reading = sources.readOwner()
    guard reading.problems.isEmpty else { throw UserMessage.configurationProblems(reading.problems) }
    let settings = PresenceSettings(reading.configuration)
    guard all || !settings.people.isEmpty else {
      throw UserMessage.unavailable("The configuration names no people: set presence.people, or use --all.")
    }
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let terminal = await PresenceTerminal(settings, showsStrangers: all) { TerminalLines.write($0) }
    await terminal.open()
    for await _ in signals { break }
    await terminal.close()
  }
}
