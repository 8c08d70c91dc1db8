import Glibc
import NIOCore

/// A child process. Foundation's `Process` waits for one process at a time, and forever for a daemon that has closed
/// its descriptors.
package struct Command: Sendable {
  private let process: pid_t

  /// Starts a program found in PATH.
  /// - Parameter output: the descriptor for its output; nil to discard it.
  package init(_ command: [String], output: CInt? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor: CInt in [1, 2] {
      if let output {
        posix_spawn_file_actions_adddup2(&actions, output, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
    }
    // Close the sockets inherited from SwiftNIO: a connection held by another process does not end when it is closed.
    _ = closeFrom(&actions, 3)
    // The threads of the concurrency runtime block signals, and children inherit the mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let error = posix_spawnp(&process, command[0], &actions, &attributes, arguments, environ)
    guard error == 0 else { throw IOError(errnoCode: error, reason: command.joined(separator: " ")) }
    self.process = process
  }

  /// Waits for the end of the process.
  /// - Returns: the status of `waitpid`; 0 for success.
  @discardableResult
  package func wait() -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Terminates the process.
  package func end() {
    kill(process, SIGTERM)
    wait()
  }
}

/// posix_spawn_file_actions_addclosefrom_np(3), missing from the Glibc module.
private let closeFrom: @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt = {
  unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
    to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
}()

package struct CommandFailure: Error {
  var command: [String]
  var status: CInt
  var output: String
}

/// Runs a program to its end.
/// - Returns: its output.
@discardableResult
package func run(_ command: [String]) throws -> String {
  var pipes: [CInt] = [0, 0]
  // A file, not a pipe: another child process could inherit a pipe before it is marked close-on-exec.
  guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pipes) == 0 else {
    throw IOError(errnoCode: errno, reason: "socketpair")
  }
  defer { close(pipes[0]) }
  let program: Command
  do {
    defer { close(pipes[1]) }
    program = try Command(command, output: pipes[1])
  }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(pipes[0], &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    output += buffer[..<count]
  }
  let status = program.wait()
  let text = String(decoding: output, as: UTF8.self)
  guard status == 0 else { throw CommandFailure(command: command, status: status, output: text) }
  return text
}

@discardableResult
package func run(_ command: String...) throws -> String { try run(command) }
