import Synchronization

/// Results that several checks of a run need. Only the first of these checks obtains them.
final class SharedResults: Sendable {
  private struct Entry {
    var result: Result<any Sendable, Finding>
    /// The messages exchanged to obtain the result.
    var log: WireLog?
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// The result under a name, or its failure. Checks that need it at the same time may each obtain it.
  /// - Parameter isLogged: whether the log of each check includes the messages.
  func value<Value: Sendable>(
    _ name: String, isLogged: Bool = false, obtain: () async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    if let entry = entries.withLock({ $0[name] }) {
      if let log = entry.log { WireLog.current?.follow(log) }
      switch entry.result {
      case .success(let value as Value): return value
      case .success: break
      case .failure(let finding): throw finding
      }
    }
    let result: Result<any Sendable, Finding>
    let obtained: Result<Value, Finding>
    do throws(Finding) {
      let value = try await obtain()
      (result, obtained) = (.success(value), .success(value))
    } catch {
      (result, obtained) = (.failure(error), .failure(error))
    }
    // An interrupted attempt says nothing about the device.
    if !Task.isCancelled {
      entries.withLock { $0[name] = Entry(result: result, log: isLogged ? WireLog.current : nil) }
    }
    return try obtained.get()
  }

  // MARK: Dependencies

  private let failures = Mutex<[String: String]>([:])

  /// Records the failure of a check, for those that depend on it.
  func noteFailure(of check: String, expected: String, got: String) {
    failures.withLock { $0[check] = "\(check) fails: expected \(expected), got \(got)" }
  }

  /// Nil unless the check has failed.
  func failure(of check: String) -> String? { failures.withLock { $0[check] } }

  private let actions = Mutex(SentActions())

  var sent: SentActions { actions.withLock { $0 } }

  func noteAction(_ action: String, _ arguments: [String], at time: ContinuousClock.Instant) {
    actions.withLock { $0.add(action, arguments, at: time) }
  }

  private let flags = Mutex<Set<String>>([])

  func note(_ fact: String) { flags.withLock { _ = $0.insert(fact) } }

  func isNoted(_ fact: String) -> Bool { flags.withLock { $0.contains(fact) } }
}
