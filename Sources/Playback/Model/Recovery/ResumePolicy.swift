/// Backoff between attempts to reconnect a broken stream: none before the first attempt, then growing.
package struct ResumePolicy: Equatable {
  private var attempts = 0

  package init() {}

  /// Whether there was no attempt since the last sound.
  package var isFresh: Bool { attempts == 0 }

  /// Whether to reopen a track that has not delivered any sound yet.
  package var mayReopen: Bool { attempts < 3 }

  /// The stream broke off, or an attempt to reconnect failed.
  /// - Returns: the pause before the next attempt.
  package mutating func failed() -> Duration {
    defer { attempts += 1 }
    switch attempts {
    case 0: return .zero
    // An attempt takes two or three requests: for the header, and for the rest of the file.
    case 1...3: return .milliseconds(500) * (1 << (attempts - 1))
    // Spare a server that is away for minutes.
    default: return attempts < 15 ? .seconds(2) : .seconds(5)
    }
  }

  /// The stream delivers sound again.
  package mutating func delivered() { attempts = 0 }
}
