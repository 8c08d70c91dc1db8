import Companion
import DeviceStack

/// A pairing window of BlueZ: `GET /api/pairing`, `POST /api/pairing/open`, `choose`, `answer` and `close`.
///
/// All need the PIN of the party lock, because a paired keyboard can control the speaker, and the names of nearby devices are
/// private.
final class PairingPart: PagePart {
  private let desk: PairingDesk
  private let board: CompanionBoard
  private let lock: PartyLock

  init(_ desk: PairingDesk, board: CompanionBoard, lock: PartyLock) {
    self.desk = desk
    self.board = board
    self.lock = lock
  }

  private struct Choice: Decodable { let number: Int }
  private struct Answer: Decodable { let accept: Bool }

  func add(to routes: PageRoutes) {
    routes.get("/api/pairing") { [self] request throws(Problem) in
      try requirePIN(request)
      return .json(board.report.pairing ?? PairingReport(state: .closed))
    }
    routes.post("/api/pairing/open", NoArguments.self) { [self] _, request throws(Problem) in
      try requirePIN(request)
      desk.requestOpening()
      return .done
    }
    routes.post("/api/pairing/choose", Choice.self) { [self] choice, request throws(Problem) in
      try perform(request) { $0.choose(choice.number) }
    }
    routes.post("/api/pairing/answer", Answer.self) { [self] answer, request throws(Problem) in
      try perform(request) { $0.answer(answer.accept) }
    }
    routes.post("/api/pairing/close", NoArguments.self) { [self] _, request throws(Problem) in
      try perform(request) { $0.close() }
    }
  }

  private func perform(
    _ request: HTTPRequest, _ body: @escaping @CompanionActor @Sendable (PairingDesk) -> Void
  ) throws(Problem) -> APIAnswer {
    try requirePIN(request)
    Task { @CompanionActor [desk] in body(desk) }
    return .done
  }

  /// - Throws: 409 with the name `no-pin` if no PIN is set, 403 for a guest.
  private func requirePIN(_ request: HTTPRequest) throws(Problem) {
    guard lock.isLocked else {
      throw Problem(.conflict, .noPIN, "Pairing needs a PIN. Set one first: settings, party lock.")
    }
    try lock.requireOwner(Access.token(request))
  }
}
