import Glibc
import PlaybackModel
import Synchronization

/// Runs a command in a process group of its own, and kills the group after a time limit.
final class HookProcess: Sendable {
  enum Outcome: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// The command exceeded the time limit.
    case timedOut
    /// The command could not be started; with errno.
    case notStarted(Int32)
  }

  private enum Stage {
    case starting
    /// Cancelled or too late; killed as soon as it has started.
    case unwanted
    case running(pid_t)
    /// The process has ended. Its process ID may belong to another process now.
    case ended
  }

  private struct State {
    var stage = Stage.starting
    var isLate = false
  }

  /// Time between SIGTERM and SIGKILL.
  private static let grace = Duration.seconds(1)

  private let state = Mutex(State())

  private init() {}

  /// Runs a command to its end. Cancelling the task kills it.
  /// - Parameter words: the program, found in PATH if it has no slash, and its arguments. No shell interprets them.
  static func run(_ words: [String], environment: [String: String], limit: Duration) async -> Outcome {
    let process = HookProcess()
    return await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await process.end(after: limit) }
        let outcome = await process.startAndWait(words, environment)
        group.cancelAll()
        return process.isLate ? .timedOut : outcome
      }
    } onCancel: {
      process.signal(SIGKILL)
    }
  }

  private func end(after limit: Duration) async {
    guard (try? await Task.sleep(for: limit)) != nil else { return }
    state.withLock { $0.isLate = true }
    signal(SIGTERM)
    guard (try? await Task.sleep(for: Self.grace)) != nil else { return }
    signal(SIGKILL)
  }

  private var isLate: Bool { state.withLock { $0.isLate } }

  /// Signals the group, unless the process has ended.
  private func signal(_ signal: Int32) {
    state.withLock { state in
      switch state.stage {
      case .starting: state.stage = .unwanted
      case .running(let pid): kill(-pid, signal)
      case .unwanted, .ended: break
      }
    }
  }

  // MARK: The thread

  /// Runs on a thread of its own, because starting and waiting block, and Swift's thread pool is small.
  private func startAndWait(_ words: [String], _ environment: [String: String]) async -> Outcome {
    await withCheckedContinuation { continuation in
      NamedThread.start("hook") { [self] in continuation.resume(returning: startAndWait(words, environment)) }
    }
  }

  private func startAndWait(_ words: [String], _ environment: [String: String]) -> Outcome {
    var pid = pid_t()
    let error = ChildProcess.start(words, environment: environment, pid: &pid)
    guard error == 0 else { return .notStarted(error) }
    state.withLock { state in
      if case .unwanted = state.stage { kill(-pid, SIGKILL) }
      state.stage = .running(pid)
    }
    // WNOWAIT keeps the process ID reserved until no signal can be sent to it any more.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      state.stage = .ended
      // Kill children that ignored SIGTERM.
      if state.isLate { kill(-pid, SIGKILL) }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return switch ChildProcess.End(status: status) {
    case .exited(let status): .exited(status: status)
    case .killed(let signal): .killed(signal: signal)
    }
  }
}

extension HookProcess.Outcome {
  /// Why the command failed, to be appended to its name; nil for success.
  var problem: String? {
    switch self {
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .timedOut: "took longer than hooks.timeout, so Swiftlet stopped it"
    case .notStarted(let error): "cannot be started: \(String(cString: strerror(error)).lowercased())"
    }
  }
}
