import Glibc
import PlaybackTestKit

/// A program that a test runs in the background; it is terminated when its owner is released.
final class ChildProcess {
  private(set) var id: pid_t = 0

  /// - Parameter output: The file for standard output; standard error is discarded.
  init(_ arguments: [String], environment: [String: String] = [:], output: String = "/dev/null") throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var argv = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") }
    for name in ["PATH", "HOME"] where environment[name] == nil {
      if let value = getenv(name) { variables.append(strdup("\(name)=\(String(cString: value))")) }
    }
    variables.append(nil)
    defer { for pointer in argv + variables { free(pointer) } }
    // The program would inherit the signals that the current thread blocks.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let status = posix_spawnp(&id, arguments[0], &actions, &attributes, &argv, &variables)
    guard status == 0 else { throw SetupError("\(arguments[0]): \(String(cString: strerror(status)))") }
  }

  func end() {
    guard id > 0 else { return }
    kill(id, SIGTERM)
    waitpid(id, nil, 0)
    id = 0
  }

  /// - Throws: ``SetupError`` if the program failed.
  func waitForEnd() throws {
    guard id > 0 else { return }
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    id = 0
    guard status == 0 else { throw SetupError("a program that the test needs ended with status \(status)") }
  }

  deinit { end() }
}
