import CLinux
import Glibc
import PlaybackModel
import Synchronization

/// One run of a command: a process group of its own, which is ended when it takes too long.
final class HookProcess: Sendable {
  enum Outcome: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// It took longer than it may.
    case timedOut
    /// errno.
    case notStarted(Int32)
  }

  private enum Stage {
    case starting
    /// To be ended as soon as it has started.
    case unwanted
    case running(pid_t)
    /// Its number may be another's by now.
    case ended
  }

  private struct State {
    var stage = Stage.starting
    var isLate = false
  }

  /// What is asked to end has so long to do it.
  private static let grace = Duration.seconds(1)

  private let state = Mutex(State())

  private init() {}

  /// Runs a command to its end. A cancelled task ends it at once.
  /// - Parameter words: the program, looked for in PATH if it has no slash, and its arguments. No shell reads them.
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

  /// To the whole group, as long as it is the one that was started.
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

  /// Starting waits for the disk, and waiting for an end waits: neither is for Swift's few threads.
  private func startAndWait(_ words: [String], _ environment: [String: String]) async -> Outcome {
    await withCheckedContinuation { continuation in
      NamedThread.start("hook") { [self] in continuation.resume(returning: startAndWait(words, environment)) }
    }
  }

  private func startAndWait(_ words: [String], _ environment: [String: String]) -> Outcome {
    var pid = pid_t()
    let error = spawn(words, environment, &pid)
    guard error == 0 else { return .notStarted(error) }
    state.withLock { state in
      if case .unwanted = state.stage { kill(-pid, SIGKILL) }
      state.stage = .running(pid)
    }
    // It stays a zombie, with its number, until nobody would send it a signal any more.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      state.stage = .ended
      // What it has started may be deaf to the signal that ended it.
      if state.isLate { kill(-pid, SIGKILL) }
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    // As WIFEXITED and its like have it (wait(2)), which are macros.
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// - Returns: an errno, or 0.
  private func spawn(_ words: [String], _ environment: [String: String], _ pid: inout pid_t) -> Int32 {
    guard let program = words.first else { return EINVAL }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Sockets and sound cards are ours. What it prints goes where we print, after us.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    swiftlet_add_close_from(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What we ignore and hold back is our business, and would be passed on.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&pid, program, &actions, &attributes, &arguments, &variables)
  }
}

extension HookProcess.Outcome {
  /// What went wrong, behind the name of the command; nil if nothing did.
  var problem: String? {
    switch self {
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .timedOut: "took too long and was ended"
    case .notStarted(let error): "cannot be started: \(String(cString: strerror(error)).lowercased())"
    }
  }
}
