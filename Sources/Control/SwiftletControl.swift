import ArgumentParser
import Glibc

/// `swiftlet-control`: finds UPnP devices and drives them from the command line.
@main
struct SwiftletControl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet-control",
    abstract: "Finds and controls UPnP and OpenHome speakers, media servers and other devices.",
    discussion: """
      A device is its name, UDN, address or description URL. Each word of the name may be abbreviated.
      Example:
        swiftlet-control devices
        swiftlet-control play Kitchen kind of blue
        swiftlet-control now Kitchen --follow
      Exit status: 0 done, 1 refused by the device, 64 wrong usage, 66 no such file, 68 no such device or object, \
      69 not reachable or not offered, 74 output not written.
      """,
    version: "swiftlet-control \(Version.number)",
    subcommands: [ManualCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Playback",
        subcommands: [
          PlayCommand.self, PauseCommand.self, StopCommand.self, NextCommand.self, PreviousCommand.self,
          SeekCommand.self, ToggleCommand.self, NowCommand.self, WaitCommand.self,
        ]),
      CommandGroup(
        name: "Queue",
        subcommands: [
          AddCommand.self, QueueCommand.self, RemoveCommand.self, ClearCommand.self, RepeatCommand.self,
          ShuffleCommand.self, JumpCommand.self, ReorderCommand.self,
        ]),
      CommandGroup(
        name: "Speaker",
        subcommands: [
          VolumeCommand.self, MuteCommand.self, SourceCommand.self, StandbyCommand.self, EqualizerCommand.self,
          AnnounceCommand.self, PresetCommand.self, PinCommand.self,
        ]),
      CommandGroup(name: "Time", subcommands: [SleepCommand.self, AlarmCommand.self]),
      CommandGroup(name: "Radio", subcommands: [RadioCommand.self]),
      CommandGroup(name: "Rooms", subcommands: [GroupCommand.self, UngroupCommand.self, MoveCommand.self]),
      CommandGroup(name: "Media server", subcommands: [ServersCommand.self, BrowseCommand.self, SearchCommand.self]),
      CommandGroup(
        name: "Device",
        subcommands: [
          DevicesCommand.self, InspectCommand.self, WatchCommand.self, CallCommand.self, CheckCommand.self,
          UseCommand.self,
        ]),
    ])

  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let names = ["help"] + configuration.subcommands.compactMap { $0.configuration.commandName }
    if let message = arguments.first.flatMap({ CommandNames.message(for: $0, among: names) }) {
      Terminal.complain(message)
      Glibc.exit(EX_USAGE)
    }
    if arguments.count == 2, arguments[0] == "--generate-completion-script",
      let shell = CompletionShell(rawValue: arguments[1])
    {
      return print(CompletionScript.text(for: shell))
    }
    await main(arguments)
  }
}
