import ArgumentParser

/// `swiftlet-control`: finds UPnP devices and drives them from the command line.
@main
struct SwiftletControl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftlet-control",
    abstract: "Finds UPnP devices on the network, shows what they offer, calls their actions, and shows their events.",
    discussion: """
      A DEVICE is any unambiguous part of a device's name, UDN, address or description URL.
      Exit status: 0 done, 1 refused by the device, 64 wrong usage, 68 no such device or object, 69 not reachable.
      """,
    version: "swiftlet-control \(Version.number)",
    subcommands: [
      DevicesCommand.self, ServersCommand.self, InspectCommand.self, CallCommand.self, BrowseCommand.self,
      SearchCommand.self, WatchCommand.self, ManualCommand.self,
    ])
}
