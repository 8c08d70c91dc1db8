import DeviceStack
import NIOCore
import NIOHTTP1

/// The routes of the other speakers: list, volume, mute.
struct SpeakersPart: PagePart {
  let speakers: OtherSpeakers
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.get("/api/speakers") { _ in
      .later(eventLoop.makeFutureWithTask { .json(await speakers.speakers()) })
    }
    routes.post("/api/speakers/volume", VolumeRequest.self) { body, _ throws(Problem) in
      guard (0...100).contains(body.level) else { throw .wrong("level", "must be between 0 and 100") }
      return command { try await speakers.setVolume(body.level, of: body.id) }
    }
    routes.post("/api/speakers/mute", MuteRequest.self) { body, _ in
      command { try await speakers.setMuted(body.muted, of: body.id) }
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

  private func command(_ body: @escaping @Sendable () async throws -> Void) -> APIAnswer {
    .later(
      eventLoop.makeFutureWithTask {
        try await body()
        return .json(NoResults())
      })
  }
}
