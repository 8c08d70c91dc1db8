import DeviceStack
import PlaybackModel
import SpeakerCore

/// Play, pause, stop, skip and seek of the current source, and its modes.
package final class TransportPart: PagePart {
  private let access: Access

  package init(_ access: Access) { self.access = access }

  private struct Play: Decodable { let source: Source? }
  private struct Seek: Decodable { let seconds: Double }
  private struct Modes: Decodable {
    let `repeat`: Bool?
    let shuffle: Bool?
  }

  package func add(to routes: PageRoutes) {
    routes.post("/api/pause", NoArguments.self, perform: performing(.pause))
    routes.post("/api/stop", NoArguments.self, perform: performing(.stop))
    routes.post("/api/toggle", NoArguments.self, perform: performing(.toggle))
    routes.post("/api/next", NoArguments.self, perform: performing(.next))
    routes.post("/api/previous", NoArguments.self, perform: performing(.previous))
    routes.post("/api/play", Play.self) { [access] body, request in
      access.perform([body.source.map { .playSource($0) } ?? .play], request)
    }
    routes.post("/api/seek", Seek.self) { [access] body, request throws(Problem) in
      // The limit is longer than any track, and fits into `Duration`.
      guard (0...1e9).contains(body.seconds) else { throw Problem(.player(.illegalSeekTarget)) }
      return access.perform([.seek(to: .milliseconds(Int64(body.seconds * 1000)))], request)
    }
    routes.post("/api/modes", Modes.self) { [access] body, request in
      let commands: [SpeakerCommand?] = [body.repeat.map { .repeat($0) }, body.shuffle.map { .shuffle($0) }]
      return access.perform(commands.compactMap(\.self), request)
    }
  }

  /// Performs a command without arguments.
  private func performing(_ command: SpeakerCommand) -> (NoArguments, HTTPRequest) throws(Problem) -> APIAnswer {
    { [access] _, request in access.perform([command], request) }
  }
}

extension Problem {
  package init(_ error: CommandError) {
    switch error {
    case .player(.illegalSeekTarget): self = .wrong("seconds", "must be between 0 and the track's duration")
    case .server(let reason): self = .impossible(.serverFailed, reason, arguments: ["reason": reason])
    case .locked: self.init(.forbidden, .locked, error.description)
    case .readOnly: self.init(.forbidden, .readOnly, error.description)
    default: self = .impossible(Self.name(of: error), error.description)
    }
  }

  private static func name(of error: CommandError) -> ProblemName {
    switch error {
    case .player(.transitionNotAvailable), .player(.illegalSeekTarget): .notNow
    case .player(.noContents), .nothingThere: .nothingToPlay
    case .player(.seekNotAvailable): .notSeekable
    case .noNeighbour: .noNeighbour
    case .noPreset: .noPreset
    case .server: .serverFailed
    case .fixedVolume: .fixedVolume
    case .anotherTrack: .anotherTrack
    case .playlistFull: .queueFull
    case .tooManyCommands: .tooManyRequests
    case .locked: .locked
    case .readOnly: .readOnly
    }
  }
}
