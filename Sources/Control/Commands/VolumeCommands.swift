import ArgumentParser
import ControlPoint

/// `swiftlet-control volume`
struct VolumeCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Set, change or show the volume.",
    usage: "swiftlet-control volume <device> [<volume>] [<options>]",
    discussion: """
      Examples:
        swiftlet-control volume Kitchen 40
        swiftlet-control volume Kitchen +5
        swiftlet-control volume Kitchen -5
        swiftlet-control volume Kitchen +5 --group
      5+ and 5- mean the same as +5 and -5. A relative change prints the new volume. With --group, the rooms that \
      play together with the speaker change by the same decibels.
      """)
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "0 to 100; with + or - relative to the current volume. Without it, the volume is printed.", valueName: "volume"))
  var volume: [String] = []
  @Flag(help: "Move all rooms of the group by the same decibels, or show their volumes.") var group = false
  @OptionGroup var options: NetworkOptions

  mutating func validate() throws {
    volume = Self.withoutTerminator(volume)
    guard let text = volume.first else { return }
    guard volume.count == 1, let value = RelativeValue.number(text),
      (value.isRelative ? -100 : 0)...100 ~= value.amount
    else {
      throw ValidationError(
        "\"\(volume.joined(separator: " "))\" is not a volume. It is 0 to 100, or a change such as +5 or -5.")
    }
  }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let value = volume.first.flatMap(RelativeValue.number)
    if group { return try await changeGroup(of: speaker, value, session) }
    switch value {
    case nil:
      let volume = try await speaker.volume()
      try report(["volume": volume], "\(volume)")
    case let value? where value.isRelative:
      let volume = try await speaker.changeVolume(by: value.amount)
      try report(["volume": volume], "\(volume)")
    case let value?:
      try await speaker.setVolume(value.amount)
      // Read back, since the speaker may have a limit.
      try report(["volume": try await speaker.volume()])
    }
  }

  private func changeGroup(of speaker: RemoteSpeaker, _ value: RelativeValue?, _ session: Session) async throws {
    let url = speaker.devices.descriptions[0].location.description
    let (house, _) = try await session.house([url])
    let members = (house.groups.group(of: speaker.id)?.all ?? [speaker.id]).compactMap(house.speaker)
    var volumes: [String: SpeakerVolume] = [:]
    for member in members {
      volumes[member.id] = try await naming(member) { () throws(ControlPointError) in try await member.volumeInSteps() }
    }
    if let value, let current = volumes[speaker.id] {
      var group = GroupVolume()
      let percent = value.isRelative ? current.percent + value.amount : value.amount
      let changes = group.set(speaker.id, to: percent, in: volumes)
      for member in members {
        guard let steps = changes[member.id] else { continue }
        try await naming(member) { () throws(ControlPointError) in try await member.setVolume(steps: steps) }
        volumes[member.id]?.steps = steps
      }
    }
    for member in members {
      guard let percent = volumes[member.id]?.percent else { continue }
      try report(RoomLine(room: member.name, volume: percent), "\(member.name)  \(percent)")
    }
  }

  private struct RoomLine: Encodable {
    var room: String
    var volume: Int
  }
}

/// `swiftlet-control mute`
struct MuteCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "mute", abstract: "Mute or unmute the speaker.")

  enum Change: String, ExpressibleByArgument, CaseIterable {
    case on, off, toggle, show
  }
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "on, off, toggle or show.") var change: Change = .on
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let isMuted: Bool
    switch change {
    case .on: isMuted = true
    case .off: isMuted = false
    case .toggle: isMuted = try await !speaker.isMuted()
    case .show: isMuted = try await speaker.isMuted()
    }
    if change != .show { try await speaker.setMuted(isMuted) }
    try report(["muted": isMuted], change == .show || change == .toggle ? Switch(isMuted).rawValue : nil)
  }
}
