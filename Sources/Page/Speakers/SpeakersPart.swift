import DeviceStack
import NIOCore
import NIOHTTP1

/// The routes of the other speakers: list, volume, mute.
struct SpeakersPart: PagePart {
  let speakers: OtherSpeakers
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.get("/api/speakers") { _ in
      .task(on: eventLoop) { .json(await speakers.speakers()) }
    }
    routes.post("/api/speakers/volume", VolumeRequest.self) { body, _ throws(Problem) in
      guard (0...100).contains(body.level) else { throw .wrong("level", "must be between 0 and 100") }
      return command { () throws(SpeakerError) in try await speakers.setVolume(body.level, of: body.id) }
    }
    routes.post("/api/speakers/mute", MuteRequest.self) { body, _ throws(Problem) in
      command { () throws(SpeakerError) in try await speakers.setMuted(body.muted, of: body.id) }
    }
  }

  private struct VolumeRequest: Decodable {
    var id: String
    var level: Int
  }

  private struct MuteRequest: Decodable {
    var id: String
    var muted: Bool
  }

  private func command(_ body: @escaping @Sendable () async throws(SpeakerError) -> Void) -> APIAnswer {
    .task(on: eventLoop) { () throws(Problem) in
      do throws(SpeakerError) {
        try await body()
        return .json(NoResults())
      } catch {
        throw Problem(error)
      }
    }
  }
}

extension Problem {
  fileprivate init(_ error: SpeakerError) {
    switch error {
    case .unknown: self.init(.notFound, .unknownSpeaker, error.sentence)
    case .notOffered: self.init(.conflict, .noSuchControl, error.sentence)
    case .timeout: self.init(.gatewayTimeout, .speakerTimeout, error.sentence)
    case .failed(let reason): self.init(.badGateway, .speakerFailed, error.sentence, arguments: ["reason": reason])
    }
  }
}
