import DeviceStack
import NIOHTTP1

/// The kinds of commands that the access check distinguishes.
package enum CommandKind: Sendable, Equatable, CaseIterable {
  /// Adds music to the end of the queue.
  case append
  /// Lowers the volume.
  case quieter
  /// Concerns only the phone that sends it, on the companion page.
  case companion
  /// Locks or unlocks.
  case lock
  /// Anything else.
  case control
}

/// Decides whether a command is allowed. It checks every POST.
package final class Access {
  /// Whether all commands are refused.
  package let isReadOnly: Bool
  /// Set by the party lock.
  package var lock: (any AccessLock)?

  package init(isReadOnly: Bool) { self.isReadOnly = isReadOnly }

  /// - Throws: 403 if the command is not allowed.
  func check(_ kind: CommandKind, _ request: HTTPRequest) throws(Problem) {
    guard !isReadOnly else {
      throw Problem(.forbidden, .readOnly, "The page of this speaker is read-only.")
    }
    try lock?.check(kind, token: Self.token(request))
  }

  /// Whether the sender has a token of the party lock. False if there is no lock.
  func isOwner(_ request: HTTPRequest) -> Bool { lock?.isOwner(Self.token(request)) ?? false }

  /// Whether the party lock restricts the sender.
  func isGuest(_ request: HTTPRequest) -> Bool { lock?.isLocked ?? false && !isOwner(request) }

  /// The token in `Authorization: Bearer …` (RFC 6750 §2.1); nil if there is none.
  static func token(_ request: HTTPRequest) -> String? {
    guard let value = request.headers.first(name: "authorization") else { return nil }
    let words = value.split(separator: " ")
    return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
  }
}

/// The party lock's check of commands.
package protocol AccessLock: AnyObject {
  /// Whether guests are restricted.
  var isLocked: Bool { get }
  /// Whether the token is valid. False if nobody is restricted.
  func isOwner(_ token: String?) -> Bool
  /// - Parameter token: nil for a guest.
  /// - Throws: 403 with the name `locked`.
  func check(_ kind: CommandKind, token: String?) throws(Problem)
}
