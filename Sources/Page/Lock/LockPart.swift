import DeviceStack
import Logging
import NIOCore
import SpeakerCore

/// `GET` and `POST /api/lock`, `POST /api/unlock` and `/api/lock/remove`.
final class LockPart: PagePart {
  /// The length of a PIN. It has only digits, because phones then show a number pad.
  static let digits = 4...12

  private let lock: PartyLock
  private let eventLoop: any EventLoop
  private let logger: Logger

  init(_ lock: PartyLock, eventLoop: any EventLoop, logger: Logger) {
    self.lock = lock
    self.eventLoop = eventLoop
    self.logger = logger
  }

  private struct Lock: Decodable { let pin: String? }
  private struct Unlock: Decodable {
    let pin: String
    /// How long the token is valid without use; nil for the usual time.
    let seconds: Int?
  }
  private struct Token: Encodable { let token: String }
  private struct Status: Encodable {
    let locked: Bool
    /// Whether the token in the request is valid.
    let owner: Bool
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/lock") { [lock] request in
      .json(Status(locked: lock.isLocked, owner: lock.isOwner(Access.token(request))))
    }
    routes.post(
      "/api/lock", Lock.self, kind: { _ in .lock },
      perform: { [self] body, request throws(Problem) in
        // Guests must not replace the PIN.
        try lock.requireOwner(Access.token(request))
        guard let pin = body.pin else {
          try lock.lockAgain()
          return .done
        }
        return try setPIN(pin, from: request)
      })
    routes.post(
      "/api/unlock", Unlock.self, kind: { _ in .lock },
      perform: { [self] body, request throws(Problem) in try unlock(body, from: request) })
    routes.post(
      "/api/lock/remove", NoArguments.self, kind: { _ in .lock },
      perform: { [lock] _, request throws(Problem) in
        try lock.requireOwner(Access.token(request))
        lock.remove()
        return .done
      })
  }

  private func setPIN(_ pin: String, from request: HTTPRequest) throws(Problem) -> APIAnswer {
    guard Self.digits.contains(pin.utf8.count), pin.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .wrong("pin", "must have \(Self.digits.lowerBound) to \(Self.digits.upperBound) digits")
    }
    let wasLocked = lock.isLocked
    let client = request.remote.ipAddress ?? "an unknown address"
    let hashing = eventLoop.makeFutureWithTask { PINHash(of: pin) }
    return .later(
      hashing.assumeIsolated().flatMapThrowing { [lock, logger] hash in
        guard let hash else { throw Problem(.internalServerError, .internal, "The PIN cannot be stored.") }
        // Somebody else may have locked or unlocked it meanwhile.
        guard lock.isLocked == wasLocked else {
          throw Problem.impossible(.lockChanged, "Somebody else has just changed the lock.")
        }
        logger.notice("\(client) has set the PIN of the page. `swiftlet page unlock` on this machine removes it.")
        return .json(Token(token: lock.lock(hash)))
      }.nonisolated())
  }

  private func unlock(_ body: Unlock, from request: HTTPRequest) throws(Problem) -> APIAnswer {
    let lives = 1...PINLock.tokenLife.components.seconds
    guard body.seconds.map({ lives.contains(Int64($0)) }) != false else {
      throw .wrong("seconds", "must be between \(lives.lowerBound) and \(lives.upperBound)")
    }
    let life = body.seconds.map { Duration.seconds($0) } ?? PINLock.tokenLife
    let (hash, number) = try lock.beginAttempt(from: request.remote.ipAddress ?? "")
    // No PIN is that long, and hashing takes longer for longer texts.
    let pin = body.pin.utf8.count <= Self.digits.upperBound ? body.pin : ""
    let comparison = eventLoop.makeFutureWithTask { hash.matches(pin) }
    return .later(
      comparison.assumeIsolated().flatMapThrowing { [lock] isRight in
        .json(Token(token: try lock.finishAttempt(number, isRight: isRight, of: hash, life: life)))
      }.nonisolated())
  }
}
