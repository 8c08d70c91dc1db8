import ControlPoint
import DeviceStack
import NIOCore
import NIOHTTP1
import PlaybackModel
import SpeakerCore

/// The routes of the media servers: list, browse, search, play.
struct LibraryPart: PagePart {
  private static let maximumCount = 200
  private static let defaultCount = 100
  /// Maximum ids in one request to play.
  private static let maximumItems = 500
  /// Maximum bytes of an id or of words to find.
  private static let maximumText = 2000
  private static let maximumOffset = 0...1_000_000

  let library: MusicLibrary
  let player: FolderPlayer
  let speakers: OtherSpeakers
  let lists: NIOLoopBound<TrackLists>
  let guests: NIOLoopBound<GuestTracks>
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.get("/api/servers") { _ in
      .later(eventLoop.makeFutureWithTask { .json(await library.servers()) })
    }
    routes.get("/api/library") { request throws(Problem) in
      let server = try Self.text("server", request)
      let container = try Self.text("container", request, default: "0")
      let (offset, count) = try Self.range(request)
      return .later(
        eventLoop.makeFutureWithTask {
          .json(try await library.browse(server, container: container, offset: offset, count: count))
        })
    }
    routes.get("/api/library/search") { request throws(Problem) in
      let server = try Self.text("server", request)
      let kinds = MediaSearch.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      guard let kind = MediaSearch.Kind(rawValue: request.query("kind") ?? MediaSearch.Kind.track.rawValue) else {
        throw .wrong("kind", "must be one of \(kinds)")
      }
      // Without words, all albums or artists.
      let words = kind != .track && request.query("q") == nil ? "" : try Self.text("q", request)
      if !words.isEmpty { try Self.checkWords(words) }
      let (offset, count) = try Self.range(request)
      return .later(
        eventLoop.makeFutureWithTask {
          let search = MediaSearch(words, for: kind)
          return .json(try await library.search(server, search, words: words, offset: offset, count: count))
        })
    }
    let kind: (PlayRequest) -> CommandKind = { $0.to == nil ? $0.where.kind : .control }
    routes.post("/api/library/play", PlayRequest.self, kind: kind) { body, request throws(Problem) in
      let selection = try Self.selection(body.what)
      if let speaker = body.to {
        guard body.what.start == nil else { throw .wrong("start", "is not possible with “to”") }
        return playElsewhere(selection, body, on: speaker)
      }
      let limit = try guests.value.allowance(request)
      return .later(
        eventLoop.makeFutureWithTask {
          let addition = try await player.play(
            selection, of: body.what.server, body.where, shuffles: body.shuffle, guestLimit: limit
          ) { count, _ in guests.value.count(count, by: request) }
          guard var problem = addition.failure?.problem else { return .json(addition) }
          problem.undo = addition.undo
          throw problem
        })
    }
    routes.post("/api/library/favorite", What.self) { body, _ throws(Problem) in
      guard body.start == nil else { throw .wrong("start", "is not possible here") }
      let selection = try Self.selection(body)
      let reading = eventLoop.makeFutureWithTask { try await player.tracks(selection, of: body.server) }
      return .later(
        reading.flatMapThrowing { tracks, isComplete in
          do throws(TrackLists.Failure) { try lists.value.addFavorites(tracks) } catch { throw Problem(error) }
          return .json(LibraryAddition(added: tracks.count, complete: isComplete))
        })
    }
  }

  /// Plays the selection on another speaker.
  private func playElsewhere(
    _ selection: FolderPlayer.Selection, _ body: PlayRequest, on speaker: String
  ) -> APIAnswer {
    .later(
      eventLoop.makeFutureWithTask {
        let formats = try await speakers.formats(of: speaker)
        let (tracks, isComplete) = try await player.tracks(selection, of: body.what.server, for: formats)
        let items = tracks.map { SpeakerItem(uri: $0.uri, metadata: $0.metadata) }
        let added = try await speakers.play(items, body.where, on: speaker)
        return .json(LibraryAddition(added: added, complete: isComplete && added == items.count))
      })
  }

  /// What a person chose.
  private struct What: Decodable {
    let server: String
    let items: [String]?
    let container: String?
    let q: String?
    let start: PlayWalk.Start?
  }

  private struct PlayRequest: Decodable {
    let what: What
    /// Another speaker; nil for this one.
    let to: String?
    /// The value of Shuffle for tracks that replace the queue; nil to keep it.
    let shuffle: Bool?
    let `where`: QueuePlace

    private enum CodingKeys: CodingKey { case to, shuffle, `where` }

    init(from decoder: any Decoder) throws {
      what = try What(from: decoder)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      to = try values.decodeIfPresent(String.self, forKey: .to)
      shuffle = try values.decodeIfPresent(Bool.self, forKey: .shuffle)
      `where` = try values.decode(QueuePlace.self, forKey: .where)
    }
  }

  private static func selection(_ body: What) throws(Problem) -> FolderPlayer.Selection {
    switch (body.items, body.container, body.q) {
    case (let items?, nil, nil):
      guard !items.isEmpty, items.count <= maximumItems else {
        throw .wrong("items", "must have 1 to \(maximumItems) ids")
      }
      guard body.start == nil else { throw .wrong("start", "needs “container” or “q”") }
      guard items.allSatisfy({ !$0.isEmpty && $0.utf8.count <= maximumText }) else {
        throw .wrong("items", "has an id that is empty or too long")
      }
      return .objects(items)
    case (nil, let container?, nil):
      guard !container.isEmpty, container.utf8.count <= maximumText else {
        throw .wrong("container", "is empty or too long")
      }
      return .container(container, from: try start(body))
    case (nil, nil, let words?):
      guard words.utf8.count <= maximumText else { throw .wrong("q", "is too long") }
      try checkWords(words)
      return .search(words, from: try start(body))
    default: throw .wrong("items", "or “container” or “q” must be given, and only one of them")
    }
  }

  private static func start(_ body: What) throws(Problem) -> PlayWalk.Start? {
    guard let start = body.start else { return nil }
    guard !start.id.isEmpty, start.id.utf8.count <= maximumText else {
      throw .wrong("start.id", "is empty or too long")
    }
    guard maximumOffset.contains(start.offset) else {
      throw .wrong("start.offset", "must be between 0 and \(maximumOffset.upperBound)")
    }
    return start
  }

  private static func checkWords(_ words: String) throws(Problem) {
    guard !words.allSatisfy(\.isWhitespace) else { throw .wrong("q", "must contain words to find") }
  }

  private static func text(_ name: String, _ request: HTTPRequest, default text: String? = nil) throws(Problem)
    -> String
  {
    guard let text = request.query(name) ?? text else { throw .wrong(name, "is missing") }
    guard !text.isEmpty, text.utf8.count <= maximumText else { throw .wrong(name, "is empty or too long") }
    return text
  }

  private static func range(_ request: HTTPRequest) throws(Problem) -> (offset: Int, count: Int) {
    (
      try request.number("offset", in: maximumOffset, default: 0),
      try request.number("count", in: 1...maximumCount, default: defaultCount)
    )
  }
}

extension LibraryError: APIError {
  var problem: Problem {
    switch self {
    case .unknownServer: Problem(.notFound, .unknownServer, sentence)
    case .unknownObject: Problem(.notFound, .unknownObject, sentence)
    case .notSearchable: Problem(.conflict, .notSearchable, sentence)
    case .nothingPlayable(let reason):
      Problem(.conflict, .nothingPlayable, sentence, arguments: ["reason": reason])
    case .queueFull: Problem(.conflict, .queueFull, sentence)
    case .timeout: Problem(.gatewayTimeout, .serverTimeout, sentence)
    case .server(let reason): Problem(.badGateway, .serverFailed, sentence, arguments: ["reason": reason])
    case .busy: Problem(.serviceUnavailable, .busy, sentence, retryAfter: 2)
    }
  }
}
