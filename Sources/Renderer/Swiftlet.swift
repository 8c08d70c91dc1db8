import ArgumentParser
import DeviceStack
import Logging
import Playback

/// `swiftlet`: be a speaker until told to stop; with a subcommand, something else.
@main
struct Swiftlet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet",
    abstract: "A UPnP AV media renderer: a speaker that network players find.",
    discussion: "Without a subcommand it runs until told to stop.",
    version: "\(Version.name) \(Version.number)",
    subcommands: [OutputsCommand.self])

  @Option(help: "What controllers call the speaker. Default: Swiftlet and the name of the machine.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "A network interface to be found on, such as eth0; may be given more than once.",
      discussion: "Default: all that lead to people: not loopback, containers or bridges.", valueName: "interface"))
  var interface: [String] = []

  @Option(help: "The HTTP port. Default: any that is free, and the same one again after a restart.")
  var port: UInt16?

  @Option(help: "The device's identifier, as 8-4-4-4-12 hexadecimal digits. Default: made once and kept.")
  var uuid: UUID?

  @Option(
    help: ArgumentHelp(
      "Where the sound goes: alsa:DEVICE, pulse, pipewire, null, or a GStreamer bin description.",
      discussion: "Default: the first audio device; `swiftlet outputs` lists them.", valueName: "output"))
  var output: String?

  @Option(help: "The folder for what is kept over restarts.")
  var stateDir: String?

  @Option(
    help: ArgumentHelp("How much to log: \(levels). Default: info.", valueName: "level"),
    transform: Self.level)
  var logLevel: Logger.Level = .info

  private static let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")

  private static func level(_ text: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      throw ValidationError("There is no log level “\(text)”: it is one of \(levels).")
    }
    return level
  }

  func validate() throws {
    if let name, name.allSatisfy(\.isWhitespace) { throw ValidationError("The name must not be empty.") }
    if interface.contains(where: \.isEmpty) { throw ValidationError("The name of an interface must not be empty.") }
  }

  func run() async throws {
    do {
      try await Renderer(settings()).run()
    } catch let error as RendererError {
      throw error.reported()
    } catch let error as DeviceHostError {
      throw RendererError(error.description).reported()
    }
  }

  private func settings() throws(RendererError) -> RendererSettings {
    RendererSettings(
      name: name ?? "\(Version.name) (\(Host.name))", interfaces: interface, port: port.map(Int.init) ?? 0, uuid: uuid,
      output: try RendererSettings.output(output), stateFolder: stateDir ?? Host.defaultStateFolder,
      logLevel: logLevel)
  }
}

extension UUID: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
