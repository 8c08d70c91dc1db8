import DeviceStack
import NIOCore
import Playback
import PlaybackModel

/// The queue, which is OpenHome's playlist.
final class QueuePart: PagePart {
  /// Maximum tracks in one answer.
  private static let maximumTracks = 500
  /// Maximum tracks in one command.
  private static let maximumEntries = 2000

  private let playlist: PlaylistSource
  private let reader: QueueReader
  private let eventLoop: any EventLoop
  private var undo = QueueUndo()
  private let alarm: Alarm

  init(playlist: PlaylistSource, reader: QueueReader, eventLoop: any EventLoop) {
    self.playlist = playlist
    self.reader = reader
    self.eventLoop = eventLoop
    alarm = Alarm(eventLoop: eventLoop)
    alarm.onElapsed = { [weak self] in self?.forget() }
  }

  private struct Listing: Encodable {
    let revision: String
    let count: Int
    let currentId: UInt32
    let offset: Int
    let items: [QueueItem]
  }

  private enum Place: String, Decodable { case end, next, now }
  private struct Play: Decodable { let id: UInt32 }
  private struct Add: Decodable {
    let items: [NewTrack]
    let `where`: Place
  }
  private struct Added: Encodable { let ids: [UInt32] }
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
      perform: { [self] body, _ throws(Problem) in try add(body) })
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
      return keep(deleted)
    }
    routes.post("/api/queue/clear") { [self] in keep(playlist.delete(playlist.list.ids)) }
    routes.post("/api/queue/undo", Token.self) { [self] body, _ throws(Problem) in
      guard let tracks = undo.take(body.undo, now: eventLoop.now) else {
        throw .unknown(.undoExpired, "This can no longer be undone.")
      }
      try perform { list throws(PlaylistError) in try list.restore(tracks) }
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
    let list = playlist.list
    let predecessor = body.where == .end ? list.ids.last ?? 0 : list.currentID
    let ids = try perform { playlist throws(PlaylistError) in
      let ids = try playlist.insert(tracks, after: predecessor, isNext: body.where != .end)
      if body.where == .now, let first = ids.first { try playlist.seek(toID: first) }
      return ids
    }
    return .json(Added(ids: ids))
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

  // MARK: Undo

  private func keep(_ tracks: [DeletedTrack]) -> APIAnswer {
    // Clearing an empty queue must not push out the last removals. Its token restores nothing.
    let token = tracks.isEmpty ? "" : undo.keep(tracks, now: eventLoop.now)
    forget()
    return .json(Token(undo: token))
  }

  /// Frees the memory of removals that can no longer be undone.
  private func forget() {
    undo.drop(now: eventLoop.now)
    if let end = undo.nextEnd { alarm.arm(in: .nanoseconds((end - eventLoop.now).nanoseconds)) }
  }
}

extension PlaylistSource {
  /// Changes with the tracks and their failures.
  var revision: String { "\(list.token)-\(failures.revision)" }
}

extension Problem {
  package init(_ error: PlaylistError) {
    switch error {
    case .idNotFound, .indexNotFound: self = .unknown(.unknownTrack, "The queue does not have this track.")
    case .full: self = .impossible(.queueFull, "The queue is full.")
    }
  }
}
