import ControlPoint
import DeviceStack
import NIOCore

/// The routes of speakers that play together. A speaker that is not named is this one.
struct GroupsPart: PagePart {
  let groups: SpeakerGroups
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.post("/api/speakers/join", JoinRequest.self) { body, _ throws(Problem) in
      guard body.id != body.to else { throw .wrong("to", "must be another speaker") }
      return later { () throws(SpeakerError) in
        try await groups.join(body.id, to: body.to)
        return NoResults()
      }
    }
    routes.post("/api/speakers/leave", LeaveRequest.self) { body, _ in
      later { () throws(SpeakerError) in
        try await groups.leave(body.id)
        return NoResults()
      }
    }
    routes.post("/api/speakers/everywhere", NoArguments.self) { _, _ in
      later { () throws(SpeakerError) in try await groups.everywhere() }
    }
    routes.post("/api/speakers/group-volume", VolumeRequest.self) { body, _ throws(Problem) in
      guard (-100...100).contains(body.decibels) else { throw .wrong("decibels", "must be between −100 and 100") }
      return later { () throws(SpeakerError) in
        try await groups.changeVolume(by: body.decibels)
        return NoResults()
      }
    }
    routes.post("/api/speakers/move", MoveRequest.self) { body, _ throws(Problem) in
      guard body.from != body.to else { throw .wrong("to", "must be another speaker") }
      return later { () throws(SpeakerError) in
        let moved = try await groups.move(from: body.from, to: body.to)
        return MoveAnswer(losses: moved.losses.map { MoveAnswer.Loss($0) }, failed: moved.failed)
      }
    }
  }

  private struct JoinRequest: Decodable {
    var id: String?
    var to: String?
  }

  private struct LeaveRequest: Decodable { var id: String? }
  private struct VolumeRequest: Decodable { var decibels: Double }

  private struct MoveRequest: Decodable {
    var from: String?
    var to: String?
  }

  private struct MoveAnswer: Encodable {
    var losses: [Loss]
    /// The names of the rooms that stay behind.
    var failed: [String]

    struct Loss: Encodable {
      var code: String
      /// A sentence for users.
      var text: String

      init(_ loss: PlaybackMove.Loss) {
        code =
          switch loss {
          case .tracks: "tracks"
          case .position: "position"
          case .pause: "pause"
          case .repeat: "repeat"
          case .shuffle: "shuffle"
          }
        text = loss.description
      }
    }
  }

  private func later<Answer: Encodable & SendableMetatype>(
    _ body: @escaping @Sendable () async throws(SpeakerError) -> Answer
  ) -> APIAnswer {
    .later(eventLoop.makeFutureWithTask { .json(try await body()) })
  }
}
