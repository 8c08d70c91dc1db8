import PlaybackModel

/// The sender of a command. Its rights, its rate limit and some effects depend on it.
package enum CommandOrigin: Sendable, Hashable, CaseIterable {
  /// A client of the page or its API that has no token while the party lock is on.
  case pageGuest
  /// Any other client of the page or its API.
  case pageOwner
  case mqtt, mpris, buttons, presence
  /// A controller of the OpenHome device.
  case openHome
  /// A controller of the UPnP AV device.
  case upnpAV
  /// A user of the machine itself, with `swiftlet announce`.
  case machine
  /// A device that sends sound to a program of the speaker, such as a phone by AirPlay.
  case program
}

/// Effects that the specification of a sender's protocol requires.
extension CommandOrigin {
  /// A seek from OpenHome also starts playback.
  var playsAfterSeek: Bool { self == .openHome }

  /// OpenHome's Next after the last track stops the playlist. For others it has no effect, so that the music continues.
  var skipsBehindLastTrack: Bool { self == .openHome }

  /// An AV controller may pause a live stream that an AV controller has set. For others, a pause stops it.
  func canPauseLive(_ source: Source) -> Bool { self == .upnpAV && source == .upnpAV }
}

/// The kinds of commands that rights distinguish.
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

/// Decides who may send which commands. Pure.
package struct CommandRights: Sendable, Equatable {
  /// Whether the page refuses all commands.
  package var isPageReadOnly = false
  /// Whether the party lock is on.
  package var isLocked = false
  /// Whether the party lock treats MQTT, MPRIS and buttons as guests.
  package var lockCoversCompanions = false

  package init() {}

  /// - Throws: `locked` or `readOnly`.
  package func check(_ kind: CommandKind, from origin: CommandOrigin) throws(CommandError) {
    switch origin {
    case .pageGuest where isPageReadOnly, .pageOwner where isPageReadOnly: throw .readOnly
    // UPnP has no owners and guests: controllers may do everything.
    // Nor does a user of the machine, who may also remove the lock.
    case .pageOwner, .presence, .openHome, .upnpAV, .machine, .program: return
    case .pageGuest: break
    case .mqtt, .mpris, .buttons: guard isLocked, lockCoversCompanions else { return }
    }
    // The routes of the lock ask for a PIN or a token themselves.
    if kind == .control { throw .locked }
  }
}
