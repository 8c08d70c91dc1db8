import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore

/// The queue, which is OpenHome's playlist.
final class QueuePart: PagePart {
  /// Maximum tracks in one answer.
  private static let maximumTracks = 500
  /// Maximum tracks in one command.
  private static let maximumEntries = 2000

  private let access: Access
  private let playlist: PlaylistSource
  private let reader: QueueReader
  private let history: QueueHistory
  private let guests: GuestTracks

  init(
    _ access: Access, playlist: PlaylistSource, reader: QueueReader, history: QueueHistory, guests: GuestTracks
  ) {
    self.access = access
    self.playlist = playlist
    self.reader = reader
    self.history = history
    self.guests = guests
  }

  private struct Listing: Encodable {
    let revision: String
    let count: Int
    let currentId: UInt32
    let offset: Int
    let items: [QueueItem]
  }

  private struct Play: Decodable { let id: UInt32 }
  private struct Add: Decodable {
    let items: [NewTrack]
    let `where`: QueuePlace
  }
  private struct Added: Encodable {
    let ids: [UInt32]
    /// nil if nothing was replaced.
    var undo: String?
  }
  private struct Move: Decodable {
    let ids: [UInt32]
    let after: UInt32
  }
  private struct Remove: Decodable { let ids: [UInt32] }
  private struct Token: Codable { let undo: String }

  func add(to routes: PageRoutes) {
    routes.get("/api/queue") { [self] request throws(Problem) in
      let offset = try request.number("offset", in: 0...Playlist.maximumCount, default: 0)
      let count = try request.number("count", in: 0...Self.maximumTracks, default: 200)
      return listing(offset, count)
    }
    routes.post("/api/queue/play", Play.self) { [self] body, request throws(Problem) in
      try access.perform(.queue(.play(body.id)), request)
      return .done
    }
    routes.post(
      "/api/queue/add", Add.self, kind: { $0.where.kind },
      perform: { [self] body, request throws(Problem) in
        _ = try guests.allowance(request, for: body.items.count)
        let answer = try add(body, request)
        guests.count(body.items.count, by: request)
        return answer
      })
    routes.post("/api/queue/move", Move.self) { [self] body, request throws(Problem) in
      try Self.checkSize("ids", body.ids.count)
      guard Set(body.ids).count == body.ids.count, !body.ids.contains(body.after) else {
        throw .wrong("ids", "must name each track once, and not the one in “after”")
      }
      try access.perform(.queue(.move(body.ids, after: body.after)), request)
      return .done
    }
    routes.post("/api/queue/remove", Remove.self) { [self] body, request throws(Problem) in
      try Self.checkSize("ids", body.ids.count)
      return keep(try access.perform(.queue(.delete(body.ids)), request))
    }
    routes.post("/api/queue/clear", NoArguments.self) { [self] _, request throws(Problem) in
      keep(try access.perform(.queue(.clear), request))
    }
    routes.post("/api/queue/undo", Token.self) { [self] body, request throws(Problem) in
      try access.perform(.queue(.undo(try history.take(body.undo))), request)
      return .done
    }
  }

  private func listing(_ offset: Int, _ count: Int) -> APIAnswer {
    let list = playlist.list
    return .json(
      Listing(
        revision: playlist.revision, count: list.count, currentId: list.currentID, offset: offset,
        items: reader.items(offset..<offset + count, of: playlist)),
      etag: "\(playlist.revision)-\(list.currentID)")
  }

  private func add(_ body: Add, _ request: HTTPRequest) throws(Problem) -> APIAnswer {
    try Self.checkSize("items", body.items.count)
    var tracks: [PlaylistTrack] = []
    for (index, item) in body.items.enumerated() { tracks.append(try item.track("items[\(index)]")) }
    guard !tracks.isEmpty else { return .json(Added(ids: [])) }
    let result = try access.perform(.queue(.add(tracks, body.where)), request)
    return .json(Added(ids: result.ids, undo: history.keep(result)))
  }

  private static func checkSize(_ field: String, _ count: Int) throws(Problem) {
    guard count <= maximumEntries else { throw .wrong(field, "must have at most \(maximumEntries) entries") }
  }

  /// The answer after tracks were removed. The token of an empty queue restores nothing.
  private func keep(_ result: CommandResult) -> APIAnswer { .json(Token(undo: history.keep(result) ?? "")) }
}
