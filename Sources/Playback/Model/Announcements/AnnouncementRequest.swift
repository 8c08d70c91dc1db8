/// A request to play something over what is playing. Afterwards everything continues as before.
package struct AnnouncementRequest: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// An `http:` or `https:` address, or a `file:` address within the folders that may be played.
    case address(String)
    /// A file of this machine, which its user has handed over as an address that the player can open.
    case local(address: String, name: String)
    /// The chime alone.
    case chime

    /// Whether other speakers can play it.
    package var isForOthers: Bool { if case .local = self { false } else { true } }

    /// The same text means the same announcement.
    package var name: String {
      switch self {
      case .address(let address): address
      case .local(_, let name): name
      case .chime: ""
      }
    }
  }

  /// What happens to the music meanwhile.
  package enum Mode: String, Sendable, CaseIterable {
    /// It goes on, softer.
    case duck
    /// It pauses. A live stream goes on, silently.
    case pause
  }

  package enum Volume: Sendable, Equatable {
    /// A step of 0…100.
    case absolute(Int)
    /// Steps above the speaker's volume, or below it if negative. Follows its changes.
    case relative(Int)

    /// The step of 0…`limit`.
    package func step(current: Int, limit: Int) -> Int {
      switch self {
      case .absolute(let step): min(max(step, 0), limit)
      case .relative(let steps): min(max(current + steps, 0), limit)
      }
    }
  }

  /// The time limit unless the request names another one.
  package static let usualLimit = Duration.seconds(60)
  /// The time limits that a request may name, in seconds.
  package static let limits = 1...300

  package var content: Content
  package var volume = Volume.relative(0)
  package var mode = Mode.duck
  /// Whether a chime precedes it.
  package var hasChime = false
  /// Whether the rooms that receive this speaker's sound hear it too.
  package var isForGroup = false
  /// Longer announcements are cut off here.
  package var limit = usualLimit

  package init(_ content: Content) { self.content = content }
}

/// Why an announcement is not heard.
package enum AnnouncementError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Too many announcements wait.
  case full
  /// The same announcement waits already.
  case alreadyWaiting
  /// The file is larger than `AnnouncementSound.largestFile`.
  case tooLarge
  case failed(PlaybackError)
  /// The group did not take it, for this reason.
  case group(String)

  package var description: String {
    switch self {
    case .full: "Too many announcements are waiting. Try again later."
    case .alreadyWaiting: "The same announcement is waiting already."
    case .tooLarge: "The announcement is larger than \(AnnouncementSound.largestFile >> 20) MiB."
    case .failed(let error): error.description
    case .group(let reason): "The group does not hear the announcement. \(reason)"
    }
  }
}
