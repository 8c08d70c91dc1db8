/// Pauses between attempts to reconnect a broken stream: none before the first, then growing.
package struct ResumePolicy: Equatable {
  private var attempts = 0

  package init() {}

  /// Whether nothing was tried since sound came last.
  package var isFresh: Bool { attempts == 0 }

  /// Whether a track of which nothing was heard yet is worth another attempt.
  package var mayBeginAgain: Bool { attempts < 3 }

  /// The stream broke off, or an attempt to reconnect failed.
  /// - Returns: how long to wait before the next attempt.
  package mutating func failed() -> Duration {
    defer { attempts += 1 }
    switch attempts {
    case 0: return .zero
    case 1...4: return .milliseconds(250) * (1 << (attempts - 1))
    // A server that is gone for minutes is not asked all the time.
    default: return attempts < 15 ? .seconds(2) : .seconds(5)
    }
  }

  /// Sound has come again.
  package mutating func delivered() { attempts = 0 }
}
