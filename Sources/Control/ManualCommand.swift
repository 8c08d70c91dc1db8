import ArgumentParser

/// `swiftlet-control manual`: prints a part of the manual page, for scripts/install.sh.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a part of the manual page.", shouldDisplay: false)

  enum Section: String, ExpressibleByArgument {
    case commands, arguments, options
  }

  @Argument var section: Section

  func run() throws {
    let manual = Manual(try CommandTree.read(SwiftletControl._dumpHelp()))
    switch section {
    case .commands: print(manual.commands, terminator: "")
    case .arguments: print(manual.arguments, terminator: "")
    case .options: print(manual.options, terminator: "")
    }
  }
}
