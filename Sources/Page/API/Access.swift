import DeviceStack
import NIOCore
import NIOHTTP1
import SpeakerCore

/// Finds out who sends a request, and asks the core whether they may send a command. It checks every POST.
package final class Access {
  private let control: SpeakerControl
  private let lock: any AccessLock
  private let eventLoop: any EventLoop

  package init(_ control: SpeakerControl, _ lock: any AccessLock, eventLoop: any EventLoop) {
    self.control = control
    self.lock = lock
    self.eventLoop = eventLoop
  }

  var rights: CommandRights { control.rights }

  /// - Throws: 403 if the command is not allowed.
  func check(_ kind: CommandKind, _ request: HTTPRequest) throws(Problem) {
    do throws(CommandError) {
      try rights.check(kind, from: origin(request))
    } catch {
      throw Problem(error)
    }
  }

  /// Performs a command of the request's sender.
  @discardableResult
  func perform(_ command: SpeakerCommand, _ request: HTTPRequest) throws(Problem) -> CommandResult {
    do throws(CommandError) {
      return try control.perform(command, from: origin(request))
    } catch {
      throw Problem(error)
    }
  }

  /// Performs a command that plays a pin, and answers when that plays.
  func perform(
    _ command: SpeakerCommand, _ request: HTTPRequest, answer: @escaping (CommandResult) -> HTTPResponse
  ) -> APIAnswer {
    let done = eventLoop.makePromise(of: HTTPResponse.self)
    control.perform(command, from: origin(request)) { done.completeWith($0.map(answer).mapError { Problem($0) }) }
    return .later(done.futureResult)
  }

  func kind(of command: SpeakerCommand) -> CommandKind { control.kind(of: command) }

  private func origin(_ request: HTTPRequest) -> CommandOrigin { isGuest(request) ? .pageGuest : .pageOwner }

  /// Whether the sender has a token of the party lock. False if there is no lock.
  func isOwner(_ request: HTTPRequest) -> Bool { lock.isOwner(Self.token(request)) }

  /// Whether the party lock restricts the sender.
  func isGuest(_ request: HTTPRequest) -> Bool { lock.isLocked && !isOwner(request) }

  /// The token in `Authorization: Bearer …` (RFC 6750 §2.1); nil if there is none.
  static func token(_ request: HTTPRequest) -> String? {
    guard let value = request.headers.first(name: "authorization") else { return nil }
    let words = value.split(separator: " ")
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }
}

/// The part of the party lock that decides access.
package protocol AccessLock: AnyObject {
  /// Whether guests are restricted.
  var isLocked: Bool { get }
  /// Whether the token is valid. False if nobody is restricted.
  func isOwner(_ token: String?) -> Bool
}
