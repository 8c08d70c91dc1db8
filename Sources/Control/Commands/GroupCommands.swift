import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control group`
struct GroupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Let rooms play together, or list the groups.",
    discussion: """
      The first speaker leads: the others play its sound. If it plays the sound of another speaker itself, they join \
      that one. With one speaker, its group is shown.
      Examples:
        swiftlet-control group Kitchen Living
        swiftlet-control group Kitchen --all
        swiftlet-control group
      """)

  @Argument(
    help: ArgumentHelp("The devices' names, UDNs, addresses or URLs; the first leads.", valueName: "device"),
    completion: .devices)
  var devices: [String] = []
  @Flag(help: "All speakers join that can.") var all = false
  @OptionGroup var options: NetworkOptions

  func validate() throws {
    if all, devices.count != 1 { throw ValidationError("Name the speaker that leads, such as: group Kitchen --all") }
  }

  func run() async throws {
    try await Session.run(options, devices: devices) { session in
      var (house, ids) = try await session.house(devices)
      guard let leader = ids.first else { return try list(house.groups.groups, house) }
      var joining = Array(ids.dropFirst())
      if all { joining = house.speakers.map(\.id).filter { house.groups.isMissing($0, with: leader) } }
      var failures = RoomFailures()
      for id in joining {
        // A room that hears the leader already needs no new request.
        if all, !house.groups.isMissing(id, with: leader) { continue }
        do throws(RoomError) { try await house.join(id, to: leader) } catch { failures.add(error) }
      }
      if let group = house.groups.group(of: leader) {
        try list([group], house)
      } else if joining.isEmpty, !options.json {
        Terminal.complain("\(house.name(leader)) plays alone.")
      }
      try failures.check()
    }
  }

  private func list(_ groups: [RoomGroups.Group], _ house: House) throws {
    if groups.isEmpty, !options.json { Terminal.complain("No rooms play together.") }
    for group in groups {
      let line = Line(leader: group.leader.map(house.name), sender: group.title, members: group.members.map(house.name))
      if options.json {
        try Terminal.json(line)
      } else {
        Terminal.entry(([line.leader ?? "(\(group.title))"] + line.members).joined(separator: " + "))
      }
    }
  }

  private struct Line: Encodable {
    /// Nil if the sender is no speaker that was found.
    var leader: String?
    var sender: String
    var members: [String]
  }
}

/// `swiftlet-control ungroup`
struct UngroupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ungroup", abstract: "Let rooms play alone.",
    discussion: "A speaker that leads ends its group. Another one leaves it, and does not play any more.")

  @Argument(
    help: ArgumentHelp("The devices' names, UDNs, addresses or URLs.", valueName: "device"),
    completion: .devices)
  var devices: [String] = []
  @Flag(help: "End all groups.") var all = false
  @OptionGroup var options: NetworkOptions

  func validate() throws {
    if all == !devices.isEmpty { throw ValidationError("Name the speakers, or use --all.") }
  }

  func run() async throws {
    try await Session.run(options, devices: devices) { session in
      var (house, ids) = try await session.house(devices)
      let groups = house.groups
      let leaving = Set(ids.flatMap(groups.leaving))
      var failures = RoomFailures()
      for group in groups.groups {
        for id in group.members where all || leaving.contains(id) {
          do throws(RoomError) {
            try await house.leave(id)
            let name = house.name(id)
            report(Line(room: name, left: group.title), "\(name) left \(group.title).")
          } catch {
            failures.add(error)
          }
        }
      }
      if all ? groups.groups.isEmpty : leaving.isEmpty, !options.json {
        let names = ids.map(house.name).joined(separator: ", ")
        Terminal.complain(all ? "No rooms play together." : "Not in a group: \(names).")
      }
      try failures.check()
    }
  }

  private func report(_ line: Line, _ words: String) {
    // A closed output must not keep the other rooms in the group.
    if options.json { try? Terminal.json(line) } else { Terminal.entry(words) }
  }

  private struct Line: Encodable {
    var room, left: String
  }
}
