import ArgumentParser

/// `swiftlet-control`: finds UPnP devices and drives them from the command line.
@main
struct SwiftletControl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet-control",
    abstract: "Finds and controls UPnP and OpenHome speakers, media servers and other devices.",
    discussion: """
      A DEVICE is any unambiguous part of a device's name, UDN, address or description URL.
      Exit status: 0 done, 1 refused by the device, 64 wrong usage, 66 no such file, 68 no such \
      device or object, 69 not reachable.
      """,
    version: "swiftlet-control \(Version.number)",
    subcommands: [
      DevicesCommand.self, ServersCommand.self, InspectCommand.self, CallCommand.self, WatchCommand.self,
      BrowseCommand.self, SearchCommand.self, PlayCommand.self, AddCommand.self, QueueCommand.self,
      RemoveCommand.self, ClearCommand.self, RepeatCommand.self, ShuffleCommand.self, PauseCommand.self,
      StopCommand.self, NextCommand.self, PreviousCommand.self, SeekCommand.self, VolumeCommand.self,
      MuteCommand.self, SourceCommand.self, StandbyCommand.self, NowCommand.self, ManualCommand.self,
    ])
}
