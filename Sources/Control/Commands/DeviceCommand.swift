import ArgumentParser
import ControlPoint
import Glibc

/// A command for one speaker.
protocol DeviceCommand: AsyncParsableCommand {
  var device: String { get }
  var options: NetworkOptions { get }

  /// Whether the command also takes a list of devices, and all.
  static var allowsSeveral: Bool { get }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws
}

extension DeviceCommand {
  static var allowsSeveral: Bool { false }
}

extension DeviceCommand {
  func run() async throws {
    let texts = device == DeviceNames.all ? [device] : DeviceNames.read().list(device)
    guard device == DeviceNames.all || texts.count > 1 else {
      return try await Session.run(options, devices: [device]) { session in
        try await run(try await session.speaker(device), session)
      }
    }
    guard Self.allowsSeveral else {
      Terminal.complain("\(Self._commandName) takes one device.")
      throw ExitCode(EX_USAGE)
    }
    try await Session.run(options, devices: texts) { session in
      var failures = RoomFailures()
      for devices in try await session.speakers(device == DeviceNames.all ? nil : texts) {
        try await Terminal.$deviceName.withValue(devices.name) {
          do {
            try await run(try await session.controlPoint.speaker(of: devices), session)
          } catch let error as ControlPointError {
            failures.add(.device(name: devices.name, error))
          }
        }
      }
      try failures.check()
    }
  }

  /// An argument that takes unknown options, such as `-5`, also takes the `--` before it.
  static func withoutTerminator(_ values: [String]) -> [String] {
    values.first == "--" ? Array(values.dropFirst()) : values
  }

  /// Reports the result of a command: as JSON, or in words if there are any.
  func report(_ result: some Encodable, _ words: String? = nil) throws {
    if options.json {
      try Terminal.json(result)
    } else if let words {
      Terminal.print(words)
    }
  }
}

extension ArgumentHelp {
  static let device = ArgumentHelp("The device's name, UDN, address or URL; each word of the name may be abbreviated.")
}
