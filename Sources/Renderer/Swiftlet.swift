import ArgumentParser

/// The command line of `swiftlet`.
@main
struct Swiftlet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet",
    abstract: "A UPnP AV media renderer: a speaker that network players find.",
    version: "\(Version.name) \(Version.number)",
    subcommands: [RunCommand.self, OutputsCommand.self],
    defaultSubcommand: RunCommand.self)
}
