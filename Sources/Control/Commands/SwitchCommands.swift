import ArgumentParser
import ControlPoint

/// `on` or `off`.
enum Switch: String, ExpressibleByArgument, CaseIterable {
  case on, off

  init(_ isOn: Bool) { self = isOn ? .on : .off }

  var isOn: Bool { self == .on }
}

/// A command that sets or shows a switch of a speaker.
protocol SwitchCommand: DeviceCommand {
  /// The name of the value in JSON.
  static var key: String { get }
  /// Nil to show the switch.
  var state: Switch? { get }

  func read(_ speaker: RemoteSpeaker) async throws -> Bool
  func write(_ isOn: Bool, to speaker: RemoteSpeaker) async throws
}

extension SwitchCommand {
  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    if let state {
      try await write(state.isOn, to: speaker)
      try report([Self.key: state.isOn])
    } else {
      let isOn = try await read(speaker)
      try report([Self.key: isOn], Switch(isOn).rawValue)
    }
  }
}

extension ArgumentHelp {
  fileprivate static let state = ArgumentHelp("on or off; without it, the state is printed.")
}

/// `swiftlet-control repeat`
struct RepeatCommand: SwitchCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Switch repeat on or off, or show it.")
  static let key = "repeat"
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: .state) var state: Switch?
  @OptionGroup var options: NetworkOptions

  func read(_ speaker: RemoteSpeaker) async throws -> Bool { try await speaker.isRepeating() }
  func write(_ isOn: Bool, to speaker: RemoteSpeaker) async throws { try await speaker.setRepeating(isOn) }
}

/// `swiftlet-control shuffle`
struct ShuffleCommand: SwitchCommand {
  static let configuration = CommandConfiguration(
    commandName: "shuffle", abstract: "Switch shuffle on or off, or show it.")
  static let key = "shuffle"
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: .state) var state: Switch?
  @OptionGroup var options: NetworkOptions

  func read(_ speaker: RemoteSpeaker) async throws -> Bool { try await speaker.isShuffling() }
  func write(_ isOn: Bool, to speaker: RemoteSpeaker) async throws { try await speaker.setShuffling(isOn) }
}

/// `swiftlet-control standby`
struct StandbyCommand: SwitchCommand {
  static let configuration = CommandConfiguration(
    commandName: "standby", abstract: "Switch standby on or off, or show it.")
  static let key = "standby"
  static let allowsSeveral = true

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: .state) var state: Switch?
  @OptionGroup var options: NetworkOptions

  func read(_ speaker: RemoteSpeaker) async throws -> Bool { try await speaker.isInStandby() }
  func write(_ isOn: Bool, to speaker: RemoteSpeaker) async throws { try await speaker.setStandby(isOn) }
}
