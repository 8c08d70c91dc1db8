import DeviceStack
import NIOCore
import NIOHTTP1

/// The routes of the other speakers: list, volume, mute, queue.
struct SpeakersPart: PagePart {
  let speakers: OtherSpeakers
  let links: ArtLinks
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
    routes.get("/api/speakers/queue") { request throws(Problem) in
      guard let id = request.query("id") else { throw .wrong("id", "is missing") }
      return .later(
        eventLoop.makeFutureWithTask { .json(SpeakerQueueDocument(try await speakers.queue(of: id), links)) })
    }
    routes.post("/api/speakers/play", EntryRequest.self) { body, _ in
      command { try await speakers.play(entry: body.entry, of: body.id) }
    }
  }

  private struct EntryRequest: Decodable {
    var id: String
    var entry: UInt32
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
