import Glibc
import UnixSignals

/// Ctrl-C, SIGTERM and the end of the terminal.
enum Interruption {
  /// Runs a body that a signal cancels, so that it can clean up.
  /// - Returns: whether a signal arrived.
  @discardableResult
  static func cancels(_ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
    // Ignores SIGPIPE: a closed output must not end the command before it has cleaned up.
    signal(SIGPIPE, SIG_IGN)
    let signals =
      isHangupIgnored
      ? await UnixSignalsSequence(trapping: .sigint, .sigterm)
      : await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        for await _ in signals { return true }
        return false
      }
      group.addTask {
        try await body()
        return false
      }
      let isInterrupted = try await group.next() ?? false
      group.cancelAll()
      return isInterrupted
    }
  }

  /// Whether the command was started by nohup.
  private static var isHangupIgnored: Bool {
    var action = sigaction()
    sigaction(SIGHUP, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
