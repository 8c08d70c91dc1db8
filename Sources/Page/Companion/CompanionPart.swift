import Companion
import DeviceStack
import NIOCore
import NIOHTTP1
import SpeakerCore

/// The companion page and its API: `/companion`, `/companion/qr.svg` and everything below `/api/companion`.
final class CompanionPart: PagePart {
  /// Maximum seconds in reach without another report, for phones that report only when they enter and leave.
  private static let longestReach = 12 * 3600
  private static let shortestReach = 60

  private let phones: Phones
  private let board: CompanionBoard
  private let facts: any SpeakerFacts
  private let state: PageState

  init(_ phones: Phones, board: CompanionBoard, facts: any SpeakerFacts, state: PageState) {
    self.phones = phones
    self.board = board
    self.facts = facts
    self.state = state
  }

  private struct Registration: Decodable { let name: String }

  private struct Arrival: Decodable {
    let token: String
    let seconds: Int?
  }

  private struct Departure: Decodable { let token: String }

  private struct Removal: Decodable {
    let token: String?
    let id: Int?
  }

  private struct Launch: Decodable {
    let url: String
    let session: String?
    let to: [Int]?
  }

  func add(to routes: PageRoutes) {
    routes.get("/companion/qr.svg") { [self] request throws(Problem) in
      guard let picture = QRCode.svg(of: address(request)) else {
        throw Problem(.internalServerError, .internal, "The address is too long for a QR code.")
      }
      return .response(
        HTTPResponse(
          .ok, headers: ["Content-Type": "image/svg+xml", "Cache-Control": "no-store"],
          body: ByteBuffer(string: picture)))
    }
    routes.get("/api/companion") { [self] request in
      .json(
        PhoneDocument.Companion(
          beacon: board.report.beacon, address: address(request), phones: phones.list.map(PhoneDocument.Entry.init),
          limit: CompanionTable.maximumPhones))
    }
    routes.get("/api/companion/events") { [self] request throws(Problem) in
      let id = try phones.identify(Access.token(request))
      return try StatePart.stream(state, request, isOwner: false) { phones.attach($0, to: id) }
    }
    addCommands(to: routes)
  }

  private func addCommands(to routes: PageRoutes) {
    routes.post(
      "/api/companion/register", Registration.self, kind: { _ in .companion },
      perform: { [phones] body, request throws(Problem) in
        let name = try PhoneName.checked(body.name)
        let (token, id) = try phones.register(name, from: request.remote.ipAddress ?? "")
        return .json(PhoneDocument.Registration(token: token, id: id))
      })
    routes.post(
      "/api/companion/enter", Arrival.self, kind: { _ in .companion },
      perform: { [phones] body, _ throws(Problem) in
        let seconds = body.seconds ?? Self.longestReach
        guard (Self.shortestReach...Self.longestReach).contains(seconds) else {
          throw .wrong("seconds", "must be between \(Self.shortestReach) and \(Self.longestReach)")
        }
        phones.enter(try phones.identify(body.token), for: .seconds(seconds))
        return .done
      })
    routes.post(
      "/api/companion/leave", Departure.self, kind: { _ in .companion },
      perform: { [phones] body, _ throws(Problem) in
        phones.leave(try phones.identify(body.token))
        return .done
      })
    // A phone may forget itself, and the owner any phone.
    routes.post(
      "/api/companion/forget", Removal.self, kind: { $0.token == nil ? .control : .companion },
      perform: { [phones] body, _ throws(Problem) in
        if let token = body.token {
          try phones.forget(try phones.identify(token))
        } else if let id = body.id {
          try phones.forget(id)
        } else {
          throw .wrong("token", "or “id” is missing")
        }
        return .done
      })
    routes.post("/api/companion/launch", Launch.self) { [self] body, _ throws(Problem) in
      let request = LaunchRequest(
        url: try LaunchAddress.checked(body.url),
        session: try LaunchAddress.checked(session: body.session ?? "\(board.report.beacon?.major ?? 0)"))
      let launch = try phones.launch(request, to: body.to)
      return .json(PhoneDocument.Launched(delivered: launch.delivered, waiting: launch.waiting))
    }
  }

  /// The address of the companion page, with the beacon's UUID, for the client of a request.
  private func address(_ request: HTTPRequest) -> String {
    PageAddress.companion(
      host: request.headers.first(name: "host"), network: facts.networks.first?.url, uuid: board.report.beacon?.uuid)
  }
}
