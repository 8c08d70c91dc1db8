import ArgumentParser
import ControlPoint

/// The result of a command that has no value, in JSON.
private struct Done: Encodable {
  var done: String
}

/// `swiftlet-control pause`
struct PauseCommand: DeviceCommand {
  static let configuration = CommandConfiguration(commandName: "pause", abstract: "Pause playback.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await speaker.pause()
    try report(Done(done: "pause"))
  }
}

/// `swiftlet-control stop`
struct StopCommand: DeviceCommand {
  static let configuration = CommandConfiguration(commandName: "stop", abstract: "Stop playback.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await speaker.stop()
    try report(Done(done: "stop"))
  }
}

/// `swiftlet-control toggle`
struct ToggleCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Pause a speaker that plays, otherwise resume playback.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let isPlaying = [.playing, .buffering, .waiting].contains(try await speaker.now().state)
    if isPlaying { try await speaker.pause() } else { try await speaker.play() }
    try report(Done(done: isPlaying ? "pause" : "play"), isPlaying ? "paused" : "playing")
  }
}

/// `swiftlet-control next`
struct NextCommand: DeviceCommand {
  static let configuration = CommandConfiguration(commandName: "next", abstract: "Skip to the next track.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await speaker.next()
    try report(Done(done: "next"))
  }
}

/// `swiftlet-control previous`
struct PreviousCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Go back to the previous track, or to the beginning of the current one.")
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String = DeviceNames.defaultMark
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await speaker.previous()
    try report(Done(done: "previous"))
  }
}

/// `swiftlet-control seek`
struct SeekCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Seek within the current track.",
    usage: "swiftlet-control seek <device> <position> [<options>]",
    discussion: """
      Examples:
        swiftlet-control seek Kitchen 1:23
        swiftlet-control seek Kitchen 90
        swiftlet-control seek Kitchen -10
      10+ and 10- mean the same as +10 and -10.
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("1:23, 1:02:03 or seconds; with + or - relative to the current position.", valueName: "position")
  )
  var position: [String]
  @OptionGroup var options: NetworkOptions

  mutating func validate() throws {
    position = Self.withoutTerminator(position)
    guard position.count == 1, RelativeValue.time(position[0]) != nil else {
      throw ValidationError("\"\(position.joined(separator: " "))\" is not a position. Examples: 1:23, 90, +30, -10")
    }
  }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    guard let value = RelativeValue.time(position[0]) else { return }
    var target = Duration.seconds(value.amount)
    if value.isRelative {
      guard let current = try await speaker.now().position else {
        throw ControlPointError.notOffered("the current position")
      }
      target = max(.zero, current + target)
    }
    try await speaker.seek(to: target)
    try report(Position(position: target / .seconds(1)))
  }

  private struct Position: Encodable {
    /// Seconds.
    var position: Double
  }
}
