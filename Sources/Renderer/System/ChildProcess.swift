import CLinux
import Glibc

/// Starts programs in a process group of their own, with default signals, and without descriptors of this process.
enum ChildProcess {
  /// Where a program writes; nil for this process's standard error.
  struct Outputs {
    var output: Int32?
    var error: Int32?
  }

  /// - Parameters:
  ///   - words: the program, found in PATH if it has no slash, and its arguments. No shell interprets them.
  ///   - pid: the process, which is also the group.
  /// - Returns: an errno, or 0.
  static func start(
    _ words: [String], environment: [String: String], outputs: Outputs = Outputs(), pid: inout pid_t
  ) -> Int32 {
    guard let program = words.first else { return EINVAL }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, outputs.output ?? STDERR_FILENO, STDOUT_FILENO)
    if let error = outputs.error { posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO) }
    swiftlet_add_close_from(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Reset the signals: otherwise the program inherits ignored and blocked ones.
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

  /// The end of a process that has ended.
  enum End: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// - Parameter status: of waitpid(2).
    init(status: Int32) {
      // WIFEXITED and WTERMSIG (wait(2)) are macros, which Swift does not import.
      let signal = status & 0x7F
      self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }
  }
}
