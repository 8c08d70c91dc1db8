import ArgumentParser
import ControlPoint

/// A command that needs the API of the speaker's page.
protocol APICommand: DeviceCommand {
  var access: APIOptions { get }

  func run(_ api: SpeakerAPI, _ speaker: RemoteSpeaker, _ session: Session) async throws
}

extension APICommand {
  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    try await run(try await SpeakerAPI(speaker, pin: access.pin, session.controlPoint), speaker, session)
  }
}

struct APIOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The PIN of the speaker's party lock, if it is on.", valueName: "pin"))
  var pin: String?
}
