import FoundationEssentials
import NIOCore
import NIOEmbedded
import NIOHTTP1
import PlaybackTestKit

@testable import Companion
@testable import DeviceStack
@testable import Page
@testable import Playback
@testable import PlaybackModel
@testable import SpeakerCore
@testable import UPnP

/// Requests to the page's API, each in a line: the path of a route, a parameter or query, and a JSON body, separated by tabs:
/// `POST /api/volume⇥⇥{"level": 40}`.
enum APITarget {
  private static let statuses: Set<UInt> = [200, 400, 403, 404, 409, 415, 429, 503]

  static func test(_ input: UnsafeRawBufferPointer) {
    let eventLoop = EmbeddedEventLoop()
    let player = Player(
      executor: OnlyThread(), settings: PlayerSettings(), pipeline: SilentPipeline(), logger: Silence.logger)
    let routes = routes(player, eventLoop)
    var input = Input(input)
    while let line = input.line() {
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3 else { continue }
      request(fields, routes)
      request(["GET /api/state", "", ""], routes)
    }
    // Another pin ends one that waits.
    let station = #"{"index": 0, "what": "station", "title": "End", "uri": "http://192.0.2.1/end"}"#
    request(["POST /api/pins/set", "", station], routes)
    request(["POST /api/pins/play", "", #"{"index": 0}"#], routes)
  }

  /// Routes that use other threads, which an embedded event loop does not allow.
  private static let excluded: Set<String> = [
    "POST /api/lock", "POST /api/unlock", "GET /api/settings", "POST /api/settings",
  ]

  private static func request(_ fields: [String], _ routes: PageRoutes) {
    guard routes.list.contains(fields[0]), !excluded.contains(fields[0]),
      let address = try? SocketAddress(ipAddress: "192.0.2.2", port: 40000)
    else {
      return
    }
    let isPost = fields[0].hasPrefix("POST ")
    let path = String(fields[0].drop { $0 != " " }.dropFirst())
    var request = HTTPRequest(
      method: isPost ? .POST : .GET, uri: "\(path)?\(fields[1])", headers: ["Content-Type": "application/json"],
      body: ByteBuffer(string: fields[2]), remote: address, local: address)
    request.parameter = fields[1]
    switch isPost ? routes.post(path, request) : routes.get(path, request) {
    case .now(let response, _): check(response, fields)
    // A pin waits until the playlist document has been read, which never happens here.
    case .later(let response): response.whenComplete { check($0, fields) }
    case .stream(_, let stream): stream.ended()
    }
  }

  private static func check(_ response: HTTPResponse, _ fields: [String]) {
    FuzzTargets.check(statuses.contains(response.status.code), "\(response.status) for \(fields)")
    FuzzTargets.check(!response.headers["Content-Security-Policy"].isEmpty, "no policy for \(fields)")
    guard fields[0].contains(" /api/"), !fields[0].contains("/api/art/") else { return }
    if response.headers.first(name: "content-type")?.hasPrefix("text/plain") == true { return }
    let body = Data(response.body.readableBytesView)
    if response.status == .ok {
      FuzzTargets.check((try? JSONDecoder().decode(AnyJSON.self, from: body)) != nil, "answered no JSON for \(fields)")
    } else {
      let problem = try? JSONDecoder().decode(ProblemDocument.self, from: body)
      FuzzTargets.check(problem?.status == Int(response.status.code), "no problem for \(fields)")
      FuzzTargets.check(problem?.detail.hasSuffix(".") ?? false, "no sentence: \(problem?.detail ?? "") for \(fields)")
    }
  }

  private struct ProblemDocument: Decodable {
    let status: Int
    let detail: String
  }

  /// Any JSON value.
  private struct AnyJSON: Decodable { init(from decoder: any Decoder) throws {} }

  // MARK: A speaker

  private static func routes(_ player: Player, _ eventLoop: EmbeddedEventLoop) -> PageRoutes {
    let playlist = PlaylistSource(player: player, duration: \.duration)
    let presets = [RadioPreset(title: "R", uri: "http://192.0.2.1/r", artwork: "https://art.example/r.png")]
    let radio = RadioSource(player: player, presets: presets, describe: \.metadata)
    let board = PinBoard()
    let equalizer = EqualizerBoard(player: player)
    let control = SpeakerControl(
      player: player, playlist: playlist, radio: radio, receiver: ReceiverSource(player: player), pins: board,
      equalizer: equalizer)
    control.pinInvoker.playFolders { _, _, reply in
      reply(.failure(.nothingToPlay))
      return {}
    }
    let feed = StateFeed(
      name: "Kitchen", room: "Kitchen", player: player, playlist: playlist, radio: radio, pins: board,
      equalizer: equalizer)
    let facts = Facts()
    let phones = PhoneStorage(saved: []) { _ in }
    let companions = PageCompanions(board: CompanionBoard(), phones: phones, pairing: nil)
    let context = PageContext(
      eventLoop: eventLoop, player: player, playlist: playlist, radio: radio, pins: board,
      directory: nil, control: control, feed: feed,
      facts: facts,
      house: HouseSettings(
        product: "Fuzz/1", interfaces: InterfacePolicy(), networks: [], ownUDNs: [], protocolInfo: "http-get:*:*:*"),
      settings: NoSettings(), lock: .init(saved: nil) { _ in }, lists: .init(saved: []) { _, _ in },
      companions: companions, isReadOnly: false, bootID: 1,
      connectionLimit: 64,
      logger: Silence.logger)
    let lock = PartyLock(context.lock)
    let access = Access(control, lock, eventLoop: eventLoop)
    let art = ArtLinks()
    let reader = QueueReader(art: art)
    let sections = StateSections(
      feed: feed, playlist: playlist, facts: facts, control: control, art: art, reader: reader, hasDirectory: false)
    let state = PageState(
      eventLoop: eventLoop, sections: sections.all, lists: [], bootID: 1, streamLimit: 4)
    let routes = PageRoutes(access: access)
    let tools = PageTools(
      context: context, access: access, lock: lock, guests: GuestTracks(access: access), art: art,
      reader: reader, history: QueueHistory(eventLoop: eventLoop),
      lists: TrackLists(context.lists), state: state,
      phones: Phones(phones, board: companions.board, eventLoop: eventLoop))
    for part in PageServer.parts(tools) { part.add(to: routes) }
    let bound = NIOLoopBound(feed, eventLoop: eventLoop)
    player.immediately { _ = $0.observe { bound.value.update($0) } }
    // Every change marks all sections, so that each request for the state encodes them again.
    feed.observe { _ in for section in sections.all { state.touch(section.name) } }
    return routes
  }

  private final class Facts: SpeakerFacts {
    let version = "1"
    let uptime = 1.0
    let networks: [NetworkFacts] = []
    let problems: [LoggedProblem] = []
    let log: [LogFacts] = []
    let programs: [ProgramReport] = []
    let library: LibraryReport? = LibraryReport()
    func rescanLibrary() -> Bool { true }
  }

  private struct NoSettings: SettingsKeeper {
    func entries() async -> [SettingEntry] { [] }
    func set(_ key: String, to value: SettingValue?) async -> Result<SettingEntry, SettingRefusal> {
      .failure(.unknown)
    }
  }
}
