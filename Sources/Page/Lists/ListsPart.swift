import DeviceStack
import NIOCore
import Playback
import PlaybackModel
import SpeakerCore

/// The routes of the lists on the speaker.
final class ListsPart: PagePart {
  private static let maximumCount = 500

  private let access: Access
  private let lists: TrackLists
  private let playlist: PlaylistSource
  private let reader: QueueReader
  private let history: QueueHistory
  private let guests: GuestTracks

  init(
    _ access: Access, lists: TrackLists, playlist: PlaylistSource, reader: QueueReader, history: QueueHistory,
    guests: GuestTracks
  ) {
    self.access = access
    self.lists = lists
    self.playlist = playlist
    self.reader = reader
    self.history = history
    self.guests = guests
  }

  private struct Listing: Encodable {
    struct Entry: Encodable {
      let name: String
      let count: Int
    }

    let favorites: Int
    let recent: Int
    let saved: [Entry]
  }

  private struct Contents: Encodable {
    let name: String
    let revision: String
    let total: Int
    let offset: Int
    let items: [QueueItem]
  }

  private struct Saving: Decodable {
    let name: String
    /// Whether the queue may take the place of a list with this name. Default: true.
    let replace: Bool?
  }
  private struct Renaming: Decodable {
    let name: String
    let to: String
  }
  private struct Removal: Decodable {
    let name: String
    /// The index of the track to remove, and its address; nil for the whole list.
    let start: Int?
    let uri: String?
  }
  private struct Favorite: Decodable {
    let id: UInt32
    let favorite: Bool
  }
  private struct Play: Decodable {
    let name: String
    let `where`: QueuePlace
    /// The index of the track that plays first.
    let start: Int?
    let count: Int?
    /// The value of Shuffle for tracks that replace the queue; nil to keep it.
    let shuffle: Bool?
  }
  private struct Added: Encodable {
    let added: Int
    var undo: String?
  }
  private struct State: Encodable { let favorite: Bool }

  func add(to routes: PageRoutes) {
    routes.get("/api/lists") { [lists] _ throws(Problem) in
      let count = { (name: String) in (try? lists.tracks(name).count) ?? 0 }
      return .json(
        Listing(
          favorites: count(TrackLists.favorites), recent: count(TrackLists.recent),
          saved: lists.names.map { .init(name: $0, count: count($0)) }))
    }
    routes.get("/api/lists/tracks") { [self] request throws(Problem) in
      let (name, tracks) = try named(request)
      let offset = try request.number("offset", in: 0...TrackLists.maximumTracks, default: 0)
      let count = try request.number("count", in: 0...Self.maximumCount, default: 200)
      let part = tracks.dropFirst(offset).prefix(count)
      return .json(
        Contents(
          name: name, revision: "\(lists.revision)", total: tracks.count, offset: offset,
          items: part.enumerated().map { reader.item(UInt32(offset + $0 + 1), $1) }))
    }
    routes.get("/api/lists/m3u") { [self] request throws(Problem) in
      let (_, tracks) = try named(request)
      let text = M3UText(tracks.enumerated().map { reader.item(UInt32($0), $1) }).text
      return .response(
        HTTPResponse(
          .ok,
          headers: [
            "Content-Type": "audio/x-mpegurl; charset=utf-8", "Cache-Control": "no-cache",
            "Content-Disposition": "attachment; filename=\"playlist.m3u8\"",
          ], body: ByteBuffer(string: text)))
    }
    routes.get("/api/lists/favorite") { [self] request throws(Problem) in
      let track = try track(UInt32(try request.number("id", in: 0...Int(UInt32.max), default: 0)))
      return .json(State(favorite: lists.isFavorite(track)))
    }
    routes.post("/api/lists/save", Saving.self) { [self] body, _ throws(Problem) in
      let list = playlist.list
      try perform { () throws(TrackLists.Failure) in
        try lists.keep(list.ids.compactMap { list.track($0) }, as: body.name, replaces: body.replace ?? true)
      }
      return .done
    }
    routes.post("/api/lists/rename", Renaming.self) { [self] body, _ throws(Problem) in
      try perform { () throws(TrackLists.Failure) in try lists.rename(body.name, to: body.to) }
      return .done
    }
    routes.post("/api/lists/remove", Removal.self) { [self] body, _ throws(Problem) in
      switch (body.start, body.uri) {
      case (nil, nil): try perform { () throws(TrackLists.Failure) in try lists.remove(body.name) }
      case (let start?, let uri?):
        try perform { () throws(TrackLists.Failure) in try lists.remove(body.name, at: start, uri: uri) }
      default: throw .wrong("start", "and “uri” are given together")
      }
      return .done
    }
    routes.post("/api/lists/favorite", Favorite.self) { [self] body, _ throws(Problem) in
      let track = try track(body.id)
      try perform { () throws(TrackLists.Failure) in
        if body.favorite { try lists.addFavorites([track]) } else { lists.removeFavorite(track) }
      }
      return .done
    }
    routes.post(
      "/api/lists/play", Play.self, kind: { $0.where.kind },
      perform: { [self] body, request throws(Problem) in try play(body, request) })
  }

