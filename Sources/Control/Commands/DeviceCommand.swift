import ArgumentParser
import ControlPoint
import Glibc

/// A command for one speaker.
protocol DeviceCommand: AsyncParsableCommand {
  var device: String { get }
  var options: NetworkOptions { get }

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws
}

extension DeviceCommand {
  func run() async throws {
    try await Session.run(options, devices: [device]) { session in
      try await run(try await session.speaker(device), session)
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
  static let device = ArgumentHelp("Part of the device's name, UDN, address or URL.")
}
