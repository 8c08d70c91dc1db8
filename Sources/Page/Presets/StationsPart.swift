import DeviceStack
import NIOCore
import NIOHTTP1
import PlaybackModel
import SpeakerCore
import Stations

/// Finds stations of the directory by name, and plays them.
final class StationsPart: PagePart {
  /// Maximum bytes of a query.
  private static let maximumQuery = 200
  private static let maximumCount = 200

  private let access: Access
  private let directory: StationDirectory
  private let art: ArtLinks
  private let eventLoop: any EventLoop

  init(_ access: Access, directory: StationDirectory, art: ArtLinks, eventLoop: any EventLoop) {
    self.access = access
    self.directory = directory
    self.art = art
    self.eventLoop = eventLoop
  }

  private struct One: Decodable { let id: String }

  func add(to routes: PageRoutes) {
    routes.get("/api/stations/search") { [directory, art, eventLoop] request throws(Problem) in
      let text = request.query("q") ?? ""
      guard text.utf8.count <= Self.maximumQuery else { throw .wrong("q", "is too long") }
      let offset = try request.number("offset", in: 0...Self.maximumCount, default: 0)
      let count = try request.number("count", in: 1...Self.maximumCount, default: Self.maximumCount)
      return .later(
        eventLoop.makeFutureWithTask {
          let stations = try await directory.search(StationQuery(text))
          let items = stations.dropFirst(offset).prefix(count).map { StationItem(station: $0, art: art) }
          return .json(StationPage(total: stations.count, items: items))
        })
    }
    routes.post("/api/stations/play", One.self) { [self] body, request throws(Problem) in
      if let station = directory.known(body.id) {
        try play(station, request)
        return .done
      }
      let part = NIOLoopBound(self, eventLoop: eventLoop)
      let found = eventLoop.makeFutureWithTask { [directory] in try await directory.station(body.id) }
      return .later(
        found.flatMapThrowing { station in
          try part.value.play(station, request)
          return .json(NoResults())
        })
    }
  }

  private func play(_ station: Station, _ request: HTTPRequest) throws(Problem) {
    let preset = RadioPreset(title: station.title, uri: station.uri, artwork: station.artURI)
    try access.perform(.radio(.setChannel(uri: preset.uri, metadata: preset.metadata)), request)
    try access.perform(.transport(.play, of: .radio), request)
    Task { [directory] in await directory.played(station.id) }
  }
}

/// The answer to GET /api/stations/search.
private struct StationPage: Encodable {
  let total: Int
  let items: [StationItem]
}

/// A station of the directory, for display: its facts, the path of its logo, and a line below its title.
private struct StationItem: Encodable {
  let station: Station
  let art: ArtLinks

  func encode(to encoder: any Encoder) throws {
    try station.encode(to: encoder)
    try (["art": art.path(for: station.artURI), "summary": station.summary] as JSONObject).encode(to: encoder)
  }
}

extension DirectoryError: APIError {
  var problem: Problem {
    switch self {
    case .timeout: Problem(.gatewayTimeout, .directoryTimeout, sentence)
    case .failed(let reason): Problem(.badGateway, .directoryFailed, sentence, arguments: ["reason": reason])
    case .busy: Problem(.serviceUnavailable, .tooManyRequests, sentence, retryAfter: 2)
    case .unknownStation: Problem(.notFound, .unknownStation, sentence)
    }
  }
}