  private func play(_ body: Play, _ request: HTTPRequest) throws(Problem) -> APIAnswer {
    let all = try tracks(body.name)
    let start = body.start ?? 0
    guard all.isEmpty || all.indices.contains(start) else { throw .wrong("start", "is not in the list") }
    // Without `count`, the whole list.
    let tracks = body.count.map { Array(all.dropFirst(start).prefix(max(0, $0))) } ?? all
    guard !tracks.isEmpty else { throw Problem(.noTracks) }
    _ = try guests.allowance(request, for: tracks.count)
    let result = try access.perform(.queue(.add(tracks, body.where, shuffles: body.shuffle)), request)
    guests.count(result.ids.count, by: request)
    if body.count == nil, start > 0, result.ids.indices.contains(start), body.where == .replace {
      try access.perform(.queue(.play(result.ids[start])), request)
    }
    return .json(Added(added: result.ids.count, undo: history.keep(result)))
  }

  private func named(_ request: HTTPRequest) throws(Problem) -> (String, [PlaylistTrack]) {
    guard let name = request.query("name") else { throw .wrong("name", "is missing") }
    return (name, try tracks(name))
  }

  private func tracks(_ name: String) throws(Problem) -> [PlaylistTrack] {
    do throws(TrackLists.Failure) { return try lists.tracks(name) } catch { throw Problem(error) }
  }

  /// A track of the queue.
  private func track(_ id: UInt32) throws(Problem) -> PlaylistTrack {
    guard let track = playlist.list.track(id) else {
      throw Problem(.notFound, .unknownTrack, "This track is no longer in the queue.")
    }
    return track
  }

  private func perform(_ change: () throws(TrackLists.Failure) -> Void) throws(Problem) {
    do throws(TrackLists.Failure) { try change() } catch { throw Problem(error) }
  }
}

extension Problem {
  init(_ failure: TrackLists.Failure) {
    switch failure {
    case .unknown: self.init(.notFound, .unknownList, "The speaker has no such list.")
    case .unknownTrack: self.init(.notFound, .unknownTrack, "This track is no longer at this place in the list.")
    case .badName: self = .wrong("name", "must have 1 to 100 characters, and not be “favorites” or “recent”")
    case .exists: self.init(.conflict, .listExists, "There is a list with this name already.")
    case .noTracks: self.init(.conflict, .emptyList, "The list has no tracks.")
    case .full:
      self.init(
        .conflict, .listsFull, "The lists hold at most \(TrackLists.maximumTracks) tracks. Remove a list first.")
    }
  }
}

/// A playlist as a file (M3U, UTF-8).
struct M3UText {
  let text: String

  init(_ items: [QueueItem]) {
    /// A text in one line.
    func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
    text = items.reduce(into: "#EXTM3U\n") { text, item in
      let title = [item.artist, item.title].compactMap(\.self).joined(separator: " - ")
      text += "#EXTINF:\(item.duration.map { Int($0.rounded()) } ?? -1),\(line(title))\n\(line(item.uri))\n"
    }
  }
}
