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
    routes.post("/api/play", Play.self) { [access] body, request throws(Problem) in
      try access.perform(.transport(.play, of: body.source), request)
      return .done
    }
    routes.post("/api/seek", Seek.self) { [access] body, request throws(Problem) in
      // The limit is longer than any track, and fits into `Duration`.
      guard (0...1e9).contains(body.seconds) else { throw Problem(.player(.illegalSeekTarget)) }
      try access.perform(.seek(to: .milliseconds(Int64(body.seconds * 1000))), request)
      return .done
    }
    routes.post("/api/modes", Modes.self) { [access] body, request throws(Problem) in
      if let isOn = body.repeat { try access.perform(.repeat(isOn), request) }
      if let isOn = body.shuffle { try access.perform(.shuffle(isOn), request) }
      return .done
    }
  }

  /// Performs a command without arguments.
  private func performing(_ command: SpeakerCommand) -> (NoArguments, HTTPRequest) throws(Problem) -> APIAnswer {
    { [access] _, request throws(Problem) in
      try access.perform(command, request)
      return .done
    }
  }
}

extension Problem {
  package init(_ error: CommandError) {
    switch error {
    case .player(.illegalSeekTarget): self = .wrong("seconds", "must be between 0 and the track's duration")
    case .pin(.failed(let reason)): self.init(.badGateway, .serverFailed, reason, arguments: ["reason": reason])
    case .playlist(.idNotFound), .preset(.unknown), .noSuchSource:
      self = .unknown(Self.name(of: error), error.description)
    case .preset(.full):
      self = .impossible(
        .presetsFull, error.description, arguments: ["count": "\(RadioPresets.maximumCount)"])
    case .equalizer(.unknownPreset): self = .unknown(.unknownEqualizerPreset, error.description)
    case .equalizer(.wrongValue(let reason)):
      self.init(
        .badRequest, .wrongEqualizer, reason, arguments: ["reason": reason])
    case .equalizer(.line):
      self.init(
        .badRequest, .wrongEqualizer, error.description, arguments: ["reason": error.description])
    case .alarm(.unknown), .alarm(.noSuchPreset), .alarm(.emptyPin):
      self = .unknown(Self.name(of: error), error.description)
    case .alarm(.badAddress): self = .wrong("uri", "must be an http or https address")
    case .alarm(.full):
      self = .impossible(.alarmsFull, error.description, arguments: ["count": "\(ClockAlarm.maximumCount)"])
    case .locked: self.init(.forbidden, .locked, error.description)
    case .readOnly: self.init(.forbidden, .readOnly, error.description)
    case .announcement(let error): self.init(error)
    default: self = .impossible(Self.name(of: error), error.description)
    }
  }

  private static func name(of error: CommandError) -> ProblemName {
    switch error {
    case .player(.transitionNotAvailable), .player(.illegalSeekTarget): .notNow
    case .player(.noContents), .nothingThere: .nothingToPlay
    case .playlist(.full): .queueFull
    case .playlist(.idNotFound): .unknownTrack
    case .preset(.unknown): .unknownPreset
    case .preset(.readOnly): .presetInFile
    case .preset(.full): .presetsFull
    case .pin(.failed): .serverFailed
    case .pin(.modeNotSupported), .pin(.uriNotSupported): .unsupportedPin
    case .pin: .nothingToPlay
    case .player(.seekNotAvailable): .notSeekable
    case .noNeighbour: .noNeighbour
    case .noPreset: .noPreset
    case .noSender, .badSender: .noSender
    case .fixedVolume: .fixedVolume
    case .anotherTrack: .anotherTrack
    case .tooManyCommands: .tooManyRequests
    case .locked: .locked
    case .readOnly: .readOnly
    case .equalizer(.unknownPreset): .unknownEqualizerPreset
    case .equalizer(.presetsFull): .equalizerPresetsFull
    case .equalizer: .wrongEqualizer
    case .alarm(.unknown): .unknownAlarm
    case .alarm(.full): .alarmsFull
    case .alarm(.noSuchPreset): .unknownPreset
    case .alarm(.emptyPin): .emptyPin
    case .alarm(.badAddress): .wrongValue
    case .alarm(.notRinging): .notRinging
    case .alarm(.nothingPlays): .nothingPlays
    case .alarm(.noEnd): .noEnd
    case .announcement: .announcementFailed
    case .noSuchSource: .unknownSource
    }
  }
}
