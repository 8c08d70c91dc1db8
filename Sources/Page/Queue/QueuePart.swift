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

  private let playlist: PlaylistSource
  private let reader: QueueReader
  private let history: QueueHistory
  private let guests: GuestTracks

  init(playlist: PlaylistSource, reader: QueueReader, history: QueueHistory, guests: GuestTracks) {
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
    routes.post("/api/queue/play", Play.self) { [self] body, _ throws(Problem) in
      try perform { list throws(PlaylistError) in try list.seek(toID: body.id) }
      return .done
    }
    routes.post(
      "/api/queue/add", Add.self, kind: { $0.where == .end ? .append : .control },
      perform: { [self] body, request throws(Problem) in
        _ = try guests.allowance(request, for: body.items.count)
        let answer = try add(body)
        guests.count(body.items.count, by: request)
        return answer
      })
    routes.post("/api/queue/move", Move.self) { [self] body, _ throws(Problem) in
      try Self.checkSize("ids", body.ids.count)
      guard Set(body.ids).count == body.ids.count, !body.ids.contains(body.after) else {
        throw .wrong("ids", "must name each track once, and not the one in “after”")
      }
      try perform { list throws(PlaylistError) in try list.move(body.ids, after: body.after) }
      return .done
    }
    routes.post("/api/queue/remove", Remove.self) { [self] body, _ throws(Problem) in
      try Self.checkSize("ids", body.ids.count)
      let deleted = playlist.delete(body.ids)
      guard !deleted.isEmpty else { throw .unknown(.unknownTrack, "The queue does not have these tracks.") }
      return keep(.removed(deleted))
    }
    routes.post("/api/queue/clear") { [self] in keep(.removed(playlist.delete(playlist.list.ids))) }
    routes.post("/api/queue/undo", Token.self) { [self] body, _ throws(Problem) in
      try history.undo(body.undo)
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

  private func add(_ body: Add) throws(Problem) -> APIAnswer {
    try Self.checkSize("items", body.items.count)
    var tracks: [PlaylistTrack] = []
    for (index, item) in body.items.enumerated() { tracks.append(try item.track("items[\(index)]")) }
    guard !tracks.isEmpty else { return .json(Added(ids: [])) }
    var addition = QueueAddition(playlist, body.where)
    if let failure = addition.add(tracks).failure, addition.ids.isEmpty { throw Problem(failure) }
    return .json(Added(ids: addition.ids, undo: addition.replaced.flatMap { history.keep(.replaced($0)) }))
  }

  private static func checkSize(_ field: String, _ count: Int) throws(Problem) {
    guard count <= maximumEntries else { throw .wrong(field, "must have at most \(maximumEntries) entries") }
  }

  private func perform<T>(_ command: (PlaylistSource) throws(PlaylistError) -> T) throws(Problem) -> T {
    do throws(PlaylistError) {
      return try command(playlist)
    } catch {
      throw Problem(error)
    }
  }

  /// The answer after tracks were removed. The token of an empty queue restores nothing.
  private func keep(_ change: QueueUndo.Change) -> APIAnswer { .json(Token(undo: history.keep(change) ?? "")) }
}

extension Problem {
  package init(_ error: PlaylistError) {
    switch error {
    case .idNotFound, .indexNotFound: self = .unknown(.unknownTrack, "The queue does not have this track.")
    case .full: self = .impossible(.queueFull, "The queue is full.")
    }
  }
}

extension Problem {
  fileprivate init(_ failure: QueueAddition.Failure) {
    switch failure {
    case .full: self.init(PlaylistError.full)
    case .withdrawn: self.init(PlaylistError.idNotFound)
    }
  }
}
